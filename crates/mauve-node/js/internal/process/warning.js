// process.emitWarning. Warnings are printed to standard error.
const options = require('internal/options');

exports.install = function install() {
  process.emitWarning = emitWarning;
  for (const name of ['noDeprecation', 'throwDeprecation', 'traceDeprecation']) {
    const flag = `--${name.replace('D', '-d')}`;
    if (options.has(flag)) process[name] = true;
  }
  if (options.has('--pending-deprecation')) process.env.NODE_PENDING_DEPRECATION = '1';
  if (options.has('--no-warnings') || process.env.NODE_NO_WARNINGS === '1') return;
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
  if (type !== null && typeof type === 'object' && !Array.isArray(type)) ({ type, code, detail } = type);
  if (!(warning instanceof Error)) {
    if (typeof warning !== 'string') {
      const { codes } = require('internal/errors');
      throw new codes.ERR_INVALID_ARG_TYPE('warning', ['Error', 'string'], warning);
    }
    const error = new Error(warning);
    error.name = String(type || 'Warning');
    if (code !== undefined && typeof code === 'string') error.code = code;
    if (typeof detail === 'string') error.detail = detail;
    Error.captureStackTrace(error, typeof code === 'function' ? code : emitWarning);
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

let hasShownHint = false;

function onWarning(warning) {
  if (!(warning instanceof Error)) return;
  const isDeprecation = warning.name === 'DeprecationWarning';
  if (isDeprecation && process.noDeprecation) return;
  const disabled = options.all('--disable-warning');
  if (disabled.includes(warning.name) || (warning.code && disabled.includes(warning.code))) return;
  const isTraced = options.has('--trace-warnings') || (isDeprecation && process.traceDeprecation);
  const code = warning.code ? `[${warning.code}] ` : '';
  const detail = typeof warning.detail === 'string' ? `\n${warning.detail}` : '';
  let text = `(${process.release.name}:${process.pid}) ${code}${describe(warning, isTraced)}${detail}\n`;
  if (!isTraced && !hasShownHint) {
    hasShownHint = true;
    const flag = isDeprecation ? '--trace-deprecation' : '--trace-warnings';
    const program = require('path').basename(process.argv0 || 'node');
    text += `(Use \`${program} ${flag} ...\` to show where the warning was created)\n`;
  }
  const file = options.get('--redirect-warnings') ?? process.env.NODE_REDIRECT_WARNINGS;
  try {
    if (file) require('fs').appendFileSync(file, text);
    else require('internal/stdio').forConsole(2).write(text);
  } catch {
    // Standard error is closed, or the file cannot be written.
  }
}

function describe(warning, isTraced) {
  if (isTraced && warning.stack) return warning.stack;
  return typeof warning.toString === 'function' ? warning.toString() : Error.prototype.toString.call(warning);
}
