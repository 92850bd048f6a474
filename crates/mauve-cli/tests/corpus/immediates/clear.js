const b = setImmediate(() => console.log('never'));
setImmediate(() => { console.log('a'); clearImmediate(c); process.nextTick(() => clearImmediate(d)); });
const c = setImmediate(() => console.log('never c'));
const d = setImmediate(() => console.log('never d'));
setImmediate((x, y) => console.log('e', x, y), 1, 2);
clearImmediate(b); clearImmediate(b); clearImmediate(undefined); clearImmediate({});
