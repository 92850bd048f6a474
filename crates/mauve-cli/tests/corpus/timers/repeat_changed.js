// A script that changes the internals of a timer.
const timer = setTimeout(() => {
  console.log('fired', timer._repeat);
  if (timer._repeat) clearInterval(timer);
  timer._repeat = 1;
}, 1);
const interval = setInterval(() => {
  console.log('interval');
  interval._repeat = null;
}, 1);
setInterval(() => {}, 1).unref.call({});
setTimeout(() => process.exit(), 100);
const { scheduler } = require('timers/promises');
try { new scheduler.constructor(); } catch (err) { console.log(err.code); }
console.log(Object.getOwnPropertyDescriptor(Event, 'AT_TARGET'));
