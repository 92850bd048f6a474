//! The messages of Node's errors that need no computation.

/// The code, the base classes and the message of each error. `{0}` stands for the first argument of
/// the constructor. Sorted by code.
const MESSAGES: &[(&str, &str, &str)] = &[
    ("ERR_AMBIGUOUS_ARGUMENT", "TypeError", "The \"{0}\" argument is ambiguous. {1}"),
    ("ERR_ARG_NOT_ITERABLE", "TypeError", "{0} must be iterable"),
    ("ERR_ASYNC_CALLBACK", "TypeError", "{0} must be a function"),
    ("ERR_ASYNC_TYPE", "TypeError", "Invalid name for async \"type\": {0}"),
    ("ERR_BUFFER_TOO_LARGE", "RangeError", "Cannot create a Buffer larger than {0} bytes"),
    (
        "ERR_CHILD_PROCESS_IPC_REQUIRED",
        "Error",
        "Forked processes must have an IPC channel, missing value 'ipc' in {0}",
    ),
    ("ERR_CHILD_PROCESS_STDIO_MAXBUFFER", "RangeError", "{0} maxBuffer length exceeded"),
    (
        "ERR_CONSOLE_WRITABLE_STREAM",
        "TypeError",
        "Console expects a writable stream instance for {0}",
    ),
    ("ERR_DIR_CLOSED", "Error", "Directory handle was closed"),
    (
        "ERR_DIR_CONCURRENT_OPERATION",
        "Error",
        "Cannot do synchronous work on directory handle with concurrent asynchronous operations",
    ),
    ("ERR_DNS_SET_SERVERS_FAILED", "Error", "c-ares failed to set servers: \"{0}\" [{1}]"),
    ("ERR_ENCODING_NOT_SUPPORTED", "RangeError", "The \"{0}\" encoding is not supported"),
    ("ERR_EVENT_RECURSION", "Error", "The event \"{0}\" is already being dispatched"),
    ("ERR_FS_CP_DIR_TO_NON_DIR", "Error", "Cannot overwrite non-directory with directory"),
    ("ERR_FS_CP_EEXIST", "Error", "Target already exists"),
    ("ERR_FS_CP_EINVAL", "Error", "Invalid src or dest"),
    ("ERR_FS_CP_FIFO_PIPE", "Error", "Cannot copy a FIFO pipe"),
    ("ERR_FS_CP_NON_DIR_TO_DIR", "Error", "Cannot overwrite directory with non-directory"),
    ("ERR_FS_CP_SOCKET", "Error", "Cannot copy a socket file"),
    (
        "ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY",
        "Error",
        "Cannot overwrite symlink in subdirectory of self",
    ),
    ("ERR_FS_CP_UNKNOWN", "Error", "Cannot copy an unknown file type"),
    ("ERR_FS_EISDIR", "Error", "Path is a directory"),
    ("ERR_FS_FILE_TOO_LARGE", "RangeError", "File size ({0}) is greater than 2 GiB"),
    (
        "ERR_FS_INVALID_SYMLINK_TYPE",
        "Error",
        "Symlink type must be one of \"dir\", \"file\", or \"junction\". Received \"{0}\"",
    ),
    (
        "ERR_HTTP_BODY_NOT_ALLOWED",
        "Error",
        "Adding content for this request method or response status is not allowed.",
    ),
    (
        "ERR_HTTP_CONTENT_LENGTH_MISMATCH",
        "Error",
        "Response body's content-length of {0} byte(s) does not match the content-length of {1} byte(s) set in header",
    ),
    ("ERR_HTTP_HEADERS_SENT", "Error", "Cannot {0} headers after they are sent to the client"),
    ("ERR_HTTP_INVALID_HEADER_VALUE", "TypeError", "Invalid value \"{0}\" for header \"{1}\""),
    ("ERR_HTTP_REQUEST_TIMEOUT", "Error", "Request timeout"),
    ("ERR_HTTP_SOCKET_ASSIGNED", "Error", "ServerResponse has an already assigned socket"),
    (
        "ERR_HTTP_SOCKET_ENCODING",
        "Error",
        "Changing the socket encoding is not allowed per RFC7230 Section 3.",
    ),
    ("ERR_HTTP_TRAILER_INVALID", "Error", "Trailers are invalid with this transfer encoding"),
    ("ERR_ILLEGAL_CONSTRUCTOR", "TypeError", "Illegal constructor"),
    (
        "ERR_IMPORT_ASSERTION_TYPE_MISSING",
        "TypeError",
        "Module \"{0}\" needs an import attribute of \"{1}: {2}\"",
    ),
    (
        "ERR_INCOMPATIBLE_OPTION_PAIR",
        "TypeError",
        "Option \"{0}\" cannot be used in combination with option \"{1}\"",
    ),
    ("ERR_INVALID_ADDRESS", "Error", "Invalid socket address"),
    ("ERR_INVALID_ASYNC_ID", "RangeError", "Invalid {0} value: {1}"),
    ("ERR_INVALID_BUFFER_SIZE", "RangeError", "Buffer size must be a multiple of {0}"),
    ("ERR_INVALID_CURSOR_POS", "TypeError", "Cannot set cursor row without setting its column"),
    ("ERR_INVALID_FD", "RangeError", "\"fd\" must be a positive integer: {0}"),
    ("ERR_INVALID_FD_TYPE", "TypeError", "Unsupported fd type: {0}"),
    (
        "ERR_INVALID_FILE_URL_HOST",
        "TypeError",
        "File URL host must be \"localhost\" or empty on {0}",
    ),
    ("ERR_INVALID_FILE_URL_PATH", "TypeError", "File URL path {0}"),
    ("ERR_INVALID_HANDLE_TYPE", "TypeError", "This handle type cannot be sent"),
    ("ERR_INVALID_HTTP_TOKEN", "TypeError", "{0} must be a valid HTTP token [\"{1}\"]"),
    ("ERR_INVALID_IP_ADDRESS", "TypeError", "Invalid IP address: {0}"),
    ("ERR_INVALID_OBJECT_DEFINE_PROPERTY", "TypeError", "{0}"),
    ("ERR_INVALID_PROTOCOL", "TypeError", "Protocol \"{0}\" not supported. Expected \"{1}\""),
    ("ERR_INVALID_STATE", "Error|TypeError|RangeError", "Invalid state: {0}"),
    (
        "ERR_INVALID_SYNC_FORK_INPUT",
        "TypeError",
        "Asynchronous forks do not support Buffer, TypedArray, DataView or string input: {0}",
    ),
    ("ERR_INVALID_THIS", "TypeError", "Value of \"this\" must be of type {0}"),
    ("ERR_INVALID_TUPLE", "TypeError", "{0} must be an iterable {1} tuple"),
    ("ERR_INVALID_URI", "URIError", "URI malformed"),
    ("ERR_IPC_CHANNEL_CLOSED", "Error", "Channel closed"),
    ("ERR_IPC_DISCONNECTED", "Error", "IPC channel is already disconnected"),
    ("ERR_IPC_ONE_PIPE", "Error", "Child process can have only one IPC pipe"),
    ("ERR_IPC_SYNC_FORK", "Error", "IPC cannot be used with synchronous forks"),
    ("ERR_METHOD_NOT_IMPLEMENTED", "Error", "The {0} method is not implemented"),
    ("ERR_MULTIPLE_CALLBACK", "Error", "Callback called multiple times"),
    ("ERR_NOT_SUPPORTED", "Error", "mauve does not support {0}"),
    ("ERR_PARSE_ARGS_INVALID_OPTION_VALUE", "TypeError", "{0}"),
    (
        "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL",
        "TypeError",
        "Unexpected argument '{0}'. This command does not take positional arguments",
    ),
    ("ERR_PERFORMANCE_INVALID_TIMESTAMP", "TypeError", "{0} is not a valid timestamp"),
    ("ERR_PERFORMANCE_MEASURE_INVALID_OPTIONS", "TypeError", "{0}"),
    (
        "ERR_REQUIRE_ASYNC_MODULE",
        "Error",
        "require() cannot be used on an ESM graph with top-level await. Use import() instead. To see \
         where the top-level await comes from, use --experimental-print-required-tla.\n  From {0} \
         \n  Requiring {1} ",
    ),
    ("ERR_REQUIRE_CYCLE_MODULE", "Error", "Cannot require() ES Module {0} in a cycle. (from {1})"),
    (
        "ERR_SERVER_ALREADY_LISTEN",
        "Error",
        "Listen method has been called more than once without closing.",
    ),
    ("ERR_SERVER_NOT_RUNNING", "Error", "Server is not running."),
    ("ERR_SOCKET_ALREADY_BOUND", "Error", "Socket is already bound"),
    ("ERR_SOCKET_BAD_BUFFER_SIZE", "TypeError", "Buffer size must be a positive integer"),
    ("ERR_SOCKET_BAD_TYPE", "TypeError", "Bad socket type specified. Valid types are: udp4, udp6"),
    ("ERR_SOCKET_CLOSED", "Error", "Socket is closed"),
    (
        "ERR_SOCKET_CLOSED_BEFORE_CONNECTION",
        "Error",
        "Socket closed before the connection was established",
    ),
    ("ERR_SOCKET_CONNECTION_TIMEOUT", "Error", "Socket connection timeout"),
    ("ERR_SOCKET_DGRAM_IS_CONNECTED", "Error", "Already connected"),
    ("ERR_SOCKET_DGRAM_NOT_CONNECTED", "Error", "Not connected"),
    ("ERR_SOCKET_DGRAM_NOT_RUNNING", "Error", "Not running"),
    ("ERR_STREAM_ALREADY_FINISHED", "Error", "Cannot call {0} after a stream was finished"),
    ("ERR_STREAM_CANNOT_PIPE", "Error", "Cannot pipe, not readable"),
    ("ERR_STREAM_DESTROYED", "Error", "Cannot call {0} after a stream was destroyed"),
    ("ERR_STREAM_NULL_VALUES", "TypeError", "May not write null values to stream"),
    ("ERR_STREAM_PREMATURE_CLOSE", "Error", "Premature close"),
    ("ERR_STREAM_PUSH_AFTER_EOF", "Error", "stream.push() after EOF"),
    ("ERR_STREAM_UNSHIFT_AFTER_END_EVENT", "Error", "stream.unshift() after end event"),
    ("ERR_STREAM_WRITE_AFTER_END", "Error", "write after end"),
    ("ERR_STRING_TOO_LONG", "Error", "Cannot create a string longer than 0x1fffffe8 characters"),
    (
        "ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET",
        "Error",
        "`process.setupUncaughtExceptionCapture()` was called while a capture callback was already active",
    ),
    ("ERR_UNESCAPED_CHARACTERS", "TypeError", "{0} contains unescaped characters"),
    ("ERR_UNKNOWN_BUILTIN_MODULE", "Error", "No such built-in module: {0}"),
    ("ERR_UNKNOWN_CREDENTIAL", "Error", "{0} identifier does not exist: {1}"),
    ("ERR_UNKNOWN_SIGNAL", "TypeError", "Unknown signal: {0}"),
    (
        "ERR_UNSUPPORTED_DIR_IMPORT",
        "Error",
        "Directory import '{0}' is not supported resolving ES modules imported from {1}",
    ),
    ("ERR_USE_AFTER_CLOSE", "Error", "{0} was closed"),
];

/// The base classes and the message of the error with this code.
pub(super) fn find(code: &str) -> Option<Vec<&'static str>> {
    let index = MESSAGES.binary_search_by_key(&code, |(code, ..)| code).ok()?;
    let (_, bases, message) = MESSAGES[index];
    Some(vec![bases, message])
}

#[cfg(test)]
mod tests {
    use super::{MESSAGES, find};

    #[test]
    fn the_codes_are_sorted() {
        assert!(MESSAGES.is_sorted_by_key(|(code, ..)| code));
        assert_eq!(find("ERR_USE_AFTER_CLOSE"), Some(vec!["Error", "{0} was closed"]));
        assert_eq!(find("ERR_NONE"), None);
    }
}
