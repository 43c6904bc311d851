// Faults of the machine: bits that flip in the memory of a module while it signs. What `signChecked` gives out is right, or
// there is an error; what `sign` gives out is not always.
import assert from 'node:assert/strict';
import test from 'node:test';
import { randomBytes, utf8, words } from './support.mjs';

// Every array that the package makes while `watched` is a list is put into it; of those that are joined from others,
// `joined` hears.
let [watched, joined] = [];
const Plain = Uint8Array;
globalThis.Uint8Array = class Uint8Array extends Plain {
  constructor(...args) {
    super(...args);
    watched?.push(this);
  }
  static of(...octets) {
    const made = super.of(...octets);
    joined?.(made);
    return made;
  }
};

// What happens after each call of a module's function.
let after = () => {};
const { Instance, instantiate } = WebAssembly;
/** Where the memory of each module ended before anything was given to it. */
const ends = new WeakMap();
const disturbed = ({ exports }) => ({
  exports: Object.fromEntries(
    Object.entries(exports).map(([name, value]) => [
      name,
      typeof value != 'function' ? value : (...args) => {
        if (!ends.has(exports)) ends.set(exports, exports.memory.buffer.byteLength);
        const result = value(...args);
        return after(name, exports, result) ?? result;
      },
    ]),
  ),
});
WebAssembly.Instance = function (...args) {
  return disturbed(new Instance(...args));
};
WebAssembly.instantiate = async (...args) => {
  const result = await instantiate(...args);
  return result.instance ? { ...result, instance: disturbed(result.instance) } : disturbed(result);
};

const { twice } = await import('../dist/checked.js');
const { ROOM, STATE } = await import('../dist/wasm/layout.js');
const FAULT = /^Error: the signature is not right: this key or this machine should sign no more$/;
const TRIALS = 300;

/** What a call comes to, if after the call number `when` of the module something happens. */
const disturb = async (when, what, call) => {
  let count = 0;
  after = (name, exports, result) => (count++ == when ? what(name, exports, result) : undefined);
  try {
    return { signature: await call() };
  } catch (error) {
    return { error };
  } finally {
    after = () => {};
  }
};

/** How many calls of the module one makes. */
const calls = async (call) => {
  let count = 0;
  after = () => void count++;
  try {
    await call();
    return count;
  } finally {
    after = () => {};
  }
};

const same = (a, b) => Buffer.compare(a, b) == 0;

for (const entry of ['lanner', 'lanner/sync', 'lanner/fast', 'lanner/compat', 'lanner/more', 'lanner/more/fast'])
  test(`${entry}: no flipped bit lets another signature out`, async () => {
    const api = await import(entry);
    const next = words(95);
    const { keyPairFromSeed } = await import('lanner/sync');
    const seed = randomBytes(next, 32);
    const { secretKey, publicKey } = keyPairFromSeed(seed);
    const { verify } = await import('lanner/verify');
    const [message, context] = [randomBytes(next, 100), utf8('context')];
    // With the key, or a signer; `lanner/more` under a context, too.
    const signer = await api.createSigner(secretKey);
    const ways = entry.includes('more')
      ? [['signWithContext', 'signChecked', { context }], ['signPrehashed', 'signPrehashedChecked', { context }]]
      : [['sign', 'signChecked', undefined]];
    for (const [plain, checked, options] of ways) {
      const given = plain == 'signWithContext' ? context : options;
      const right = await api[plain](message, secretKey, given);
      assert.ok(same(await api[checked](message, secretKey, options), right));
      if (checked == 'signChecked') assert.ok(same(await signer.signChecked(message, options), right));
      const seen = { right: 0, fault: 0, strange: 0 };
      const of = checked == 'signChecked' ? [() => api[checked](message, secretKey, options), () => signer.signChecked(message, options)] : [() => api[checked](message, secretKey, options)];
      for (const call of of) {
        const number = await calls(call);
        assert.ok(number >= 14, `${number} calls`);
        for (let i = 0; i < TRIALS; i++) {
          const when = i % number;
          const [bit, place] = [1 << next() % 8, next() % 4 ? ROOM + next() % (STATE - ROOM) : next() % 96];
          const { signature, error } = await disturb(when, (_, exports) => {
            new Uint8Array(exports.memory.buffer)[exports.i() + place] ^= bit;
          }, call);
          if (signature) {
            assert.ok(same(signature, right), `${checked}: bit ${bit} of ${place} after call ${when}`);
            seen.right++;
          } else if (FAULT.test(error)) seen.fault++;
          else {
            // In the first of both, before anything was signed.
            assert.match(String(error), /public half is not its own/);
            seen.strange++;
          }
        }
      }
      // Every way to it was met.
      assert.ok(seen.right > 20 && seen.fault > 20 && seen.strange > 0, JSON.stringify(seen));
    }
    if (entry.includes('more')) return;
    // The control. A signature that is valid and not the right one is what verification alone would let out.
    const right = await api.sign(message, secretKey);
    let [wrong, valid] = [0, 0];
    const number = await calls(() => signer.sign(message));
    for (let i = 0; i < TRIALS; i++) {
      const place = ROOM + next() % (STATE - ROOM);
      const { signature } = await disturb(i % number, (_, exports) => {
        new Uint8Array(exports.memory.buffer)[exports.i() + place] ^= 1 << i % 8;
      }, () => signer.sign(message));
      if (!signature || same(signature, right)) continue;
      wrong++;
      valid += await verify(message, signature, publicKey);
    }
    assert.ok(wrong > 10 && valid > 0, `${wrong} wrong signatures, ${valid} of them valid`);
  });

test('what fails in the second signature alone is a fault, whatever it is; and so is a verdict that is none', async () => {
  const { signChecked, newKeyPair } = await import('lanner');
  const { secretKey } = await newKeyPair();
  const message = utf8('message');
  const call = () => signChecked(message, secretKey);
  const names = [];
  after = (name) => void names.push(name);
  await call();
  after = () => {};
  const second = names.lastIndexOf('c');
  assert.ok(second > names.indexOf('c') && names.at(-1) == 'f', names.join());
  const trapping = () => {
    throw new WebAssembly.RuntimeError('unreachable');
  };
  for (const [when, what] of [[second, () => 0], [second, trapping], [names.length - 1, () => 0], [names.length - 1, trapping]])
    assert.match(String((await disturb(when, what, call)).error), FAULT);
  // A stack that is full is the caller's doing, and the engine's error: it is a fault of nothing, and no signature comes out.
  const endless = () => endless() + 1;
  for (const when of [second, names.length - 1]) {
    const { signature, error } = await disturb(when, endless, call);
    assert.match(String(error), /^RangeError: Maximum call stack size exceeded$/);
    assert.equal(signature, undefined);
  }
  // Whoever has looked at what was made finds nothing.
  const made = new Uint8Array(64).fill(1);
  const steps = twice(
    function* () {
      return made;
    },
    function* () {
      return endless();
    },
  );
  assert.throws(() => steps.next(), /Maximum call stack/);
  assert.ok(made.every((octet) => octet == 0));
  // The first time, it is what it is.
  assert.match(String((await disturb(names.indexOf('c'), () => 0, call)).error), /public half is not its own/);
  assert.match(String((await disturb(names.indexOf('c'), trapping, call)).error), /unreachable/);
});

/** What is left of a signature in the arrays that a call makes: 16 octets in a row of its end, which is the secret part. */
const leftBy = async (call, signature) => {
  watched = [];
  await call();
  const arrays = watched;
  watched = undefined;
  const part = signature.subarray(signature.length >> 1, (signature.length >> 1) + 16);
  const left = arrays.filter((array) => array.length && Buffer.from(array.buffer, array.byteOffset, array.byteLength).includes(part));
  return [left.length, arrays.length];
};

test('a signature that is refused is overwritten wherever it was', async () => {
  const message = utf8('message');
  const { getRandomValues } = crypto;
  const looked = {};
  const look = async (name, scheme, checked, secretKey, options) => {
    const call = () => scheme[checked](message, secretKey, options);
    const signature = await call();
    const names = [];
    after = (name) => void names.push(name);
    await call();
    after = () => {};
    // The verdict: by `f` of Ed25519, by `v` of FN-DSA, which signs without it.
    const verdict = Math.max(names.lastIndexOf('f'), /fn-dsa/.test(name) ? names.lastIndexOf('v') : 0);
    assert.ok(verdict > names.length / 2, names.join());
    const outcome = await leftBy(async () => {
      assert.match(String((await disturb(verdict, () => 0, call)).error), FAULT);
    }, signature);
    assert.equal(outcome[0], 0, `${name}: ${checked}`);
    looked[name] = outcome[1];
    // The search finds one that is given out, and its copy.
    const made = [];
    const [found] = await leftBy(async () => made.push(new Uint8Array(await call())), signature);
    assert.ok(found >= 2, `${name}: ${checked}, ${found} found`);
  };
  // FN-DSA would sign otherwise each time.
  crypto.getRandomValues = (bytes) => bytes.fill(9);
  try {
    const { secretKey } = (await import('lanner/sync')).keyPairFromSeed(new Plain(32).fill(5));
    for (const entry of ['lanner', 'lanner/sync', 'lanner/fast', 'lanner/compat', 'lanner/streaming']) await look(entry, await import(entry), 'signChecked', secretKey);
    for (const entry of ['lanner/more', 'lanner/more/fast'])
      for (const checked of ['signChecked', 'signPrehashedChecked'])
        for (const options of [undefined, { context: utf8('context') }]) await look(entry, await import(entry), checked, secretKey, options);
    for (const entry of ['lanner/fn-dsa', 'lanner/fn-dsa/sync']) {
      const { fndsa512 } = await import(entry);
      const pair = await fndsa512.keyPairFromSeed(new Plain(32).fill(5));
      await look(entry, fndsa512, 'signChecked', pair.secretKey);
    }
  } finally {
    crypto.getRandomValues = getRandomValues;
  }
  assert.ok(Object.keys(looked).length == 9 && Object.values(looked).every((count) => count > 3), JSON.stringify(looked));
});

for (const entry of ['lanner/fn-dsa', 'lanner/fn-dsa/sync'])
  test(`${entry}: no flipped bit lets another signature out`, async () => {
    const { fndsa512, falcon512 } = await import(entry);
    const next = words(96);
    const { getRandomValues } = crypto;
    // The same randomness in every call, so that it is known what is right.
    crypto.getRandomValues = (bytes) => bytes.fill(9);
    try {
      for (const scheme of [fndsa512, falcon512]) {
        const { secretKey } = await scheme.keyPairFromSeed(randomBytes(next, 32));
        const signer = await scheme.createSigner(secretKey);
        for (const message of [randomBytes(next, 100), randomBytes(next, 70_000)]) {
          const right = await scheme.sign(message, secretKey);
          const seen = { right: 0, fault: 0, other: 0 };
          for (const call of [() => scheme.signChecked(message, secretKey), () => signer.signChecked(message)]) {
            assert.ok(same(await call(), right));
            const number = await calls(call);
            for (let i = 0; i < 40; i++) {
              const { signature, error } = await disturb(next() % number, (_, exports) => {
                // What was given to the module, and what it keeps there: behind its own memory.
                const memory = new Uint8Array(exports.memory.buffer);
                const from = ends.get(exports);
                for (let j = 0; j < 64; j++) memory[from + next() % Math.min(24_576, memory.length - from)] ^= 1 << next() % 8;
              }, call);
              if (signature) {
                assert.ok(same(signature, right));
                seen.right++;
              } else if (FAULT.test(error)) seen.fault++;
              else seen.other++;
            }
          }
          assert.ok(seen.fault > 3, JSON.stringify(seen));
        }
        // Other randomness the second time: another signature, as valid as the first.
        const message = utf8('message');
        const flip = (_, exports) => {
          const round = (n) => (n + 15) & ~15;
          const random = ends.get(exports) + round(exports.m()) + round(secretKey.length);
          new Uint8Array(exports.memory.buffer)[random] ^= 1;
        };
        const names = [];
        after = (name) => void names.push(name);
        await scheme.signChecked(message, secretKey);
        after = () => {};
        const second = names.indexOf('k', names.indexOf('k') + 1);
        assert.deepEqual(names.slice(second, second + 2), ['k', 'b'], names.join());
        const { signature } = await disturb(0, flip, () => scheme.sign(message, secretKey));
        const { publicKey } = signer;
        assert.ok(!same(signature, await scheme.sign(message, secretKey)) && (await scheme.verify(message, signature, publicKey)));
        assert.match(String((await disturb(second, flip, () => scheme.signChecked(message, secretKey))).error), FAULT);
      }
    } finally {
      crypto.getRandomValues = getRandomValues;
    }
  });

/** A hybrid key, a message under a context, and the ways to sign it: all that is random is the same each time. */
const hybridOf = async (name) => {
  const scheme = (await import('lanner/hybrid'))[name];
  const { publicKey, secretKey } = await scheme.keyPairFromSeed(new Plain(32).fill(5));
  const [message, options] = [utf8('message'), { context: utf8('context') }];
  const signer = await scheme.createSigner(secretKey);
  const ways = {
    'with the key': (how = 'signChecked') => scheme[how](message, secretKey, options),
    'a signer': (how = 'signChecked') => signer[how](message, options),
  };
  const right = await ways['with the key']('sign');
  assert.equal(await scheme.verify(message, right, publicKey, options), true);
  return { ways, right, valid: (signature) => scheme.verify(message, signature, publicKey, options) };
};

/** Runs what signs, with the same randomness in every call. */
const unrandomly = async (run) => {
  const { getRandomValues } = crypto;
  crypto.getRandomValues = (bytes) => bytes.fill(9);
  try {
    await run();
  } finally {
    crypto.getRandomValues = getRandomValues;
  }
};

test('lanner/hybrid: each half is checked, and the whole', () =>
  unrandomly(async () => {
    const { ways, right } = await hybridOf('hybrid512');
    for (const call of Object.values(ways)) {
      assert.ok(same(await call(), right));
      const names = [];
      after = (name) => void names.push(name);
      await call();
      after = () => {};
      // `f` ends the verification of Ed25519, `v` is that of FN-DSA (with more than one argument): of the half, and of the whole.
      const verdicts = [...names.keys()].filter((i) => names[i] == 'f' || (names[i] == 'v' && names[i + 1] != 'u'));
      assert.ok(verdicts.length >= 4, names.join());
      for (const when of verdicts) assert.match(String((await disturb(when, () => 0, call)).error), FAULT);
    }
  }));

test('lanner/hybrid: no bit that flips in a hash, or on the way to what both halves sign, lets another signature out', () =>
  unrandomly(async () => {
    const { ways, right, valid } = await hybridOf('hybrid512');
    for (const [name, call] of Object.entries(ways)) {
      const names = [];
      after = (name, exports) => void names.push(exports.i ? name : 'fn-dsa');
      await call();
      after = () => {};
      const seen = { right: 0, fault: 0, other: 0 };
      const judge = ({ signature, error }, what) => {
        if (signature) {
          assert.ok(same(signature, right), `${name}: ${what}`);
          seen.right++;
        } else if (FAULT.test(error)) seen.fault++;
        else seen.other++;
      };
      // What a hash has come to, where it is fetched; and what it is at before.
      const hashing = [...names.keys()].filter((i) => ['h', 'u', 'd'].includes(names[i]));
      assert.ok(hashing.filter((i) => names[i] == 'd').length >= 4, names.join());
      for (const when of hashing)
        for (const place of [0, 31, 63, ROOM, ROOM + 8, ROOM + 40])
          judge(await disturb(when, (_, exports) => {
            new Uint8Array(exports.memory.buffer)[exports.i() + place] ^= 4;
          }, call), `${place} after call ${when}, ${names[when]}`);
      // Every array that is joined from others, the representative among them.
      let [count, lengths] = [0, []];
      joined = ({ length }) => void lengths.push(length);
      await call();
      for (const [when, length] of lengths.entries())
        for (const place of [0, length >> 1, length - 1]) {
          count = 0;
          joined = (made) => {
            if (count++ == when) made[place] ^= 1;
          };
          judge(await disturb(-1, undefined, call), `${place} of array ${when}, of ${length}`);
        }
      joined = undefined;
      assert.ok(lengths.filter((length) => length == 26 + 30 + 64 + 1 + 7 + 64).length >= 2, lengths.join());
      assert.ok(seen.right > 5 && seen.fault > 20, JSON.stringify(seen));
      // The control: what `sign` gives out then is not the message's.
      const first = names.indexOf('d');
      const { signature } = await disturb(first, (_, exports) => {
        new Uint8Array(exports.memory.buffer)[exports.i()] ^= 4;
      }, () => call('sign'));
      assert.equal(await valid(signature), false);
    }
  }));
