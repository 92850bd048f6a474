// Immediates that add immediates do not starve timers.
let on = true; let n = 0;
(function again() { n++; if (on) setImmediate(again); })();
setTimeout(() => { on = false; console.log('timer got through', n > 1); }, 60);
