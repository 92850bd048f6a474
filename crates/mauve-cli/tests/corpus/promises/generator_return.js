async function* gen() { try { yield 1; yield 2; } finally { console.log('cleanup'); } }
(async () => {
  for await (const x of gen()) { console.log(x); break; }
  const g = gen();
  console.log(await Promise.all([g.next(), g.next(), g.return('r'), g.next()]));
})();
