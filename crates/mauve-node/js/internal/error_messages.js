// Node's error codes: code -> [base classes, message]. A message is a string, or a function of the
// constructor's arguments that is called with the new error as `this`.

let inspect;
const show = (value, options) => (inspect ??= require('internal/util/inspect').inspect)(value, options);

const TYPE_NAMES = new Set([
  'string', 'function', 'number', 'object', 'Function', 'Object', 'boolean', 'bigint', 'symbol',
]);

function joinList(items, last = 'or') {
  if (items.length === 1) return items[0];
  if (items.length === 2) return `${items[0]} ${last} ${items[1]}`;
  return `${items.slice(0, -1).join(', ')}, ${last} ${items[items.length - 1]}`;
}

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

function describeExpected(expected) {
  const types = [];
  const instances = [];
  const others = [];
  for (const word of Array.isArray(expected) ? expected : [expected]) {
    if (TYPE_NAMES.has(word)) types.push(word.toLowerCase());
    else if (/^([A-Z][a-z0-9]*)+$/.test(word)) instances.push(word);
    else others.push(word);
  }
  // With instances, 'object' is listed as the instance 'Object'.
  const plainObject = types.indexOf('object');
  if (instances.length > 0 && plainObject >= 0) {
    types.splice(plainObject, 1);
    instances.push('Object');
  }
  const parts = [];
  if (types.length > 0) parts.push(`${types.length > 1 ? 'one of type' : 'of type'} ${joinList(types)}`);
  if (instances.length > 0) parts.push(`an instance of ${joinList(instances)}`);
  if (others.length > 1) parts.push(`one of ${joinList(others)}`);
  else if (others.length === 1) {
    parts.push(others[0].toLowerCase() === others[0] ? others[0] : `an ${others[0]}`);
  }
  return parts.join(' or ');
}

function subject(name) {
  if (name.endsWith(' argument')) return `The ${name}`;
  return `The "${name}" ${name.includes('.') ? 'property' : 'argument'}`;
}

function withSeparators(digits) {
  return digits.replace(/\B(?=(\d{3})+$)/g, '_');
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
  ERR_AMBIGUOUS_ARGUMENT: ['TypeError', (name, reason) => `The "${name}" argument is ambiguous. ${reason}`],
  ERR_ARG_NOT_ITERABLE: ['TypeError', (name) => `${name} must be iterable`],
  ERR_ASYNC_CALLBACK: ['TypeError', (name) => `${name} must be a function`],
  ERR_ASYNC_TYPE: ['TypeError', (name) => `Invalid name for async "type": ${name}`],
  ERR_BUFFER_OUT_OF_BOUNDS: ['RangeError', (name) => (name ?
    `"${name}" is outside of buffer bounds` : 'Attempt to access memory outside buffer bounds')],
  ERR_BUFFER_TOO_LARGE: ['RangeError', (limit) => `Cannot create a Buffer larger than ${limit} bytes`],
  ERR_CHILD_PROCESS_IPC_REQUIRED: ['Error', (name) =>
    `Forked processes must have an IPC channel, missing value 'ipc' in ${name}`],
  ERR_CHILD_PROCESS_STDIO_MAXBUFFER: ['RangeError', (name) => `${name} maxBuffer length exceeded`],
  ERR_CONSOLE_WRITABLE_STREAM: ['TypeError', (name) =>
    `Console expects a writable stream instance for ${name}`],
  ERR_DIR_CLOSED: ['Error', 'Directory handle was closed'],
  ERR_DIR_CONCURRENT_OPERATION: ['Error',
    'Cannot do synchronous work on directory handle with concurrent asynchronous operations'],
  ERR_DNS_SET_SERVERS_FAILED: ['Error', (code, servers) =>
    `c-ares failed to set servers: "${code}" [${servers}]`],
  ERR_ENCODING_INVALID_ENCODED_DATA: ['TypeError', function (encoding, errno) {
    this.errno = errno;
    return `The encoded data was not valid for encoding ${encoding}`;
  }],
  ERR_ENCODING_NOT_SUPPORTED: ['RangeError', (encoding) => `The "${encoding}" encoding is not supported`],
  ERR_EVENT_RECURSION: ['Error', (name) => `The event "${name}" is already being dispatched`],
  ERR_FALSY_VALUE_REJECTION: ['Error', function (reason) {
    this.reason = reason;
    return 'Promise was rejected with falsy value';
  }],
  ERR_FS_CP_DIR_TO_NON_DIR: ['Error', 'Cannot overwrite non-directory with directory'],
  ERR_FS_CP_EEXIST: ['Error', 'Target already exists'],
  ERR_FS_CP_EINVAL: ['Error', 'Invalid src or dest'],
  ERR_FS_CP_NON_DIR_TO_DIR: ['Error', 'Cannot overwrite directory with non-directory'],
  ERR_FS_EISDIR: ['Error', 'Path is a directory'],
  ERR_FS_FILE_TOO_LARGE: ['RangeError', (size) => `File size (${size}) is greater than 2 GiB`],
  ERR_FS_INVALID_SYMLINK_TYPE: ['Error', (type) =>
    `Symlink type must be one of "dir", "file", or "junction". Received "${type}"`],
  ERR_HTTP_BODY_NOT_ALLOWED: ['Error', 'Adding content for this request method or response status is not allowed.'],
  ERR_HTTP_CONTENT_LENGTH_MISMATCH: ['Error', (body, header) =>
    `Response body's content-length of ${body} byte(s) does not match the content-length of ${header} byte(s) set in header`],
  ERR_HTTP_HEADERS_SENT: ['Error', (what) => `Cannot ${what} headers after they are sent to the client`],
  ERR_HTTP_INVALID_HEADER_VALUE: ['TypeError', (value, name) => `Invalid value "${value}" for header "${name}"`],
  ERR_HTTP_INVALID_STATUS_CODE: ['RangeError', (code) => require('util').format('Invalid status code: %s', code)],
  ERR_HTTP_REQUEST_TIMEOUT: ['Error', 'Request timeout'],
  ERR_HTTP_SOCKET_ASSIGNED: ['Error', 'ServerResponse has an already assigned socket'],
  ERR_HTTP_SOCKET_ENCODING: ['Error', 'Changing the socket encoding is not allowed per RFC7230 Section 3.'],
  ERR_HTTP_TRAILER_INVALID: ['Error', 'Trailers are invalid with this transfer encoding'],
  ERR_ILLEGAL_CONSTRUCTOR: ['TypeError', 'Illegal constructor'],
  ERR_INCOMPATIBLE_OPTION_PAIR: ['TypeError', (a, b) =>
    `Option "${a}" cannot be used in combination with option "${b}"`],
  ERR_INVALID_ADDRESS: ['Error', 'Invalid socket address'],
  ERR_INVALID_ADDRESS_FAMILY: ['RangeError', function (family, host, port) {
    this.host = host;
    this.port = port;
    return `Invalid address family: ${family} ${host}:${port}`;
  }],
  ERR_INVALID_ARG_TYPE: ['TypeError', (name, expected, actual) =>
    `${subject(name)} must be ${describeExpected(expected)}. Received ${determineSpecificType(actual)}`],
  ERR_INVALID_ARG_VALUE: ['TypeError|RangeError', (name, value, reason = 'is invalid') => {
    let text = show(value);
    if (text.length > 128) text = `${text.slice(0, 128)}...`;
    return `The ${name.includes('.') ? 'property' : 'argument'} '${name}' ${reason}. Received ${text}`;
  }],
  ERR_INVALID_ASYNC_ID: ['RangeError', (type, id) => `Invalid ${type} value: ${id}`],
  ERR_INVALID_BUFFER_SIZE: ['RangeError', (size) => `Buffer size must be a multiple of ${size}`],
  ERR_INVALID_CHAR: ['TypeError', (name, field) => (field === undefined ?
    `Invalid character in ${name}` : `Invalid character in ${name} ["${field}"]`)],
  ERR_INVALID_CURSOR_POS: ['TypeError', 'Cannot set cursor row without setting its column'],
  ERR_INVALID_FD: ['RangeError', (fd) => `"fd" must be a positive integer: ${fd}`],
  ERR_INVALID_FD_TYPE: ['TypeError', (type) => `Unsupported fd type: ${type}`],
  ERR_INVALID_FILE_URL_HOST: ['TypeError', (platform) => `File URL host must be "localhost" or empty on ${platform}`],
  ERR_INVALID_FILE_URL_PATH: ['TypeError', (reason) => `File URL path ${reason}`],
  ERR_INVALID_HANDLE_TYPE: ['TypeError', 'This handle type cannot be sent'],
  ERR_INVALID_HTTP_TOKEN: ['TypeError', (name, field) => `${name} must be a valid HTTP token ["${field}"]`],
  ERR_INVALID_IP_ADDRESS: ['TypeError', (address) => `Invalid IP address: ${address}`],
  ERR_INVALID_PROTOCOL: ['TypeError', (protocol, expected) =>
    `Protocol "${protocol}" not supported. Expected "${expected}"`],
  ERR_INVALID_RETURN_VALUE: ['TypeError|RangeError', (input, name, value) =>
    `Expected ${input} to be returned from the "${name}" function but got ${determineSpecificType(value)}.`],
  ERR_INVALID_STATE: ['Error|TypeError|RangeError', (text) => `Invalid state: ${text}`],
  ERR_INVALID_SYNC_FORK_INPUT: ['TypeError', (value) =>
    `Asynchronous forks do not support Buffer, TypedArray, DataView or string input: ${value}`],
  ERR_INVALID_THIS: ['TypeError', (type) => `Value of "this" must be of type ${type}`],
  ERR_INVALID_TUPLE: ['TypeError', (name, expected) => `${name} must be an iterable ${expected} tuple`],
  ERR_INVALID_URI: ['URIError', 'URI malformed'],
  ERR_INVALID_URL: ['TypeError', function (input, base = null) {
    this.input = input;
    if (base !== null) this.base = base;
    this.code = 'ERR_INVALID_URL';
    return 'Invalid URL';
  }],
  ERR_INVALID_URL_SCHEME: ['TypeError', (expected) =>
    `The URL must be ${Array.isArray(expected) && expected.length > 1 ? 'one of' : 'of'} scheme ${joinList([].concat(expected))}`],
  ERR_IPC_CHANNEL_CLOSED: ['Error', 'Channel closed'],
  ERR_IPC_DISCONNECTED: ['Error', 'IPC channel is already disconnected'],
  ERR_IPC_ONE_PIPE: ['Error', 'Child process can have only one IPC pipe'],
  ERR_IPC_SYNC_FORK: ['Error', 'IPC cannot be used with synchronous forks'],
  ERR_METHOD_NOT_IMPLEMENTED: ['Error', (name) => `The ${name} method is not implemented`],
  // For the parts of Node that mauve leaves out.
  ERR_NOT_SUPPORTED: ['Error', (what) => `mauve does not support ${what}`],
  ERR_MISSING_ARGS: ['TypeError', (...args) => {
    const quoted = args.map((arg) => (Array.isArray(arg) ?
      arg.map((one) => `"${one}"`).join(' or ') : `"${arg}"`));
    return `The ${joinList(quoted, 'and')} argument${quoted.length === 1 ? '' : 's'} must be specified`;
  }],
  ERR_MULTIPLE_CALLBACK: ['Error', 'Callback called multiple times'],
  ERR_OUT_OF_RANGE: ['RangeError', (name, range, input, asSentence = false) =>
    `${asSentence ? name : `The value of "${name}" is out of range.`} It must be ${range}. Received ${receivedNumber(input)}`],
  ERR_PACKAGE_PATH_NOT_EXPORTED: ['Error', (path, subpath, base) => (subpath === '.' ?
    `No "exports" main defined in ${path}package.json${base ? ` imported from ${base}` : ''}` :
    `Package subpath '${subpath}' is not defined by "exports" in ${path}package.json${base ? ` imported from ${base}` : ''}`)],
  ERR_PARSE_ARGS_INVALID_OPTION_VALUE: ['TypeError', (message) => message],
  ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL: ['TypeError', (positional) =>
    `Unexpected argument '${positional}'. This command does not take positional arguments`],
  ERR_PARSE_ARGS_UNKNOWN_OPTION: ['TypeError', (option, allowPositionals) => {
    const hint = allowPositionals ? `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- ${JSON.stringify(option)}` : '';
    return `Unknown option '${option}'${hint}`;
  }],
  ERR_PERFORMANCE_INVALID_TIMESTAMP: ['TypeError', (time) => `${time} is not a valid timestamp`],
  ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS: ['TypeError', (text) => text],
  ERR_REQUIRE_ESM: ['Error', (file) => `require() of ES Module ${file} not supported.`],
  ERR_SERVER_ALREADY_LISTEN: ['Error', 'Listen method has been called more than once without closing.'],
  ERR_SERVER_NOT_RUNNING: ['Error', 'Server is not running.'],
  ERR_SOCKET_ALREADY_BOUND: ['Error', 'Socket is already bound'],
  ERR_SOCKET_BAD_BUFFER_SIZE: ['TypeError', 'Buffer size must be a positive integer'],
  ERR_SOCKET_BAD_PORT: ['RangeError', (name, port, allowZero = true) =>
    `${name} should be ${allowZero ? '>=' : '>'} 0 and < 65536. Received ${determineSpecificType(port)}.`],
  ERR_SOCKET_BAD_TYPE: ['TypeError', 'Bad socket type specified. Valid types are: udp4, udp6'],
  ERR_SOCKET_BUFFER_SIZE: ['Error', (error) => `Could not get or set buffer size: ${error?.message ?? error}`],
  ERR_SOCKET_CLOSED: ['Error', 'Socket is closed'],
  ERR_SOCKET_CLOSED_BEFORE_CONNECTION: ['Error', 'Socket closed before the connection was established'],
  ERR_SOCKET_CONNECTION_TIMEOUT: ['Error', 'Socket connection timeout'],
  ERR_SOCKET_DGRAM_IS_CONNECTED: ['Error', 'Already connected'],
  ERR_SOCKET_DGRAM_NOT_CONNECTED: ['Error', 'Not connected'],
  ERR_SOCKET_DGRAM_NOT_RUNNING: ['Error', 'Not running'],
  ERR_STREAM_ALREADY_FINISHED: ['Error', (what) => `Cannot call ${what} after a stream was finished`],
  ERR_STREAM_CANNOT_PIPE: ['Error', 'Cannot pipe, not readable'],
  ERR_STREAM_DESTROYED: ['Error', (what) => `Cannot call ${what} after a stream was destroyed`],
  ERR_STREAM_NULL_VALUES: ['TypeError', 'May not write null values to stream'],
  ERR_STREAM_PREMATURE_CLOSE: ['Error', 'Premature close'],
  ERR_STREAM_PUSH_AFTER_EOF: ['Error', 'stream.push() after EOF'],
  ERR_STREAM_UNSHIFT_AFTER_END_EVENT: ['Error', 'stream.unshift() after end event'],
  ERR_STREAM_WRITE_AFTER_END: ['Error', 'write after end'],
  ERR_STRING_TOO_LONG: ['Error', 'Cannot create a string longer than 0x1fffffe8 characters'],
  ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET: ['Error',
    '`process.setupUncaughtExceptionCapture()` was called while a capture callback was already active'],
  ERR_UNESCAPED_CHARACTERS: ['TypeError', (what) => `${what} contains unescaped characters`],
  ERR_UNHANDLED_ERROR: ['Error', (context) => (context === undefined ?
    'Unhandled error.' : `Unhandled error. (${context})`)],
  ERR_UNKNOWN_BUILTIN_MODULE: ['Error', (name) => `No such built-in module: ${name}`],
  ERR_UNKNOWN_CREDENTIAL: ['Error', (kind, id) => `${kind} identifier does not exist: ${id}`],
  ERR_UNKNOWN_ENCODING: ['TypeError', (encoding) =>
    require('internal/util/format').format('Unknown encoding: %s', encoding)],
  ERR_UNKNOWN_SIGNAL: ['TypeError', (signal) => `Unknown signal: ${signal}`],
  ERR_IMPORT_ASSERTION_TYPE_MISSING: ['TypeError', (url, key, value) =>
    `Module "${url}" needs an import attribute of "${key}: ${value}"`],
  ERR_INVALID_OBJECT_DEFINE_PROPERTY: ['TypeError', (message) => message],
  ERR_MODULE_NOT_FOUND: ['Error', (path, base, kind = 'module') =>
    `Cannot find ${kind} '${path}' imported from ${base}`],
  ERR_PACKAGE_IMPORT_NOT_DEFINED: ['TypeError', (specifier, directory) =>
    `Package import specifier "${specifier}" is not defined${
      directory ? ` in package ${directory}/package.json` : ''}`],
  ERR_UNSUPPORTED_DIR_IMPORT: ['Error', (path, base) =>
    `Directory import '${path}' is not supported resolving ES modules imported from ${base}`],
  ERR_USE_AFTER_CLOSE: ['Error', (name) => `${name} was closed`],
};

Object.defineProperties(table, {
  determineSpecificType: { value: determineSpecificType },
});

module.exports = table;
