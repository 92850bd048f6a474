const t = setTimeout(() => console.log('never'), 1);
clearTimeout(t);
console.log(t.refresh() === t);
