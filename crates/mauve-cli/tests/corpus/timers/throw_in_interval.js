let n = 0;
process.on('uncaughtException', (e) => console.log('caught', e.message));
const i = setInterval(() => { n++; if (n === 3) clearInterval(i); throw new Error(`turn ${n}`); }, 2);
