// What keeps a script alive: a timer does, unless it is unreferenced.
const timer = setTimeout(() => console.log('never printed'), 100000);
console.log(`the timer ${timer.hasRef() ? 'keeps' : 'does not keep'} the loop alive`);
timer.unref();
console.log(`the timer ${timer.hasRef() ? 'keeps' : 'does not keep'} the loop alive`);
process.on('exit', (code) => console.log(`nothing is left to wait for, exit code ${code}`));
