// What is given in good faith and is no argument: lists that are none, arrays that change while they are listed, sources
// of other kinds, options that nobody gave.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import test from 'node:test';
import { runInNewContext } from 'node:vm';
import { entries, root, utf8 } from './support.mjs';

const api = {};
for (const [entry, source] of Object.entries(entries)) api[source] = await import(`lanner${entry.slice(1)}`);
const { index: lanner, keys, more, sync } = api;
const { publicKey, secretKey } = await lanner.keyPairFromSeed(new Uint8Array(32).fill(7));
const message = utf8('message');
const signature = await lanner.sign(message, secretKey);

/** Every `verifyBatch`, with a key and a way to sign for it. */
const batches = [];
for (const [source, module] of Object.entries(api)) {
  if (module.verifyBatch) batches.push([source, module, { publicKey, sign: (text) => sync.sign(text, secretKey) }]);
  for (const scheme of ['fndsa512', 'falcon512', 'hybrid512']) {
    if (!module[scheme]) continue;
    const signing = scheme == 'hybrid512' ? module[scheme] : api['fn-dsa'][scheme];
    const pair = await signing.keyPairFromSeed(new Uint8Array(32).fill(7));
    batches.push([`${source}: ${scheme}`, module[scheme], { publicKey: pair.publicKey, sign: (text) => signing.sign(text, pair.secretKey) }]);
  }
}

test('a batch is what was in each item when it was given, whatever becomes of its array', async () => {
  assert.ok(batches.length > 15, `${batches.length} functions`);
  for (const [name, { verifyBatch }, key] of batches) {
    const messages = [1, 2, 3].map((i) => new Uint8Array(100).fill(i));
    const signatures = [];
    for (const text of messages) signatures.push(await key.sign(text));
    const row = Buffer.alloc(100);
    const rows = function* (order) {
      for (const [i, given] of order.entries()) {
        row.set(messages[given]);
        yield { message: row, signature: signatures[i], publicKey: key.publicKey };
      }
      row.fill(0);
    };
    assert.deepEqual(await verifyBatch(rows([0, 1, 2])), [true, true, true], name);
    // The last one is a message that was signed, but not by the signatures that came before it.
    assert.deepEqual(await verifyBatch(rows([2, 2, 2])), [false, false, true], name);
  }
});

test('a sum is of what was in each term when it was given, whatever becomes of its arrays', async () => {
  const { multiply, multiplyBase } = api['ristretto-sync'];
  const scalars = Array.from({ length: 200 }, (_, i) => new Uint8Array(32).fill(i + 1, 0, 31));
  const elements = scalars.map((scalar) => multiplyBase(scalar)).reverse();
  const right = api['ristretto-sync'].multiscalar(scalars.map((scalar, i) => ({ scalar, element: elements[i] })));
  for (const { multiscalar } of [api.ristretto, api['ristretto-sync']]) {
    const term = { scalar: Buffer.alloc(32), element: Buffer.alloc(32) };
    const terms = function* () {
      for (const [i, scalar] of scalars.entries()) {
        term.scalar.set(scalar);
        term.element.set(elements[i]);
        yield term;
      }
      term.scalar.fill(0);
      term.element.fill(0);
    };
    assert.deepEqual(await multiscalar(terms()), right);
    const one = function* () {
      term.scalar.set(scalars[0]);
      term.element.set(elements[0]);
      yield term;
      term.scalar.fill(0);
    };
    assert.deepEqual(await multiscalar(one()), multiply(scalars[0], elements[0]));
  }
});

test('what cannot be iterated over is no batch without items', async () => {
  const item = { message, signature, publicKey };
  const asynchronous = async function* () {
    yield item;
  };
  const given = [Promise.resolve([item]), asynchronous(), item, {}, { length: 0 }, 5, '', 'items', null, undefined, () => [item]];
  for (const [name, { verifyBatch }] of batches)
    for (const items of given)
      await assert.rejects(
        async () => verifyBatch(items),
        (error) => {
          assert.match(String(error), /^TypeError: items must be iterable: await or collect them$/, `${name}: ${String(items)}`);
          return true;
        },
        name,
      );
  for (const { multiscalar } of [api.ristretto, api['ristretto-sync']])
    for (const terms of given) await assert.rejects(async () => multiscalar(terms), /^TypeError: terms must be iterable: await or collect them$/);
  for (const [name, { verifyBatch }] of batches) for (const none of [[], new Set()]) assert.deepEqual(await verifyBatch(none), [], name);
});

test('a stream of Node that fails while the module loads fails the call, and not the process', async () => {
  const code = `
    import { createReadStream } from 'node:fs';
    import { EventEmitter } from 'node:events';
    const [entry, scheme, name, kind, ...hex] = process.argv.slice(1);
    const [publicKey, secretKey, signature] = hex.map((text) => Uint8Array.from(Buffer.from(text, 'hex')));
    const { [scheme]: given, ...module } = await import(entry);
    const sources = {
      missing: () => createReadStream('/nonexistent/file'),
      // One that is at its end to whoever reads it after it has failed.
      silent: () => {
        const stream = Object.assign(new EventEmitter(), { async *[Symbol.asyncIterator]() {} });
        setImmediate(() => stream.emit('error', Error('ENOENT of its own')));
        return stream;
      },
    };
    const source = sources[kind]();
    const call = {
      signPrehashed: (api) => api.signPrehashed(source, secretKey),
      signStream: (api) => api.signStream(source, secretKey),
      verifyPrehashed: (api) => api.verifyPrehashed(source, signature, publicKey),
      verifyStream: (api) => api.verifyStream(source, signature, publicKey),
      refused: (api) => api.verifyStream(source, signature, 'no key'),
    }[name];
    console.log(await call(given ?? module).then(() => 'no error', String));
    await new Promise((done) => setTimeout(done, 50));`;
  const { fndsa512 } = api['fn-dsa'];
  const { hybrid512 } = api.hybrid;
  const seed = new Uint8Array(32).fill(7);
  const keys = async (scheme) => {
    const pair = await scheme.keyPairFromSeed(seed);
    return [pair.publicKey, pair.secretKey, await scheme.sign(message, pair.secretKey)].map((bytes) => Buffer.from(bytes).toString('hex'));
  };
  const calls = [
    ['lanner/more', '', ['signPrehashed', 'verifyPrehashed', 'verifyStream', 'refused'], lanner],
    ['lanner/fn-dsa', 'fndsa512', ['signStream', 'verifyStream', 'refused'], fndsa512],
    ['lanner/fn-dsa/verify', 'fndsa512', ['verifyStream'], fndsa512],
    ['lanner/hybrid', 'hybrid512', ['signStream', 'verifyStream', 'refused'], hybrid512],
  ];
  for (const [entry, scheme, names, signing] of calls)
    for (const name of names)
      for (const kind of ['missing', 'silent']) {
        const args = ['--input-type=module', '-e', code, '--', entry, scheme, name, kind, ...(await keys(signing))];
        const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: join(root, 'test'), encoding: 'utf8' });
        assert.match(stdout, name == 'refused' ? /^TypeError: publicKey must be a Uint8Array\n$/ : /^Error: ENOENT/, `${entry}, ${name}, ${kind}: ${stderr}`);
      }
});

/** Streams of a message, and whether each has been let go of: read to its end, or closed. */
const streams = {
  'of a file': () => {
    const stream = createReadStream(join(root, 'package.json'));
    return [stream, () => stream.destroyed];
  },
  'of pieces': (pieces = [message]) => {
    const stream = Readable.from(pieces);
    return [stream, () => stream.destroyed];
  },
  'of the web': (pieces = [message]) => {
    let [left, gone] = [[...pieces], false];
    const stream = new ReadableStream({
      pull(controller) {
        if (left.length) return controller.enqueue(left.shift());
        gone = true;
        controller.close();
      },
      cancel: () => void (gone = true),
    }, { highWaterMark: 0 });
    return [stream, () => gone];
  },
};

test('what a function opens is read or closed, whatever is wrong; with a key that is none it is not called', async () => {
  const { fndsa512 } = api['fn-dsa'];
  const { hybrid512 } = api.hybrid;
  const [pair, both] = [await fndsa512.keyPairFromSeed(new Uint8Array(32)), await hybrid512.keyPairFromSeed(new Uint8Array(32))];
  const [other, short] = [new Uint8Array(897).fill(255), new Uint8Array(31)];
  const halves = [Uint8Array.of(...both.publicKey.subarray(0, 32), ...other), Uint8Array.of(...new Uint8Array(32), ...both.publicKey.subarray(32))];
  const foreign = Uint8Array.of(...secretKey.subarray(0, 32), ...short, 1);
  const wiped = await fndsa512.createSigner(pair.secretKey);
  wiped.wipe();
  const refused = {
    'fn-dsa: signStream': (open) => fndsa512.signStream(open, new Uint8Array(1281)),
    'fn-dsa: signStream, short': (open) => fndsa512.signStream(open, short),
    'fn-dsa: signStream of a signer': (open) => wiped.signStream(open),
    ...Object.fromEntries(['fn-dsa', 'fn-dsa-verify', 'fn-dsa-streaming'].flatMap((source) => [
      [`${source}: verifyStream`, (open) => api[source].fndsa512.verifyStream(open, new Uint8Array(666), other)],
      [`${source}: verifyStream, short`, (open) => api[source].fndsa512.verifyStream(open, new Uint8Array(666), short)],
    ])),
    'hybrid: signStream': (open) => hybrid512.signStream(open, short),
    ...Object.fromEntries([...halves, short].map((key, i) => [`hybrid: verifyStream, ${i}`, (open) => hybrid512.verifyStream(open, new Uint8Array(730), key)])),
    'more: signStream': (open) => more.signStream(open, short),
  };
  /** With a message that is wrong, or a key that is found to be so when the message has been read. */
  const opened = {
    'fn-dsa: signStream': (open) => fndsa512.signStream(open, pair.secretKey),
    'fn-dsa: verifyStream': (open) => fndsa512.verifyStream(open, new Uint8Array(666), pair.publicKey),
    'hybrid: signStream': (open) => hybrid512.signStream(open, both.secretKey),
    'hybrid: verifyStream': (open) => hybrid512.verifyStream(open, new Uint8Array(730), both.publicKey),
    'more: signStream': (open) => more.signStream(open, secretKey),
    'more: signStream, another half': (open) => more.signStream(open, foreign),
  };
  const turn = () => new Promise((done) => setTimeout(done, 5));
  for (const [kind, make] of Object.entries(streams)) {
    const made = [];
    const open = (pieces) => () => {
      const [stream, isGone] = make(pieces);
      made.push(isGone);
      return stream;
    };
    for (const [name, call] of Object.entries(refused)) {
      await assert.rejects(call(open()), /^(RangeError: (public|secret)Key|TypeError: signer)/, `${kind}, ${name}`);
      assert.equal(made.length, 0, `${kind}, ${name}`);
    }
    for (const [name, call] of Object.entries(opened)) {
      // A piece that is none, and more behind it.
      for (const pieces of [undefined, [message, 'text', message]]) {
        const failed = await call(open(pieces)).then(() => false, () => true);
        assert.ok(failed || !pieces || kind == 'of a file', `${kind}, ${name}`);
        await turn();
        assert.ok(made.length > 0 && made.every((isGone) => isGone()), `${kind}, ${name}: ${made.length} opened`);
        made.length = 0;
      }
    }
    // What is given and not read is the caller's, as it was.
    const given = {
      ...refused,
      'more: signPrehashed': (source) => more.signPrehashed(source, short),
      'more: signPrehashedChecked': (source) => more.signPrehashedChecked(source, short),
      'more: verifyPrehashed': (source) => more.verifyPrehashed(source, signature, short),
      'more: verifyStream': (source) => more.verifyStream(source, signature, short),
    };
    delete given['more: signStream'];
    for (const [name, call] of Object.entries(given)) {
      const [stream, isGone] = make();
      await assert.rejects(call(stream), /^(RangeError: (public|secret)Key|TypeError: signer)/, `${kind}, ${name}`);
      await turn();
      assert.ok(!isGone() && !stream.locked, `${kind}, ${name}`);
      let octets = 0;
      for await (const piece of stream) octets += piece.length;
      assert.ok(octets >= message.length, `${kind}, ${name}: ${octets} octets`);
    }
  }
});

test('sources: a Blob is read; of what is none, the error says what is', async () => {
  const blob = new Blob([message]);
  assert.deepEqual(await more.signStream(() => blob, secretKey), signature);
  assert.equal(await more.verifyStream(new File([message], 'name'), signature, publicKey), true);
  const { fndsa512 } = api['fn-dsa'];
  const pair = await fndsa512.keyPairFromSeed(new Uint8Array(32));
  assert.equal(await fndsa512.verifyStream(blob, await fndsa512.signStream(blob, pair.secretKey), pair.publicKey), true);
  const none = [undefined, null, 'text', '', 5, {}, new ArrayBuffer(4), new DataView(new ArrayBuffer(4)), new Response('x'), Promise.resolve(message)];
  for (const source of none)
    for (const call of [
      () => more.signPrehashed(source, secretKey),
      () => more.signStream(() => Promise.resolve(source instanceof Promise ? 5 : source), secretKey),
      () => more.verifyStream(source, signature, publicKey),
      () => fndsa512.signStream(source, pair.secretKey),
      () => fndsa512.verifyStream(source, new Uint8Array(666), pair.publicKey),
    ])
      await assert.rejects(call, /^TypeError: source must be a Uint8Array, a Blob, a stream or another iterable of Uint8Arrays$/);
  await assert.rejects(more.signPrehashed(new Uint16Array(3), secretKey), /^TypeError: piece must be a Uint8Array$/);
});

test('a stream of Node that was read to its end is no empty message', async () => {
  const { fndsa512 } = api['fn-dsa'];
  const { hybrid512 } = api.hybrid;
  const [pair, both] = [await fndsa512.keyPairFromSeed(new Uint8Array(32)), await hybrid512.keyPairFromSeed(new Uint8Array(32))];
  const signer = await more.createSigner(secretKey);
  const calls = {
    signPrehashed: (source) => more.signPrehashed(source, secretKey),
    signPrehashedChecked: (source) => more.signPrehashedChecked(source, secretKey),
    'signPrehashed of a signer': (source) => signer.signPrehashed(source),
    signStream: (source) => more.signStream(() => source, secretKey),
    'the same, with a promise': (source) => more.signStream(async () => source, secretKey),
    verifyPrehashed: (source) => more.verifyPrehashed(source, signature, publicKey),
    verifyStream: (source) => more.verifyStream(source, signature, publicKey),
    'signStream of FN-DSA': (source) => fndsa512.signStream(source, pair.secretKey),
    'verifyStream of FN-DSA': (source) => fndsa512.verifyStream(source, new Uint8Array(666), pair.publicKey),
    'the same, by a function': (source) => fndsa512.verifyStream(() => source, new Uint8Array(666), pair.publicKey),
    'signStream of hybrids': (source) => hybrid512.signStream(source, both.secretKey),
    'verifyStream of hybrids': (source) => hybrid512.verifyStream(source, new Uint8Array(hybrid512.lengths.signature), both.publicKey),
  };
  const kinds = {
    'of pieces': () => Readable.from([message]),
    'of a file': () => createReadStream(join(root, 'package.json')),
    'that stays open': () => new Readable({ autoDestroy: false, read() { this.push(message), this.push(null); } }),
    'that is written to': () => new PassThrough().end(message),
  };
  const readings = {
    'read': async (stream) => {
      for await (const piece of stream) assert.ok(piece.length);
    },
    'listened to': (stream) => new Promise((done) => stream.on('data', () => {}).on('end', done)),
    'left to run': (stream) => new Promise((done) => stream.resume().on('end', done)),
  };
  for (const [kind, make] of Object.entries(kinds))
    for (const [way, read] of Object.entries(readings)) {
      const stream = make().setMaxListeners(99);
      await read(stream);
      for (const [name, call] of Object.entries(calls))
        await assert.rejects(async () => call(stream), /^TypeError: source has been read already$/, `${name}: ${kind}, ${way}`);
    }
  // One that somebody reads between the call and its beginning.
  const stolen = Readable.from([message]);
  const pending = fndsa512.signStream(async () => (stolen.resume(), new Promise((done) => stolen.on('end', () => done(stolen)))), pair.secretKey);
  await assert.rejects(pending, /^TypeError: source has been read already$/);
  // What was looked at and put back is there; so is what is left, and a message of nothing is one.
  const looked = async (put) => {
    const stream = Readable.from([message], { objectMode: false });
    await new Promise((done) => stream.once('readable', done));
    const piece = stream.read(3);
    if (put) stream.unshift(piece);
    return stream;
  };
  const whole = await more.signPrehashed(message, secretKey);
  assert.deepEqual(await more.signPrehashed(await looked(true), secretKey), whole);
  assert.deepEqual(await more.signPrehashed(await looked(false), secretKey), await more.signPrehashed(message.slice(3), secretKey));
  assert.deepEqual(await more.signPrehashed(Readable.from([]), secretKey), await more.signPrehashed(new Uint8Array(), secretKey));
  const empty = Readable.from([]);
  await readings.read(empty);
  assert.deepEqual(await more.signPrehashed(empty, secretKey), await more.signPrehashed(new Uint8Array(), secretKey));
});

test('a stream or an iterator is one call\'s at a time, and its listener goes with the call', async () => {
  const { fndsa512 } = api['fn-dsa'];
  const { hybrid512 } = api.hybrid;
  const [pair, both] = [await fndsa512.keyPairFromSeed(new Uint8Array(32)), await hybrid512.keyPairFromSeed(new Uint8Array(32))];
  const pieces = [message, message, message];
  const whole = Buffer.concat(pieces);
  const calls = {
    signPrehashed: async (source) => assert.deepEqual(await more.signPrehashed(source, secretKey), await more.signPrehashed(whole, secretKey)),
    verifyStream: async (source) => assert.ok(await more.verifyStream(source, sync.sign(whole, secretKey), publicKey)),
    'FN-DSA': async (source) => assert.ok(await fndsa512.verify(whole, await fndsa512.signStream(source, pair.secretKey), pair.publicKey)),
    'FN-DSA, by a function': async (source) => assert.ok(await fndsa512.verify(whole, await fndsa512.signStream(() => source, pair.secretKey), pair.publicKey)),
    hybrid: async (source) => assert.ok(await hybrid512.verify(whole, await hybrid512.signStream(source, both.secretKey), both.publicKey)),
  };
  const kinds = {
    'of Node': () => Readable.from(pieces, { highWaterMark: 1 }),
    'of the web': () => streams['of the web'](pieces)[0],
    'a generator': () => (function* () { yield* pieces; })(),
    'an asynchronous one': () => (async function* () { yield* pieces; })(),
  };
  // What Node itself leaves at a stream that was read.
  const read = kinds['of Node']();
  for await (const piece of read) assert.equal(piece, message);
  for (const [kind, make] of Object.entries(kinds))
    for (const [first, one] of Object.entries(calls))
      for (const [second, other] of Object.entries(calls)) {
        const source = make();
        const outcomes = await Promise.allSettled([one(source), other(source)]);
        // By a function it is opened later than what is there.
        const [right, wrong] = first.includes('function') && !second.includes('function') ? outcomes.reverse() : outcomes;
        const name = `${kind}, ${first}, ${second}`;
        assert.equal(right.status, 'fulfilled', `${name}: ${right.reason}`);
        assert.match(String(wrong.reason), /^TypeError: source is being read already$/, name);
        if (kind == 'of Node') assert.equal(source.listenerCount('error'), read.listenerCount('error'), name);
      }
  // What gives its members to everybody may be read by everybody.
  for (const source of [pieces, new Set([whole])]) await Promise.all([calls.signPrehashed(source), calls.verifyStream(source), calls['FN-DSA'](source)]);
  // What is refused is the caller's, and so are its failures.
  const refused = new PassThrough();
  for (let i = 0; i < 12; i++) {
    await assert.rejects(more.signPrehashed(refused, new Uint8Array(31)), RangeError);
    await assert.rejects(fndsa512.verifyStream(refused, new Uint8Array(666), new Uint8Array(897)), RangeError);
  }
  assert.equal(refused.listenerCount('error'), 0);
  refused.end(whole);
  await calls.signPrehashed(refused);
});

test('options that every object has inherited are none; those of a class are', async () => {
  // The neutral element as a key, under which anybody can sign: by the profile `zip215` that is valid.
  const [weak, forged] = [Uint8Array.of(1, ...new Uint8Array(31)), Uint8Array.of(1, ...new Uint8Array(63))];
  const verdicts = async (options) => {
    const all = [];
    for (const [, { verify, verifyBatch }] of batches.filter(([source]) => !source.includes(':'))) {
      all.push(await verify(message, forged, weak, options));
      all.push(...(await verifyBatch([{ message, signature: forged, publicKey: weak }], options)));
    }
    assert.equal(new Set(all).size, 1);
    return all[0];
  };
  class Options {
    get profile() {
      return 'zip215';
    }
  }
  class More extends Options {}
  assert.equal(await verdicts({ profile: 'zip215' }), true);
  const names = { profile: 'zip215', context: utf8('context'), prehash: 'sha256', extractable: true, unknown: 1 };
  const { fndsa512 } = api['fn-dsa'];
  const pair = await fndsa512.keyPairFromSeed(new Uint8Array(32));
  Object.assign(Object.prototype, names);
  let plain;
  try {
    for (const options of [undefined, {}, { profile: undefined }, Object.create({})]) assert.equal(await verdicts(options), false);
    for (const options of [{ profile: 'zip215' }, new Options(), new More(), Object.create({ profile: 'zip215' }), Object.assign(Object.create(null), { profile: 'zip215' })])
      assert.equal(await verdicts(options), true);
    await assert.rejects(lanner.verify(message, forged, weak, { profil: 'zip215' }), /^TypeError: no option profil$/);
    await assert.rejects(lanner.verify(message, forged, weak, Object.create({ profil: 'zip215' })), /^TypeError: no option profil$/);
    assert.equal((await keys.privateToCryptoKey(new Uint8Array(32))).extractable, false);
    plain = [await fndsa512.sign(message, pair.secretKey), await more.signPrehashed(message, secretKey), await more.signChecked(message, secretKey)];
  } finally {
    for (const name of Object.keys(names)) delete Object.prototype[name];
  }
  assert.equal(await fndsa512.verify(message, plain[0], pair.publicKey), true);
  assert.deepEqual(plain[1], await more.signPrehashed(message, secretKey));
  assert.deepEqual(plain[2], signature);
});

test('options are read before the arrays that they might change, and of a batch once, without items too', async () => {
  for (const [name, { verifyBatch }] of batches) {
    await assert.rejects(async () => verifyBatch([], { profil: 'dalek' }), /^TypeError: no option profil$/, name);
    if (!name.includes(':')) await assert.rejects(async () => verifyBatch([], { profile: 'loose' }), /^RangeError: no profile loose$/, name);
  }
  for (const source of ['index', 'sync', 'native', 'native-sync']) {
    const given = message.slice();
    const options = { get profile() { structuredClone(given.buffer, { transfer: [given.buffer] }); } };
    await assert.rejects(async () => api[source].verify(given, sync.sign(new Uint8Array(), secretKey), publicKey, options), TypeError, source);
  }
});

test('memory that a view has lost is no empty message', async () => {
  const lost = new Uint8Array(32);
  structuredClone(lost.buffer, { transfer: [lost.buffer] });
  const given = [lost];
  const buffer = typeof ArrayBuffer.prototype.resize == 'function' && new ArrayBuffer(10, { maxByteLength: 100 });
  if (buffer) {
    given.push(new Uint8Array(buffer, 5, 5));
    buffer.resize(3);
  }
  for (const text of given) {
    assert.equal(text.length, 0);
    for (const { sign, verify } of [lanner, sync]) {
      await assert.rejects(async () => sign(text, secretKey), TypeError);
      await assert.rejects(async () => verify(text, signature, publicKey), TypeError);
    }
    assert.throws(() => api.tweetnacl.sign.detached(text, secretKey), TypeError);
    assert.throws(() => api['fn-dsa-sync'].fndsa512.verify(text, signature, new Uint8Array(897)), TypeError);
  }
  // What is empty by itself is a message.
  assert.deepEqual(sync.sign(new Uint8Array(), secretKey), await lanner.sign(new Uint8Array(), secretKey));
});

test('what has only the name of a Uint8Array is no empty message', async () => {
  const refused = { name: 'TypeError', message: 'message must be a Uint8Array' };
  for (const text of [{ [Symbol.toStringTag]: 'Uint8Array' }, { [Symbol.toStringTag]: 'Uint8Array', length: 3 }, Object.create(Uint8Array.prototype)]) {
    assert.throws(() => sync.sign(text, secretKey), refused);
    await assert.rejects(async () => lanner.sign(text, secretKey), refused);
    assert.throws(() => api.tweetnacl.sign(text, secretKey), /unexpected type, use Uint8Array/);
  }
  // Of another realm, it is one.
  const theirs = runInNewContext('Uint8Array.of(1, 2)');
  assert.deepEqual(sync.sign(theirs, secretKey), sync.sign(Uint8Array.of(1, 2), secretKey));
});

test('what a class has put in the place of an array\'s own members changes no message', async () => {
  const octets = Uint8Array.from({ length: 100 }, (_, i) => i);
  /** The same octets in an array of a class, behind as many others. */
  const of = (Class) => new Class(Uint8Array.of(...octets, ...octets).buffer, 100, 100);
  const classes = {
    length: class extends Uint8Array { get length() { return 10; } },
    offset: class extends Uint8Array { get byteOffset() { return 0; } },
    buffer: class extends Uint8Array { get buffer() { return new ArrayBuffer(200); } },
    methods: class extends Uint8Array {
      static get [Symbol.species]() { return Array; }
      slice() { return octets.slice(1); }
      subarray() { return octets.slice(1); }
      set() { throw Error('set'); }
      fill() { throw Error('fill'); }
      *[Symbol.iterator]() {}
    },
  };
  const right = sync.sign(octets, secretKey);
  const verifier = async (text) => {
    const begun = await more.createVerifier(right, publicKey);
    begun.update(text);
    return begun.verify();
  };
  for (const [name, Class] of Object.entries(classes)) {
    const text = of(Class);
    for (const { sign, signChecked, verify } of [lanner, sync, api.fast]) {
      assert.deepEqual(await sign(text, secretKey), right, name);
      assert.deepEqual(await signChecked(text, secretKey), right, name);
      assert.equal(await verify(text, right, publicKey), true, name);
    }
    assert.deepEqual(api.tweetnacl.sign(text, secretKey), Uint8Array.of(...right, ...octets), name);
    for (const { verify } of [api.native, api['native-sync']]) assert.equal(await verify(text, right, publicKey), true, name);
    assert.equal(await verifier(text), true, name);
    assert.equal(keys.toHex(text), keys.toHex(octets), name);
    assert.equal(keys.toBase64(text), keys.toBase64(octets), name);
  }
});

test('what is missing in a JWK is named', async () => {
  const jwk = keys.publicToJwk(publicKey);
  await assert.rejects(keys.privateFromJwk(jwk), /^TypeError: jwk\.d must be a string$/);
  assert.throws(() => keys.publicFromJwk({ ...jwk, x: undefined }), /^TypeError: jwk\.x must be a string$/);
  assert.throws(() => keys.publicFromJwk({ ...jwk, x: '*' }), /^RangeError: jwk\.x is not base64url$/);
  assert.throws(() => keys.publicFromJwk({ ...jwk, x: 'AB' }), /^RangeError: jwk\.x is not canonical base64url$/);
  assert.throws(() => keys.fromBase64Url(5), /^TypeError: text must be a string$/);
  // An array of one name is no name, though it is the same as a text.
  const { d } = await keys.privateToJwk(secretKey.subarray(0, 32));
  for (const [member, message] of [['kty', 'jwk.kty must be OKP'], ['crv', 'curve must be Ed25519 or X25519']])
    for (const value of [[jwk[member]], [[jwk[member]]], Object(jwk[member]), { toString: () => jwk[member] }, { toString: () => { throw Error('asked') } }, Symbol(jwk[member]), null, 1]) {
      const wrong = { ...jwk, d, [member]: value };
      assert.throws(() => keys.publicFromJwk(wrong), { name: 'RangeError', message });
      await assert.rejects(keys.privateFromJwk(wrong), { name: 'RangeError', message });
      if (member == 'kty') continue;
      for (const write of [keys.toSpki, keys.toPkcs8, keys.publicToJwk]) assert.throws(() => write(publicKey, value), { name: 'RangeError', message });
      await assert.rejects(keys.privateToJwk(publicKey, value), { name: 'RangeError', message });
    }
});

test('no entry needs TextEncoder, which some environments of tests lack', () => {
  const code = `
    delete globalThis.TextEncoder;
    delete globalThis.TextDecoder;
    for (const entry of process.argv.slice(1)) await import(entry);
    const { keyPairFromSeed } = await import('lanner');
    const more = await import('lanner/more');
    const native = await import('lanner/native');
    const { hybrid512 } = await import('lanner/hybrid');
    const { sign } = await import('lanner/streaming');
    const { publicKey, secretKey } = await keyPairFromSeed(new Uint8Array(32));
    const [message, context] = [new Uint8Array(10), new Uint8Array(3)];
    const signed = await more.signPrehashed(message, secretKey, { context });
    const pair = await hybrid512.newKeyPair();
    console.log(
      await more.verifyPrehashed(message, signed, publicKey, { context }),
      await native.verify(message, await sign(message, secretKey), publicKey),
      await hybrid512.verify(message, await hybrid512.sign(message, pair.secretKey), pair.publicKey),
    );`;
  const names = Object.keys(entries).map((entry) => `lanner${entry.slice(1)}`);
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code, '--', ...names], { cwd: join(root, 'test'), encoding: 'utf8' });
  assert.equal(stdout, 'true true true\n', stderr);
});
