let depth = 0;
function dive() { depth++; dive(); }
try { dive(); } catch (e) { console.log(e instanceof RangeError, e.message, depth > 1000); }
const deep = () => JSON.stringify(((n) => { let o = {}; for (let i = 0; i < n; i++) o = { o }; return o; })(100));
console.log(deep().length);
