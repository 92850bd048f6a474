let depth = 0;
setTimeout(function again() { console.log(depth); if (++depth < 5) setTimeout(again, 0); }, 0);
