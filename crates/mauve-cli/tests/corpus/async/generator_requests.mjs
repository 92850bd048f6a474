// Requests to an async generator that has completed, one after the other and at once.
async function* numbers() { yield 1; }
const one = numbers();
console.log(await one.next(), await one.return(5), await one.next());
const started = numbers();
console.log(await started.return(1), await started.next());
const many = numbers();
console.log(await Promise.all([many.next(), many.next(), many.return(3), many.next(), many.throw(new Error('x')).catch((e) => e.message), many.next()]));
const rejected = numbers();
await rejected.return(Promise.reject(new Error('late'))).catch((e) => console.log(e.message));
console.log(await rejected.next());
const order = [];
const ordered = numbers();
const log = (name) => () => order.push(name);
await Promise.all([ordered.return(1).then(log('return')), ordered.next().then(log('next')), ordered.return(2).then(log('again')), Promise.resolve().then(log('tick'))]);
console.log(order);
