// Functions of the process object that check their arguments.
const attempt = (label, fn) => {
  try {
    console.log(label, fn());
  } catch (err) {
    console.log(label, err.name, err.code, err.message);
  }
};
const old = process.umask('0644');
attempt('umask', () => process.umask(old).toString(8));
for (const mask of ['9', 'abc', {}, -1]) attempt('umask', () => process.umask(mask));
for (const previous of [1, {}, { user: 1, system: 'x' }, { user: -1, system: 0 }]) {
  attempt('cpuUsage', () => process.cpuUsage(previous));
}
attempt('env value', () => Object.defineProperty(process.env, 'foo', { value: 'x' }));
attempt('env accessor', () => Object.defineProperty(process.env, 'foo', { get() { return 1; }, set() {} }));
process.env[''] = 'x';
attempt('env empty', () => process.env['']);
attempt('env clone', () => structuredClone(process.env).PATH === process.env.PATH);
attempt('getBuiltinModule', () => process.getBuiltinModule('node:fs') === require('fs'));
attempt('getBuiltinModule', () => process.getBuiltinModule('no such module'));
attempt('getBuiltinModule', () => process.getBuiltinModule(1));
attempt('config', () => Object.isFrozen(process.config));
attempt('exitCode', () => Object.getOwnPropertyDescriptor(process, 'exitCode').configurable);
attempt('features', () => Object.keys(process.features).sort().join());
attempt('assert', () => process.assert(0, 'message'));
attempt('assert', () => process.assert(1));
attempt('memory', () => typeof process.availableMemory() + typeof process.constrainedMemory());
attempt('setuid', () => process.setuid({}));
attempt('setgid', () => process.setgid('no such group'));
attempt('setgroups', () => process.setgroups([1, {}]));
attempt('initgroups', () => process.initgroups('x'));
attempt('source maps', () => process.setSourceMapsEnabled(1));
process._rawDebug('%s', 'to standard error');
process.on('__proto__', (x) => console.log('__proto__', x));
process.emit('__proto__', 1);
process.on('toString', () => {});

// A deprecation that is thrown, and a warning without a usable toString().
process.on('uncaughtException', (err) => console.log(String(err)));
process.throwDeprecation = true;
process.emitWarning('old', 'DeprecationWarning');
process.throwDeprecation = false;
process.emitWarning(Object.assign(new Error('odd'), { toString: 1 }));
