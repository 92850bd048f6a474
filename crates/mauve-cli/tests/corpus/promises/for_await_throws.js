// A `for await` whose body throws awaits the result of return(), and ignores its errors.
const gen = (log, ret) => ({ [Symbol.asyncIterator]() { let n = 0; return { next: async () => ({ value: n++, done: n > 5 }), return: ret ?? (async () => { log.push('return'); await null; await null; log.push('returned'); return {}; }) }; } });
process.on('unhandledRejection', (e) => console.log('UNHANDLED', e.message));
(async () => {
  let log = [];
  try { for await (const x of gen(log)) { log.push(x); if (x === 2) throw new Error('body'); } } catch (e) { log.push(e.message); } console.log(log.join());
  log = []; for await (const x of gen(log)) { log.push(x); if (x === 1) break; } console.log(log.join());
  log = []; for await (const x of gen(log)) { if (x === 1) continue; log.push(x); } console.log(log.join());
  log = []; console.log(await (async () => { for await (const x of gen(log)) { if (x === 1) return 'ret'; } })(), log.join());
  log = []; try { for await (const _x of gen(log, () => Promise.reject(new Error('from return')))) { throw new Error('body wins'); } } catch (e) { log.push(e.message); } console.log(log.join());
  log = []; try { for await (const _x of gen(log, () => { throw new Error('sync from return'); })) { throw new Error('body wins'); } } catch (e) { log.push(e.message); } console.log(log.join());
  log = []; try { for await (const _x of gen(log, () => 5)) { throw new Error('body wins'); } } catch (e) { log.push(e.message); } console.log(log.join());
  log = []; try { for await (const _x of gen(log, null)) { throw new Error('no return'); } } catch (e) { log.push(e.message); } console.log(log.join());
  log = []; outer: for await (const x of gen(log)) { for await (const y of gen(log)) { if (y === 1) continue outer; if (x === 2) break outer; log.push([x, y].join('')); } } console.log(log.join());
  log = []; try { for await (const _x of gen(log)) { try { throw new Error('inner'); } finally { log.push('finally'); } } } catch (e) { log.push(e.message); } console.log(log.join());
  log = []; async function* ag() { for await (const x of gen(log)) { try { yield x; } finally { log.push('f'); } } } const it = ag(); await it.next(); console.log(JSON.stringify(await it.return('r')), log.join());
  log = []; const it2 = ag(); await it2.next(); try { await it2.throw(new Error('thrown in')); } catch (e) { log.push(e.message); } console.log(log.join());
  log = []; const fs = []; for await (const x of gen(log)) { fs.push(() => x); } console.log(fs.map((f) => f()).join());
  log = []; try { for await (const _x of gen(log)) { await Promise.reject(new Error('awaited')); } } catch (e) { log.push(e.message); } console.log(log.join());
  log = []; function* g() { try { yield 1; yield 2; } finally { log.push('sync closed'); } } try { for await (const _x of g()) { throw new Error('s'); } } catch (e) { log.push(e.message); } console.log(log.join());
  log = []; for await (const x of [Promise.resolve(1), 2]) { if (x === 1) continue; log.push(x); } console.log(log.join());
})();
