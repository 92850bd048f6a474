const late = setTimeout(() => console.log('late'), 3);
setTimeout(() => { console.log('first'); const t = Date.now(); while (Date.now() - t < 10); clearTimeout(late); }, 1);
setTimeout(() => console.log('end'), 20);
