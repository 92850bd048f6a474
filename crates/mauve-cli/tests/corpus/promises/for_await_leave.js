// A `for await` loop that is left calls the iterator's return() and awaits its result. A body that throws is not
// compared: the engine does not await the result then.
const log = console.log;

function iterator(name, onReturn) {
  let n = 0;
  const it = {
    [Symbol.asyncIterator]() { log(name, 'iterator'); return this; },
    next: async () => ({ done: n > 3, value: n++ }),
  };
  if (onReturn) it.return = onReturn;
  return it;
}

async function run(name, onReturn, leave) {
  try {
    outer: for await (const x of iterator(name, onReturn)) {
      log(name, x);
      for await (const y of [1, Promise.resolve(2)]) {
        if (leave === 'continue') continue outer;
        if (leave === 'break') break outer;
        if (leave === 'return') return 'returned';
        log(x, y);
      }
    }
  } catch (error) {
    log(name, 'caught', error.message);
  }
  return 'end';
}

async function* generator() {
  try { yield 1; yield 2; } finally { await null; log('finally'); await null; log('finally done'); }
}

(async () => {
  const slow = async () => { log('return'); await null; await null; log('return done'); return {}; };
  for (const leave of ['end', 'break', 'return', 'continue']) log(await run(leave, slow, leave));
  log(await run('no return', undefined, 'break'));
  log(await run('return throws', () => { throw new Error('in return'); }, 'break'));
  log(await run('return rejects', async () => { throw new Error('in return'); }, 'break'));
  try {
    for await (const x of generator()) { log('block', x); break; }
  } catch (error) { log(error.message); }
  for (const bad of [null, 1, {}, { [Symbol.asyncIterator]: () => 1 }, { [Symbol.asyncIterator]: () => ({}) }]) {
    try { for await (const x of bad) { log(x); } } catch (error) { log(error.constructor.name); }
  }
})();
let jobs = 0;
(function count() { if (jobs++ < 100) Promise.resolve().then(() => { log(jobs); count(); }); })();

// Synchronous iterators are adapted.
function* numbers() { try { yield 1; yield Promise.resolve(2); } finally { log('closed'); } }
(async () => {
  for (const leave of ['break', 'end', 'next']) {
    const it = numbers();
    if (leave === 'next') it.next = () => { throw new Error('in next'); };
    try {
      for await (const x of it) {
        log(leave, x);
        if (leave === 'break') break;
      }
    } catch (error) { log(error.message); }
    log('after', leave);
  }
})();
