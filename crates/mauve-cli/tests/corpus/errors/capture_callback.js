process.setUncaughtExceptionCaptureCallback((e) => console.log('captured', e.message));
console.log(process.hasUncaughtExceptionCaptureCallback());
try { process.setUncaughtExceptionCaptureCallback(() => {}); } catch (e) { console.log(e.code); }
setTimeout(() => { throw new Error('x'); }, 1);
