// An abort signal destroys a stream: before, later, and with addAbortSignal.
const { Readable, Writable, addAbortSignal } = require('stream');
function watch(name, stream) {
  stream.on('error', (err) => console.log(name, err.name, err.code, err.message)).on('close', () => console.log(name, 'close'));
}
const controller = new AbortController();
watch('option', new Readable({ read() {}, signal: controller.signal }));
watch('added', addAbortSignal(controller.signal, new Writable({ write() {} })));
watch('before', new Readable({ read() {}, signal: AbortSignal.abort() }));
setImmediate(() => controller.abort());
try {
  addAbortSignal('x', new Readable());
} catch (err) {
  console.log(err.code, err.message);
}
try {
  addAbortSignal(controller.signal, {});
} catch (err) {
  console.log(err.code, err.message);
}
