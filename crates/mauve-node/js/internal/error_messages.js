// Node's error codes: code -> [base classes, message]. A message is a function of the constructor's
// arguments that is called with the new error as `this`. The binding `errno` has the plain messages.
let inspect;
const show = (value, options) => (inspect ??= require('internal/util/inspect').inspect)(value, options);
const { describeExpected, joinList, subject, withSeparators } = binding('errno');

// The text after "Received": `undefined`, `function f`, `an instance of Foo`,
// `type string ('abc')`.
function determineSpecificType(value) {
  if (value === null || value === undefined) return String(value);
  switch (typeof value) {
    case 'function':
      return `function ${value.name}`;
    case 'object':
      if (value.constructor && 'name' in value.constructor) return `an instance of ${value.constructor.name}`;
      return show(value, { depth: -1 });
    case 'string': {
      const short = value.length > 28 ? `${value.slice(0, 25)}...` : value;
      return `type string (${short.includes("'") ? JSON.stringify(short) : `'${short}'`})`;
    }
    default:
      return `type ${typeof value} (${show(value, { colors: false })})`;
  }
}

function receivedNumber(input) {
  if (Number.isInteger(input) && Math.abs(input) > 2 ** 32) return withSeparators(String(input));
  if (typeof input === 'bigint') {
    const text = String(input);
    const large = input > 2n ** 32n || input < -(2n ** 32n);
    return `${large ? withSeparators(text) : text}n`;
  }
  return show(input);
}

const table = {
  ERR_BUFFER_OUT_OF_BOUNDS: ['RangeError', (name) => (name ?
    `"${name}" is outside of buffer bounds` : 'Attempt to access memory outside buffer bounds')],
  ERR_ENCODING_INVALID_ENCODED_DATA: ['TypeError', function (encoding, errno) {
    this.errno = errno;
    return `The encoded data was not valid for encoding ${encoding}`;
  }],
  ERR_FALSY_VALUE_REJECTION: ['Error', function (reason) {
    this.reason = reason;
    return 'Promise was rejected with falsy value';
  }],
  ERR_HTTP_INVALID_STATUS_CODE: ['RangeError', (code) => require('util').format('Invalid status code: %s', code)],
  ERR_INVALID_ADDRESS_FAMILY: ['RangeError', function (family, host, port) {
    this.host = host;
    this.port = port;
    return `Invalid address family: ${family} ${host}:${port}`;
  }],
  ERR_INVALID_ARG_TYPE: ['TypeError', (name, expected, actual) =>
    `${subject(name)} must be ${describeExpected([].concat(expected))}. Received ${determineSpecificType(actual)}`],
  ERR_INVALID_ARG_VALUE: ['TypeError|RangeError', (name, value, reason = 'is invalid') => {
    let text = show(value);
    if (text.length > 128) text = `${text.slice(0, 128)}...`;
    return `The ${name.includes('.') ? 'property' : 'argument'} '${name}' ${reason}. Received ${text}`;
  }],
  ERR_INVALID_CHAR: ['TypeError', (name, field) => (field === undefined ?
    `Invalid character in ${name}` : `Invalid character in ${name} ["${field}"]`)],
  ERR_INVALID_RETURN_VALUE: ['TypeError|RangeError', (input, name, value) =>
    `Expected ${input} to be returned from the "${name}" function but got ${determineSpecificType(value)}.`],
  ERR_INVALID_URL: ['TypeError', function (input, base = null) {
    this.input = input;
    if (base !== null) this.base = base;
    this.code = 'ERR_INVALID_URL';
    return 'Invalid URL';
  }],
  ERR_INVALID_URL_SCHEME: ['TypeError', (expected) =>
    `The URL must be ${Array.isArray(expected) && expected.length > 1 ? 'one of' : 'of'} scheme ${joinList([].concat(expected), 'or')}`],
  ERR_MISSING_ARGS: ['TypeError', (...args) => {
    const quoted = args.map((arg) => (Array.isArray(arg) ?
      arg.map((one) => `"${one}"`).join(' or ') : `"${arg}"`));
    return `The ${joinList(quoted, 'and')} argument${quoted.length === 1 ? '' : 's'} must be specified`;
  }],
  ERR_OUT_OF_RANGE: ['RangeError', (name, range, input, asSentence = false) =>
    `${asSentence ? name : `The value of "${name}" is out of range.`} It must be ${range}. Received ${receivedNumber(input)}`],
  ERR_PACKAGE_PATH_NOT_EXPORTED: ['Error', (path, subpath, base) => (subpath === '.' ?
    `No "exports" main defined in ${path}package.json${base ? ` imported from ${base}` : ''}` :
    `Package subpath '${subpath}' is not defined by "exports" in ${path}package.json${base ? ` imported from ${base}` : ''}`)],
  ERR_PARSE_ARGS_UNKNOWN_OPTION: ['TypeError', (option, allowPositionals) => {
    const hint = allowPositionals ? `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- ${JSON.stringify(option)}` : '';
    return `Unknown option '${option}'${hint}`;
  }],
  ERR_SOCKET_BAD_PORT: ['RangeError', (name, port, allowZero = true) =>
    `${name} should be ${allowZero ? '>=' : '>'} 0 and < 65536. Received ${determineSpecificType(port)}.`],
  ERR_SOCKET_BUFFER_SIZE: ['Error', (error) => `Could not get or set buffer size: ${error?.message ?? error}`],
  ERR_UNHANDLED_ERROR: ['Error', (context) => (context === undefined ?
    'Unhandled error.' : `Unhandled error. (${context})`)],
  ERR_UNKNOWN_ENCODING: ['TypeError', (encoding) =>
    require('internal/util/format').format('Unknown encoding: %s', encoding)],
  ERR_MODULE_NOT_FOUND: ['Error', (path, base, kind = 'module') =>
    `Cannot find ${kind} '${path}' imported from ${base}`],
  ERR_PACKAGE_IMPORT_NOT_DEFINED: ['TypeError', (specifier, directory) =>
    `Package import specifier "${specifier}" is not defined${
      directory ? ` in package ${directory}/package.json` : ''}`],
};

Object.defineProperties(table, { determineSpecificType: { value: determineSpecificType } });

module.exports = table;
