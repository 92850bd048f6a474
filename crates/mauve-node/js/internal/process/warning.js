// process.emitWarning. Warnings are printed to standard error.

exports.install = function install() {
  process.emitWarning = emitWarning;
  process.on('warning', onWarning);
};

const deprecations = new Set();

// Emits a deprecation warning, once for each code.
exports.deprecate = function deprecate(message, code) {
  if (deprecations.has(code)) return;
  deprecations.add(code);
  process.emitWarning(message, 'DeprecationWarning', code);
};

function emitWarning(warning, type, code) {
  let detail;
  if (type !== null && typeof type === 'object' && !Array.isArray(type)) {
    ({ type, code, detail } = type);
  }
  if (!(warning instanceof Error)) {
    if (typeof warning !== 'string') {
      const { codes } = require('internal/errors');
      throw new codes.ERR_INVALID_ARG_TYPE('warning', ['Error', 'string'], warning);
    }
    const error = new Error(warning);
    error.name = String(type || 'Warning');
    if (code !== undefined && typeof code === 'string') error.code = code;
    if (typeof detail === 'string') error.detail = detail;
    warning = error;
  }
  const isDeprecation = warning.name === 'DeprecationWarning';
  if (isDeprecation && process.noDeprecation) return;
  const isThrown = isDeprecation && process.throwDeprecation;
  process.nextTick(() => {
    if (isThrown) throw warning;
    process.emit('warning', warning);
  });
}

function onWarning(warning) {
  if (!(warning instanceof Error)) return;
  const code = warning.code ? `[${warning.code}] ` : '';
  const detail = typeof warning.detail === 'string' ? `\n${warning.detail}` : '';
  const shown = typeof warning.toString === 'function' ? warning.toString() : Error.prototype.toString.call(warning);
  const text = `(${process.release.name}:${process.pid}) ${code}${shown}${detail}\n`;
  const file = process.env.NODE_REDIRECT_WARNINGS;
  try {
    if (file) require('fs').appendFileSync(file, text);
    else require('internal/stdio').forConsole(2).write(text);
  } catch {
    // Standard error is closed, or the file cannot be written.
  }
}
