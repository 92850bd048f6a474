const { setTimeout: sleep, setImmediate: turn, setInterval: every } = require('timers/promises');
(async () => {
  console.log(await sleep(1, 'slept'));
  console.log(await turn('turned'));
  let n = 0;
  for await (const v of every(1, 'tick')) { console.log(v); if (++n === 3) break; }
  const c = new AbortController();
  setTimeout(() => c.abort(), 2);
  try { await sleep(1000, null, { signal: c.signal }); } catch (e) { console.log(e.name, e.code, e.message); }
  try { await sleep(1, null, { signal: AbortSignal.abort() }); } catch (e) { console.log(e.name); }
})();
