//! Parses the heads of HTTP messages, with httparse.
//!
//! A head is parsed when it is complete. The result has the headers and flags for the framing of
//! the body and the connection. `internal/http/parser` parses the body.

use httparse::{Header, Status};
use rquickjs::{Array, Ctx, IntoJs, Object, Result, TypedArray, Value};

use super::define;
use crate::host::views;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "parseRequest", |ctx, view, from: usize| {
        parse(&ctx, &view, from, request::<USUAL_HEADERS>, request::<MAX_HEADERS>)
    })?;
    define(object, "parseResponse", |ctx, view, from: usize| {
        parse(&ctx, &view, from, response::<USUAL_HEADERS>, response::<MAX_HEADERS>)
    })?;
    define(object, "parseTrailers", |ctx, view, from: usize| {
        parse(&ctx, &view, from, trailers::<USUAL_HEADERS>, trailers::<MAX_HEADERS>)
    })?;
    define(object, "isToken", |text: String| is_token(&text))?;
    object.set("methods", METHODS.to_vec())?;
    let flags = Object::new(object.ctx().clone())?;
    flags.set("CHUNKED", CHUNKED)?;
    flags.set("LENGTH", LENGTH)?;
    flags.set("KEEP_ALIVE", KEEP_ALIVE)?;
    flags.set("UPGRADE", UPGRADE)?;
    flags.set("HOST", HOST)?;
    flags.set("EXPECT", EXPECT)?;
    object.set("flags", flags)
}

/// The transfer encoding is chunked.
const CHUNKED: u32 = 1;
/// There is a Content-Length.
const LENGTH: u32 = 2;
/// The connection is persistent.
const KEEP_ALIVE: u32 = 4;
/// The message requests an upgrade, or the method is CONNECT.
const UPGRADE: u32 = 8;
/// There is a Host header.
const HOST: u32 = 16;
/// There is an Expect header.
const EXPECT: u32 = 32;

/// The capacity for headers of the first attempt, and of the second.
const USUAL_HEADERS: usize = 64;
const MAX_HEADERS: usize = 2000;

/// A parse error: Node's code and reason.
type ParseError = (&'static str, &'static str);

type Parsed<'js> = Result<std::result::Result<Option<Array<'js>>, ParseError>>;

/// Returns `undefined` if the head is incomplete, `[code, reason]` if it is invalid, or the parsed
/// head.
fn parse<'js>(
    ctx: &Ctx<'js>,
    view: &TypedArray<'js, u8>,
    from: usize,
    first: fn(&Ctx<'js>, &[u8]) -> Option<Parsed<'js>>,
    second: fn(&Ctx<'js>, &[u8]) -> Option<Parsed<'js>>,
) -> Result<Value<'js>> {
    let to_js = |parsed: Parsed<'js>| match parsed? {
        Ok(found) => found.into_js(ctx),
        Err((code, reason)) => vec![code, reason].into_js(ctx),
    };
    // Copied, because creating the result may run JavaScript (setters on Array.prototype).
    let bytes = views::range(view, from, usize::MAX);
    let parsed = first(ctx, &bytes).or_else(|| second(ctx, &bytes));
    to_js(parsed.unwrap_or(Ok(Err(("HPE_HEADER_OVERFLOW", "Header overflow")))))
}

/// `[consumed, flags, length, minor, method, url, headers]`; `None` if there are more headers than
/// `CAPACITY`.
fn request<'js, const CAPACITY: usize>(ctx: &Ctx<'js>, bytes: &[u8]) -> Option<Parsed<'js>> {
    let mut headers = [httparse::EMPTY_HEADER; CAPACITY];
    let mut request = httparse::Request::new(&mut headers);
    let consumed = match request.parse(bytes) {
        Ok(Status::Complete(consumed)) => consumed,
        Ok(Status::Partial) => return Some(Ok(check_method(bytes).map(|()| None))),
        Err(httparse::Error::TooManyHeaders) => return None,
        Err(error) => return Some(Ok(Err(check_method(bytes).err().unwrap_or(reason(error))))),
    };
    let method = request.method.unwrap_or_default();
    if !METHODS.contains(&method) {
        return Some(Ok(Err(INVALID_METHOD)));
    }
    let minor = request.version.unwrap_or(1);
    let mut info = match HeadInfo::of(request.headers) {
        Ok(info) => info,
        Err(error) => return Some(Ok(Err(error))),
    };
    info.upgrade |= method == "CONNECT";
    Some(make(ctx, consumed, minor, &info, request.headers, |array| {
        array.set(4, method)?;
        array.set(5, request.path.unwrap_or_default())
    }))
}

/// `[consumed, flags, length, minor, status, reason, headers]`; `None` as for `request`.
fn response<'js, const CAPACITY: usize>(ctx: &Ctx<'js>, bytes: &[u8]) -> Option<Parsed<'js>> {
    let mut headers = [httparse::EMPTY_HEADER; CAPACITY];
    let mut response = httparse::Response::new(&mut headers);
    let consumed = match response.parse(bytes) {
        Ok(Status::Complete(consumed)) => consumed,
        Ok(Status::Partial) => return Some(Ok(Ok(None))),
        Err(httparse::Error::TooManyHeaders) => return None,
        Err(httparse::Error::Token | httparse::Error::Version) => {
            let expected = "Expected HTTP/, RTSP/ or ICE/";
            return Some(Ok(Err(("HPE_INVALID_CONSTANT", expected))));
        }
        Err(error) => return Some(Ok(Err(reason(error)))),
    };
    let info = match HeadInfo::of(response.headers) {
        Ok(info) => info,
        Err(error) => return Some(Ok(Err(error))),
    };
    let minor = response.version.unwrap_or(1);
    Some(make(ctx, consumed, minor, &info, response.headers, |array| {
        array.set(4, response.code.unwrap_or_default())?;
        array.set(5, response.reason.unwrap_or_default())
    }))
}

/// `[consumed, headers]`; `None` as for `request`.
fn trailers<'js, const CAPACITY: usize>(ctx: &Ctx<'js>, bytes: &[u8]) -> Option<Parsed<'js>> {
    let mut headers = [httparse::EMPTY_HEADER; CAPACITY];
    match httparse::parse_headers(bytes, &mut headers) {
        Ok(Status::Complete((consumed, headers))) => Some((|| {
            let array = Array::new(ctx.clone())?;
            array.set(0, consumed)?;
            array.set(1, raw_headers(ctx, headers)?)?;
            Ok(Ok(Some(array)))
        })()),
        Ok(Status::Partial) => Some(Ok(Ok(None))),
        Err(httparse::Error::TooManyHeaders) => None,
        Err(error) => Some(Ok(Err(reason(error)))),
    }
}

fn make<'js>(
    ctx: &Ctx<'js>,
    consumed: usize,
    minor: u8,
    info: &HeadInfo,
    headers: &[Header<'_>],
    first_line: impl FnOnce(&Array<'js>) -> Result<()>,
) -> Parsed<'js> {
    let array = Array::new(ctx.clone())?;
    array.set(0, consumed)?;
    array.set(1, info.flags(minor))?;
    array.set(2, info.length.unwrap_or(0) as f64)?;
    array.set(3, minor)?;
    first_line(&array)?;
    array.set(6, raw_headers(ctx, headers)?)?;
    Ok(Ok(Some(array)))
}

/// Returns `[name, value, name, value, …]`.
fn raw_headers<'js>(ctx: &Ctx<'js>, headers: &[Header<'_>]) -> Result<Array<'js>> {
    let array = Array::new(ctx.clone())?;
    for (index, header) in headers.iter().enumerate() {
        array.set(index * 2, header.name)?;
        match std::str::from_utf8(header.value) {
            Ok(text) if text.is_ascii() => array.set(index * 2 + 1, text)?,
            // Other values are decoded as Latin-1.
            _ => {
                let text: String = header.value.iter().map(|byte| char::from(*byte)).collect();
                array.set(index * 2 + 1, text)?;
            }
        }
    }
    Ok(array)
}

/// What the headers determine about the body and the connection.
#[derive(Default)]
struct HeadInfo {
    length: Option<u64>,
    encoded: bool,
    chunked: bool,
    close: bool,
    keep_alive: bool,
    upgrade: bool,
    host: bool,
    expect: bool,
}

impl HeadInfo {
    fn of(headers: &[Header<'_>]) -> std::result::Result<Self, ParseError> {
        let mut this = Self::default();
        let (mut has_upgrade, mut connection_upgrade) = (false, false);
        for header in headers {
            match header.name.len() {
                4 if header.name.eq_ignore_ascii_case("host") => this.host = true,
                6 if header.name.eq_ignore_ascii_case("expect") => this.expect = true,
                7 if header.name.eq_ignore_ascii_case("upgrade") => has_upgrade = true,
                10 if header.name.eq_ignore_ascii_case("connection") => {
                    for token in header.value.split(|byte| *byte == b',') {
                        let token = token.trim_ascii();
                        this.close |= token.eq_ignore_ascii_case(b"close");
                        this.keep_alive |= token.eq_ignore_ascii_case(b"keep-alive");
                        connection_upgrade |= token.eq_ignore_ascii_case(b"upgrade");
                    }
                }
                14 if header.name.eq_ignore_ascii_case("content-length") => {
                    this.set_content_length(header.value)?;
                }
                17 if header.name.eq_ignore_ascii_case("transfer-encoding") => {
                    if this.length.is_some() {
                        return Err((
                            "HPE_INVALID_TRANSFER_ENCODING",
                            "Transfer-Encoding can't be present with Content-Length",
                        ));
                    }
                    let last = header.value.rsplit(|byte| *byte == b',').next();
                    let last = last.unwrap_or_default().trim_ascii();
                    this.encoded = true;
                    this.chunked = last.eq_ignore_ascii_case(b"chunked");
                }
                _ => {}
            }
        }
        this.upgrade = has_upgrade && connection_upgrade;
        Ok(this)
    }

    fn set_content_length(&mut self, value: &[u8]) -> std::result::Result<(), ParseError> {
        if self.encoded {
            return Err((
                "HPE_INVALID_CONTENT_LENGTH",
                "Content-Length can't be present with Transfer-Encoding",
            ));
        }
        if self.length.is_some() {
            return Err(("HPE_UNEXPECTED_CONTENT_LENGTH", "Content-Length already present"));
        }
        let digits = std::str::from_utf8(value)
            .ok()
            .filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
        let invalid = ("HPE_INVALID_CONTENT_LENGTH", "Invalid character in Content-Length");
        self.length = Some(
            digits
                .ok_or(invalid)?
                .parse()
                .map_err(|_| ("HPE_INVALID_CONTENT_LENGTH", "Content-Length overflow"))?,
        );
        Ok(())
    }

    fn flags(&self, minor: u8) -> u32 {
        let keep_alive = if minor == 0 { self.keep_alive && !self.close } else { !self.close };
        [
            (self.chunked, CHUNKED),
            (self.length.is_some(), LENGTH),
            (keep_alive, KEEP_ALIVE),
            (self.upgrade, UPGRADE),
            (self.host, HOST),
            (self.expect, EXPECT),
        ]
        .into_iter()
        .filter_map(|(is, flag)| is.then_some(flag))
        .sum()
    }
}

const INVALID_METHOD: ParseError = ("HPE_INVALID_METHOD", "Invalid method encountered");

/// Checks that a possibly incomplete request starts with a known method.
fn check_method(bytes: &[u8]) -> std::result::Result<(), ParseError> {
    // Empty lines before a request are skipped.
    let start = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(bytes.len());
    let bytes = &bytes[start..];
    let end = bytes.iter().position(|byte| *byte == b' ');
    let name = &bytes[..end.unwrap_or(bytes.len())];
    let fits = |method: &&str| match end {
        Some(_) => method.as_bytes() == name,
        None => method.as_bytes().starts_with(name),
    };
    if METHODS.iter().any(fits) { Ok(()) } else { Err(INVALID_METHOD) }
}

fn reason(error: httparse::Error) -> ParseError {
    match error {
        httparse::Error::HeaderName => ("HPE_INVALID_HEADER_TOKEN", "Invalid header token"),
        httparse::Error::HeaderValue => ("HPE_INVALID_HEADER_TOKEN", "Invalid header value char"),
        httparse::Error::NewLine => ("HPE_LF_EXPECTED", "Missing expected LF after header value"),
        httparse::Error::Status => ("HPE_INVALID_STATUS", "Invalid status code"),
        httparse::Error::Token => ("HPE_INVALID_URL", "Invalid characters in url"),
        httparse::Error::TooManyHeaders => ("HPE_HEADER_OVERFLOW", "Header overflow"),
        httparse::Error::Version => ("HPE_INVALID_CONSTANT", "Expected HTTP/"),
    }
}

/// Whether this is a token (RFC 9110), as header names and methods are.
fn is_token(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

/// The methods that Node accepts, in its order.
const METHODS: &[&str] = &[
    "ACL",
    "BIND",
    "CHECKOUT",
    "CONNECT",
    "COPY",
    "DELETE",
    "GET",
    "HEAD",
    "LINK",
    "LOCK",
    "M-SEARCH",
    "MERGE",
    "MKACTIVITY",
    "MKCALENDAR",
    "MKCOL",
    "MOVE",
    "NOTIFY",
    "OPTIONS",
    "PATCH",
    "POST",
    "PROPFIND",
    "PROPPATCH",
    "PURGE",
    "PUT",
    "QUERY",
    "REBIND",
    "REPORT",
    "SEARCH",
    "SOURCE",
    "SUBSCRIBE",
    "TRACE",
    "UNBIND",
    "UNLINK",
    "UNLOCK",
    "UNSUBSCRIBE",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn info(head: &str) -> std::result::Result<u32, ParseError> {
        let mut headers = [httparse::EMPTY_HEADER; 8];
        let parsed = httparse::parse_headers(head.as_bytes(), &mut headers).unwrap();
        let Status::Complete((_, headers)) = parsed else { panic!("the head is complete") };
        HeadInfo::of(headers).map(|info| info.flags(1))
    }

    #[test]
    fn headers_determine_the_framing_of_the_body() {
        assert_eq!(info("Content-Length: 5\r\n\r\n"), Ok(LENGTH | KEEP_ALIVE));
        assert_eq!(info("Transfer-Encoding: gzip, Chunked\r\n\r\n"), Ok(CHUNKED | KEEP_ALIVE));
        assert_eq!(info("Connection: Close\r\n\r\n"), Ok(0));
    }

    #[test]
    fn conflicting_lengths_are_errors() {
        let twice = info("Content-Length: 5\r\nContent-Length: 5\r\n\r\n");
        assert!(matches!(twice, Err(("HPE_UNEXPECTED_CONTENT_LENGTH", _))));
        let both = info("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n");
        assert!(matches!(both, Err(("HPE_INVALID_TRANSFER_ENCODING", _))));
        let negative = info("Content-Length: -5\r\n\r\n");
        assert!(matches!(negative, Err(("HPE_INVALID_CONTENT_LENGTH", _))));
    }

    #[test]
    fn an_upgrade_needs_both_headers() {
        let upgrade = "Connection: keep-alive, Upgrade\r\nUpgrade: x\r\n\r\n";
        assert_eq!(info(upgrade), Ok(KEEP_ALIVE | UPGRADE));
        assert_eq!(info("Upgrade: x\r\n\r\n"), Ok(KEEP_ALIVE));
    }

    #[test]
    fn a_request_starts_with_a_known_method() {
        assert_eq!(check_method(b"GE"), Ok(()));
        assert_eq!(check_method(b"\r\nGET / "), Ok(()));
        assert_eq!(check_method(b"GETS"), Err(INVALID_METHOD));
        assert_eq!(check_method(b"\x16\x03"), Err(INVALID_METHOD));
    }
}
