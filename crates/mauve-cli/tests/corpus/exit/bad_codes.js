for (const bad of ['x', {}, 1.5, true]) {
  try { process.exitCode = bad; console.log('taken', process.exitCode); } catch (e) { console.log(e.code, e.message); }
}
process.exitCode = '7';
