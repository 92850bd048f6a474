const a = setTimeout(() => { console.log('a'); clearTimeout(b); clearTimeout(a); }, 1);
const b = setTimeout(() => console.log('b'), 1);
setTimeout(() => console.log('c'), 1);
