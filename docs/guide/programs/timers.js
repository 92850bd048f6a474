// The order of timers: by due time, then by start.
setTimeout(() => console.log('20 ms'), 20);
setTimeout(() => console.log('10 ms, started first'), 10);
setTimeout(() => console.log('10 ms, started second'), 10);
setTimeout(() => console.log('0 ms'), 0);
console.log('all timers are started');
