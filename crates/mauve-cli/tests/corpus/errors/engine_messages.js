const tries = [
  () => null.foo, () => undefined.bar.baz, () => { undefined.x = 1; }, () => missing,
  () => { const c = 1; c = 2; }, () => { late; let late; }, () => new Array(-1), () => [].reduce((a, b) => a),
  () => Symbol() + '', () => { ({}).x.y; }, () => decodeURIComponent('%'), () => 'x'.repeat(-1), () => (1).toFixed(101),
  () => 1n + 1, () => BigInt(1.5), () => JSON.parse('{bad'), () => JSON.parse(''), () => { const o = {}; o.o = o; JSON.stringify(o); },
];
for (const t of tries) { try { t(); } catch (e) { console.log(e.name); } }
for (const t of tries.slice(0, 10)) { try { t(); } catch (e) { console.log(e.message); } }
