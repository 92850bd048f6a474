// Signal events of the process object, and process.kill.
const native = binding('process');
const signals = binding('signals');

exports.install = function install() {
  const watchers = new Map();
  process.on('newListener', (name) => {
    if (name === 'multipleResolves') require('internal/process/multiple_resolves').install();
    if (!Object.hasOwn(signals.numbers, name) || watchers.has(name)) return;
    if (name === 'SIGKILL' || name === 'SIGSTOP') throw require('internal/errors').uvException({ errno: -22, syscall: 'uv_signal_start' });
    const number = signals.numbers[name];
    watchers.set(name, signals.watch(number, () => process.emit(name, name, number)));
  });
  process.on('removeListener', (name) => {
    if (watchers.has(name) && process.listenerCount(name) === 0) {
      signals.unwatch(watchers.get(name));
      watchers.delete(name);
    }
  });
  process.kill = kill;
};

exports.numbers = signals.numbers;

function kill(pid, signal = 'SIGTERM') {
  const { codes, errnoException } = require('internal/errors');
  // biome-ignore lint/suspicious/noDoubleEquals: Node accepts '7' for 7
  if (pid != (pid | 0)) throw new codes.ERR_INVALID_ARG_TYPE('pid', 'number', pid);
  let number = signal;
  if (typeof signal !== 'number') {
    number = signals.numbers[signal];
    if (number === undefined) throw new codes.ERR_UNKNOWN_SIGNAL(signal);
  }
  try {
    native.kill(pid, number);
  } catch (errno) {
    throw errnoException(errno, 'kill');
  }
  return true;
}
