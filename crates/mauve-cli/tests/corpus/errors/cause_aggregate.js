const e = new Error('outer', { cause: new TypeError('inner') });
console.log(e.cause.message, e.cause instanceof TypeError);
const a = new AggregateError([new Error('1'), new Error('2')], 'both');
console.log(a.message, a.errors.length);
