let n = 0;
const i = setInterval((word) => { console.log(word, n); if (++n === 4) clearInterval(i); }, 2, 'turn');
