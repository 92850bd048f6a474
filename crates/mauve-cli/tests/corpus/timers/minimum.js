// Durations below one millisecond are one millisecond.
setTimeout(() => console.log('one'), 1);
setTimeout(() => console.log('zero'), 0);
setTimeout(() => console.log('negative'), -5);
setTimeout(() => console.log('nan'), NaN);
setTimeout(() => console.log('undefined'));
setTimeout(() => console.log('string'), '1');
setTimeout(() => console.log('fraction'), 1.9);
