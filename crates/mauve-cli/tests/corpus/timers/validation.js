for (const f of [setTimeout, setInterval, setImmediate]) {
  for (const bad of [undefined, null, 'code', 5, {}]) {
    try { f(bad, 1); } catch (e) { console.log(f.name, e.name, e.code, e.message); }
  }
}
console.log(setTimeout.length, setImmediate.length, clearTimeout.length);
