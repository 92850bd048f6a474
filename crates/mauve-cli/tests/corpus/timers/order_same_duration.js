for (let i = 0; i < 5; i++) setTimeout(console.log, 2, i);
