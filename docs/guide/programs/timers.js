// The order of timers: by due time, then by start. Node reads the clock for each timer, so a pause between
// two lines would change the order of a long timer that is started before a short one.
setTimeout(() => console.log('0 ms'), 0);
setTimeout(() => console.log('10 ms, started first'), 10);
setTimeout(() => console.log('10 ms, started second'), 10);
setTimeout(() => console.log('20 ms'), 20);
console.log('all timers are started');
