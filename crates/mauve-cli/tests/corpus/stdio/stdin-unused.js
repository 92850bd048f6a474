// Accessing process.stdin, pausing or unreferencing it does not keep the process alive.
// stdin: ignored
process.stdin.on('readable', () => {});
process.stdin.pause();
process.stdin.unref();
console.log('done', typeof process.stdin.ref);
