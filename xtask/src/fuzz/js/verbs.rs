//! The statements of random programs.

use super::program::Verb;

const fn verb(weight: usize, text: &'static str) -> Verb {
    Verb { weight, text }
}

pub const VERBS: &[Verb] = &[
    verb(10, "process.nextTick(() => { @0});"),
    verb(6, "queueMicrotask(() => { @0});"),
    verb(6, "Promise.resolve().then(() => { @0});"),
    verb(3, "Promise.reject(new Error(%)).catch(() => { @0}).finally(() => { @1});"),
    verb(3, "new Promise((resolve) => setImmediate(resolve)).then(() => { @0});"),
    verb(2, "Promise.all([null, timers.setImmediate()]).then(() => { @0}, () => {});"),
    verb(4, "(async () => { @0await null; @1})();"),
    verb(
        3,
        "(async () => { try { await (async () => { @0})(); } catch (e) { log(text(e)); } finally { @1} })();",
    ),
    verb(2, "(async () => { await { then(resolve) { @0resolve(); } }; @1})();"),
    verb(
        3,
        "(async () => { try { for await (const x of iterator(%, #)) { @0} } catch (e) { log(text(e)); } @1})();",
    ),
    verb(
        3,
        "(async () => { try { for await (const x of generator(%, #)) { @0} } catch (e) { log(text(e)); } @1})();",
    ),
    verb(2, "(async () => { for await (const x of generator(%, #)) { log(x); break; } @0})();"),
    verb(
        2,
        "(async () => { for await (const x of timers.setInterval(1)) { log(%); break; } @0})();",
    ),
    verb(10, "$ = setImmediate(() => { @0});"),
    // A timer would corrupt the queue of immediates of node.
    verb(2, "if ($?._idleTimeout === undefined) clearImmediate($);"),
    verb(12, "$ = setTimeout(() => { @0}, #);"),
    verb(
        4,
        "{ let left = 3; $ = setInterval(function () { if (--left < 1) clearInterval(this); @0}, #); }",
    ),
    verb(2, "timers.setTimeout(#).then(() => { @0});"),
    verb(3, "clearTimeout($);"),
    verb(4, "$?.refresh?.();"),
    verb(1, "$?.unref?.();"),
    verb(1, "$?.ref?.();"),
    verb(6, "fs.stat('/', () => { @0});"),
    verb(2, "fs.promises.stat('/').then(() => { @0});"),
    verb(1, "fs.readFile(__filename, () => { @0});"),
    verb(2, "pipe(%, () => { @0});"),
    verb(
        2,
        "{ const e = new EventEmitter(); once(e, 'x').then(() => { @0}); process.nextTick(() => { e.emit('x'); @1}); }",
    ),
    verb(3, "busy(#);"),
    verb(4, "throw new Error(%);"),
    verb(2, "Promise.reject(new Error(%));"),
    verb(
        1,
        "{ const p = Promise.reject(new Error(%)); setImmediate(() => { p.catch(() => { @0}); @1}); }",
    ),
    verb(
        1,
        "{ const p = Promise.reject(new Error(%)); process.nextTick(() => { p.catch(() => { @0}); @1}); }",
    ),
    verb(1, "process.exitCode = #;"),
];

/// Events of the process that programs listen to, and the probability in percent.
pub const EVENTS: &[(&str, usize)] = &[
    ("uncaughtException", 60),
    ("unhandledRejection", 30),
    ("rejectionHandled", 15),
    ("beforeExit", 15),
    ("exit", 15),
];

/// Durations in milliseconds, and other numbers. Timers of the first ones fall into the same list.
pub const NUMBERS: &[usize] = &[0, 1, 1, 1, 2, 3, 20, 40];
