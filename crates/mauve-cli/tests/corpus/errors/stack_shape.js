function inner() { return new Error('here'); }
function outer() { return inner(); }
const lines = outer().stack.split('\n');
console.log(lines[0]);
console.log(/^    at inner \(.*stack_shape\.js:1:\d+\)$/.test(lines[1]), /^    at outer \(.*stack_shape\.js:2:\d+\)$/.test(lines[2]));
class Mine extends TypeError { constructor(m) { super(m); this.name = 'Mine'; } }
console.log(new Mine('x').stack.split('\n')[0], String(new Mine('y')));
const o = {}; Error.captureStackTrace(o); console.log(typeof o.stack);
const limit = Error.stackTraceLimit; Error.stackTraceLimit = 1; console.log(new Error('z').stack.split('\n').length, limit);
