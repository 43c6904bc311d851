// The decoders in TypeScript beside those in Rust: see decoders.mjs. LANNER_TEST_ROUNDS asks for more inputs.
import assert from 'node:assert/strict';
import test from 'node:test';
import { fuzz } from './decoders.mjs';

test('spoiled keys of every form: Rust gives the same verdicts and the same keys', { timeout: 3_600_000 }, async () => {
  const rounds = Number(process.env.LANNER_TEST_ROUNDS ?? 60_000);
  const { executions, read, blocks } = await fuzz({ executions: rounds });
  console.log(`${executions} inputs, ${read} of them read, ${blocks} blocks of the decoders reached`);
  // It takes good inputs and bad ones, or it shows nothing.
  assert.ok(executions >= rounds && read > rounds / 50 && read < executions / 2, `${read} of ${executions}`);
  assert.ok(blocks > 60, `${blocks} blocks`);
});
