// Calls with more than 65,535 arguments.
console.log(Math.max(...Array(100000).fill(3)), [].concat(...Array(70000).fill([1])).length);
const list = [];
console.log(list.push(...Array(110000).fill(0)), Reflect.apply(Math.min, null, Array(100000).fill(2)));
console.log(String.fromCharCode.apply(null, Array(100000).fill(65)).length);
