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
    verb(12, "$ = setTimeout(() => { @0}, ms(#));"),
    verb(
        4,
        "{ let left = 3; $ = setInterval(function () { if (--left < 1) clearInterval(this); @0}, ms(#)); }",
    ),
    verb(2, "timers.setTimeout(ms(#)).then(() => { @0});"),
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
    verb(3, "busy(ms(#));"),
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
    verb(1, "process.exit(#);"),
    verb(1, "process.emitWarning(%);"),
    // Promises that take other numbers of microtasks.
    verb(2, "(async () => { await (async () => Promise.resolve())(); @0})();"),
    verb(2, "new Promise((resolve) => resolve(Promise.resolve())).then(() => { @0});"),
    verb(
        1,
        "Promise.race([new Promise(() => {}), Later.resolve(%)]).then((x) => { log(x); @0}, () => {});",
    ),
    verb(
        1,
        "Promise.allSettled([Promise.reject(%), { then() { throw new Error(%); } }, 1]).then(() => { @0});",
    ),
    verb(
        1,
        "Promise.any([Promise.reject(%), Promise.resolve().then(() => { @0})]).then(() => { @1});",
    ),
    verb(1, "Later.resolve().then(() => { @0}).finally(() => { @1});"),
    verb(
        2,
        "{ const g = generator(%, 3); g.next().then(() => { @0}); g.return().then(() => { @1}); g.next(); }",
    ),
    verb(
        1,
        "(async () => { try { for await (const x of delegate(%)) { @0} } catch (e) { log(text(e)); } @1})();",
    ),
    // Contexts, cancellation and events.
    verb(4, "storage.run(%, () => { @0});"),
    verb(
        1,
        "{ const bound = AsyncResource.bind(() => { @0}); storage.run(%, () => setImmediate(bound)); }",
    ),
    verb(
        2,
        "{ const c = new AbortController(); c.signal.addEventListener('abort', () => { @0}); \
         timers.setTimeout(ms(20), 0, c).catch((e) => { log(e.code); @1}); process.nextTick(() => c.abort()); }",
    ),
    verb(
        1,
        "timers.setImmediate(0, { signal: AbortSignal.abort() }).catch((e) => { log(e.code); @0});",
    ),
    verb(
        1,
        "{ const e = new EventEmitter({ captureRejections: true }); e.on('x', async () => { @0throw new Error(%); }); \
         e.on('error', (x) => { log(text(x)); @1}); e.emit('x'); }",
    ),
    verb(
        1,
        "{ const t = new EventTarget(); t.addEventListener('x', () => { @0}); t.dispatchEvent(new Event('x')); @1}",
    ),
    verb(
        1,
        "(async () => { const e = new EventEmitter(); setImmediate(() => { e.emit('x', %); e.emit('x', %); }); \
         for await (const [x] of on(e, 'x')) { log(x); break; } @0})();",
    ),
    // Streams.
    verb(2, "source(%, 2).on('end', () => { @0}).on('close', () => { @1});"),
    verb(2, "sink(%, true).end('data', () => { @0}).on('close', () => { @1});"),
    verb(
        1,
        "{ const w = sink(%, false); w.cork(); w.write('a', () => { @0}); w.end('b'); w.uncork(); @1}",
    ),
    verb(2, "pipeline(source(%, 3), middle(%), sink(%, #), () => { @0});"),
    verb(
        1,
        "pipeline(Readable.from([%, %]), new PassThrough(), sink(%, #), (e) => { log(text(e)); @0});",
    ),
    verb(
        1,
        "source(%, 2).pipe(middle(%)).on('finish', () => { @0}).on('end', () => { @1}).resume();",
    ),
    verb(
        2,
        "(async () => { try { for await (const x of source(%, 3)) { @0} } catch (e) { log(text(e)); } @1})();",
    ),
    verb(1, "finished(source(%, 1).resume(), () => { @0});"),
    verb(
        2,
        "source(%, 2).on('error', (e) => { log(text(e)); @0}).on('close', () => { @1}).destroy(new Error(%));",
    ),
    verb(
        1,
        "{ const r = source(%, 2); r.once('readable', () => { r.read(); @0}).on('close', () => { @1}); r.on('end', () => log(%)); }",
    ),
    // Files, sockets and children.
    verb(
        1,
        "fs.createReadStream(__filename, { end: 9 }).on('data', () => { @0}).on('close', () => { @1});",
    ),
    verb(1, "fs.promises.open(__filename).then(async (f) => { @0await f.close(); @1});"),
    verb(1, "http(%, () => { @0}, () => { @1});"),
    verb(1, "spawn('true').on('exit', () => { @0}).on('close', () => { @1});"),
    verb(
        1,
        "spawn('/nonexistent').on('error', (e) => { log(e.code); @0}).on('close', () => { @1});",
    ),
];

/// Events of the process that programs listen to, and the probability in percent.
pub const EVENTS: &[(&str, usize)] = &[
    ("uncaughtException", 60),
    ("unhandledRejection", 30),
    ("rejectionHandled", 15),
    ("beforeExit", 15),
    ("warning", 15),
    ("exit", 15),
];

/// Durations in milliseconds, and other numbers. Timers of the first ones fall into the same list.
pub const NUMBERS: &[usize] = &[0, 1, 1, 1, 2, 3, 20, 40];
