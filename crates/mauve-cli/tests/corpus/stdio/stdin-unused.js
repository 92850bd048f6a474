// Standard input that is looked at, paused or unreferenced keeps no script alive.
// stdin: ignored
process.stdin.on('readable', () => {});
process.stdin.pause();
process.stdin.unref();
console.log('done', typeof process.stdin.ref);
