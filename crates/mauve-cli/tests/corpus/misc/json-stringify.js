// JSON.stringify: conversions, replacers, indentation, errors and their stacks.
const show = (work) => {
  try {
    console.log(work());
  } catch (error) {
    console.log(error.name, error.message.split('\n')[0]);
  }
};

show(() => JSON.stringify({ a: [1, -0, 1e21, 1e-7, NaN, 0.1], b: undefined, c: () => 1, d: Symbol('s'), e: null }));
show(() => JSON.stringify([undefined, () => 1, Symbol('s'), new Date(0), Object('x'), Object(2), Object(false)]));
show(() => JSON.stringify('\ud800 \udc00 😀 " \\ \u0000 \u001f \u007f \u2028'));
show(() => JSON.stringify({ 2: 1, b: 2, 1: 3, a: 4 }));
show(() => JSON.stringify({ a: [], b: {}, c: [{}], d: { e: [1] } }, null, 2));
show(() => JSON.stringify([1, [2]], null, 'a long indentation'));
show(() => JSON.stringify({ a: 1, b: { a: 2, c: 3 } }, ['a', 'b']));
show(() => JSON.stringify({ a: 1, b: [1, 'x'] }, (key, value) => (typeof value === 'number' ? value + 1 : value)));
show(() => JSON.stringify({ toJSON: (key) => `key ${key}` }));
show(() => JSON.stringify({ a: { toJSON(key) { return [key, this === undefined]; } } }));
show(() => JSON.stringify(new Proxy([1, 2], {})));
show(() => JSON.stringify(1n));
show(() => JSON.stringify(undefined));
show(() => {
  const loop = { a: {} };
  loop.a.b = loop;
  return JSON.stringify(loop);
});
show(() => {
  BigInt.prototype.toJSON = function () { return `${typeof this} ${this}`; };
  return JSON.stringify([1n, Object(2n)]);
});
show(() => {
  let deep = [];
  for (let i = 0; i < 1000; i++) deep = [deep];
  return JSON.stringify(deep).length;
});
show(() => {
  let deep = [];
  for (let i = 0; i < 100000; i++) deep = [deep];
  return JSON.stringify(deep).length;
});
