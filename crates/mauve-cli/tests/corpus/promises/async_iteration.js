async function* gen() { for (let i = 0; i < 3; i++) { console.log('yield', i); yield i; } }
(async () => { for await (const x of gen()) { console.log('got', x); } console.log('done'); })();
(async () => { for await (const x of [Promise.resolve('a'), 'b']) console.log(x); })();
Promise.resolve().then(() => console.log(1)).then(() => console.log(2)).then(() => console.log(3)).then(() => console.log(4)).then(() => console.log(5));
