// Computes in a callback, long enough to have its stack in a trace.
'use strict';

function burn(end) {
  while (Date.now() < end);
}

setTimeout(function onTimeout() {
  burn(Date.now() + 2000);
  console.log('all done');
}, 1);
