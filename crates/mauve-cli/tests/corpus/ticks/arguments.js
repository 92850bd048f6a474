process.nextTick((a, b, ...rest) => console.log(a, b, rest), 1, { x: 2 }, 3, 4);
process.nextTick(function () { console.log(this === undefined, arguments.length); });
for (const bad of [undefined, null, 5, 'x', {}]) {
  try { process.nextTick(bad); } catch (e) { console.log(e.code, e.message); }
}
