// util.aborted(): its errors, and when its promise is settled.
'use strict';
const util = require('util');

function chain(name) {
  let count = 0;
  const next = () => {
    console.log(name, ++count);
    if (count < 6) queueMicrotask(next);
  };
  queueMicrotask(next);
}

const controller = new AbortController();
const resource = {};
chain('before');
util.aborted(AbortSignal.abort(), {}).then(() => console.log('aborted already'));
util.aborted(controller.signal, resource).then(() => console.log('aborted later', typeof resource));
for (const args of [[5, {}], [controller.signal, null], [controller.signal], [undefined, {}], []]) {
  util.aborted(...args).catch((err) => console.log(err.name, err.code, err.message));
}
setImmediate(() => {
  chain('later');
  controller.abort();
  console.log('abort called');
});
