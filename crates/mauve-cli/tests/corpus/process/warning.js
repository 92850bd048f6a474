process.on('warning', (w) => console.log(w.name, w.message, w.code, w.detail));
process.emitWarning('plain');
process.emitWarning('typed', 'CustomWarning', 'C001');
process.emitWarning('opts', { type: 'Opt', code: 'C2', detail: 'more' });
process.emitWarning(new Error('an error'));
console.log('main');
try { process.emitWarning(5); } catch (e) { console.log(e.code, e.message); }
