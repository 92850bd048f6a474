//! The methods and the characters of tokens.

/// A method and the protocols that allow it.
pub(crate) struct Method {
    pub name: &'static str,
    pub http: bool,
    pub rtsp: bool,
}

const fn http(name: &'static str) -> Method {
    Method { name, http: true, rtsp: false }
}

const fn rtsp(name: &'static str) -> Method {
    Method { name, http: false, rtsp: true }
}

const fn both(name: &'static str) -> Method {
    Method { name, http: true, rtsp: true }
}

/// The methods that Node's parser knows, sorted.
pub(crate) const METHODS: &[Method] = &[
    http("ACL"),
    rtsp("ANNOUNCE"),
    http("BIND"),
    http("CHECKOUT"),
    http("CONNECT"),
    http("COPY"),
    http("DELETE"),
    rtsp("DESCRIBE"),
    rtsp("FLUSH"),
    both("GET"),
    rtsp("GET_PARAMETER"),
    http("HEAD"),
    http("LINK"),
    http("LOCK"),
    http("M-SEARCH"),
    http("MERGE"),
    http("MKACTIVITY"),
    http("MKCALENDAR"),
    http("MKCOL"),
    http("MOVE"),
    http("NOTIFY"),
    both("OPTIONS"),
    http("PATCH"),
    rtsp("PAUSE"),
    rtsp("PLAY"),
    both("POST"),
    PREFACE,
    http("PROPFIND"),
    http("PROPPATCH"),
    http("PURGE"),
    http("PUT"),
    http("QUERY"),
    http("REBIND"),
    rtsp("RECORD"),
    rtsp("REDIRECT"),
    http("REPORT"),
    http("SEARCH"),
    rtsp("SETUP"),
    rtsp("SET_PARAMETER"),
    http("SOURCE"),
    http("SUBSCRIBE"),
    rtsp("TEARDOWN"),
    http("TRACE"),
    http("UNBIND"),
    http("UNLINK"),
    http("UNLOCK"),
    http("UNSUBSCRIBE"),
];

/// The method of the connection preface of HTTP/2.
const PREFACE: Method = Method { name: "PRI", http: false, rtsp: false };

/// The first method from `index` on that continues the first `length` bytes of that method with
/// `byte`. The methods are sorted, so those with the same start are neighbours.
pub(super) fn narrow(index: usize, length: usize, byte: u8) -> Option<usize> {
    let start = &METHODS[index].name.as_bytes()[..length];
    let alike = METHODS[index..].iter().take_while(|it| it.name.as_bytes().starts_with(start));
    alike
        .map(|it| it.name.as_bytes().get(length))
        .position(|it| it == Some(&byte))
        .map(|n| index + n)
}

/// The index of GET.
pub(super) const GET: usize = {
    let mut index = 0;
    while !matches!(METHODS[index].name.as_bytes(), b"GET") {
        index += 1;
    }
    index
};

/// Whether the byte may be part of a token (RFC 9110), as header names and methods are.
pub(crate) const fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b'.' | b'^'..=b'`' | b'|' | b'~')
}

pub(crate) fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(is_token_byte)
}
