// tape: a run with plans, comparisons, failures and nested tests.
const tape = require('tape');
tape.createStream().on('data', (line) => process.stdout.write(line.replace(/^ +at: .*\n/gm, '').replace(/^ +stack: \|-\n( {6,}.*\n)+/gm, '')));
tape('plans', (t) => { t.plan(2); t.equal(1, 1, 'one'); setTimeout(() => t.ok(true, 'later'), 5); });
tape('compares', (t) => { t.deepEqual({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }); t.notEqual(1, 2); t.throws(() => { throw new RangeError('far'); }, /far/); t.match('abc', /b/); t.end(); });
tape('fails', (t) => { t.equal(1, 2, 'not equal'); t.end(); });
tape('awaits', async (t) => { await null; t.pass('awaited'); });
tape('nests', (t) => { t.test('inner', (s) => { s.comment('inside'); s.end(); }); t.end(); });
tape.skip('skipped', (t) => t.fail());
tape.onFailure(() => console.log('failed'));
