(async () => {
  console.log(await { then(r) { process.nextTick(() => r('from tick')); } });
  console.log(await { then(r) { setImmediate(() => r('from immediate')); } });
  try { await { then(_, j) { j(new Error('rejected')); } }; } catch (e) { console.log(e.message); }
})();
