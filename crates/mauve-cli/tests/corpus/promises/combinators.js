const wait = (ms, v) => new Promise((r) => setTimeout(r, ms, v));
const fail = (ms, v) => new Promise((_, j) => setTimeout(j, ms, new Error(v)));
(async () => {
  console.log(await Promise.all([wait(3, 'a'), 'b', wait(1, 'c')]));
  console.log(await Promise.race([wait(20, 'slow'), wait(1, 'fast')]));
  console.log((await Promise.allSettled([wait(1, 'ok'), fail(1, 'no')])).map((r) => r.status));
  console.log(await Promise.any([fail(1, 'x'), wait(5, 'y')]));
  try { await Promise.any([fail(1, 'p'), fail(2, 'q')]); } catch (e) { console.log(e.constructor.name, e.errors.map((x) => x.message)); }
  try { await Promise.all([fail(2, 'first'), fail(4, 'second')]); } catch (e) { console.log(e.message); }
})();
