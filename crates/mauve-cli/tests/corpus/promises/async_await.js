async function a() { console.log('a1'); await b(); console.log('a2'); }
async function b() { console.log('b1'); await null; console.log('b2'); }
setTimeout(() => console.log('timeout'), 0);
a().then(() => console.log('a done'));
new Promise((r) => { console.log('executor'); r(); }).then(() => console.log('then1')).then(() => console.log('then2'));
console.log('main end');
