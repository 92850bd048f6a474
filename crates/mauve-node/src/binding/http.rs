//! Heads of HTTP messages.
//!
//! A head is parsed when all of it is there, and handed over with what its headers mean for the
//! body and the connection. Bodies are JavaScript's.

use httparse::{Header, Status};
use rquickjs::{Array, Ctx, IntoJs, Object, Result, TypedArray, Value};

use super::functions;
use crate::host::views;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "parseRequest" => |ctx, view, from: usize| {
            parse(&ctx, &view, from, request::<FEW>, request::<MANY>)
        },
        "parseResponse" => |ctx, view, from: usize| {
            parse(&ctx, &view, from, response::<FEW>, response::<MANY>)
        },
        "parseTrailers" => |ctx, view, from: usize| {
            parse(&ctx, &view, from, trailers::<FEW>, trailers::<MANY>)
        },
        "isToken" => |text: String| is_token(&text),
    });
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

/// The body comes in chunks.
const CHUNKED: u32 = 1;
/// The length of the body is known.
const LENGTH: u32 = 2;
/// The connection may be used again.
const KEEP_ALIVE: u32 = 4;
/// Another protocol is wanted.
const UPGRADE: u32 = 8;
/// The host is named.
const HOST: u32 = 16;
/// Something is expected before the body is sent.
const EXPECT: u32 = 32;

/// How many headers there is room for at first, and at last.
const FEW: usize = 64;
const MANY: usize = 2000;

/// Why something is no head: the name that Node has for it, and the words.
type Refusal = (&'static str, &'static str);

type Parsed<'js> = Result<std::result::Result<Option<Array<'js>>, Refusal>>;

/// Returns `undefined` if there is too little, `[code, reason]` if it is wrong, or what there is.
fn parse<'js>(
    ctx: &Ctx<'js>,
    view: &TypedArray<'js, u8>,
    from: usize,
    usual: fn(&Ctx<'js>, &[u8]) -> Option<Parsed<'js>>,
    large: fn(&Ctx<'js>, &[u8]) -> Option<Parsed<'js>>,
) -> Result<Value<'js>> {
    let answer = |parsed: Parsed<'js>| match parsed? {
        Ok(found) => found.into_js(ctx),
        Err((code, reason)) => vec![code, reason].into_js(ctx),
    };
    // A copy: making the answer may run JavaScript, if a script has put setters on arrays.
    let bytes = views::range(view, from, usize::MAX);
    let parsed = usual(ctx, &bytes).or_else(|| large(ctx, &bytes));
    answer(parsed.unwrap_or(Ok(Err(("HPE_HEADER_OVERFLOW", "Header overflow")))))
}

/// `[consumed, flags, length, minor, method, url, headers]`; `None` if there are more headers.
fn request<'js, const ROOM: usize>(ctx: &Ctx<'js>, bytes: &[u8]) -> Option<Parsed<'js>> {
    let mut headers = [httparse::EMPTY_HEADER; ROOM];
    let mut request = httparse::Request::new(&mut headers);
    let consumed = match request.parse(bytes) {
        Ok(Status::Complete(consumed)) => consumed,
        Ok(Status::Partial) => return Some(Ok(check_beginning(bytes).map(|()| None))),
        Err(httparse::Error::TooManyHeaders) => return None,
        Err(error) => return Some(Ok(Err(check_beginning(bytes).err().unwrap_or(reason(error))))),
    };
    let method = request.method.unwrap_or_default();
    if !METHODS.contains(&method) {
        return Some(Ok(Err(INVALID_METHOD)));
    }
    let minor = request.version.unwrap_or(1);
    let mut meaning = match Meaning::of(request.headers) {
        Ok(meaning) => meaning,
        Err(refusal) => return Some(Ok(Err(refusal))),
    };
    meaning.upgrade |= method == "CONNECT";
    Some(make(ctx, consumed, minor, &meaning, request.headers, |array| {
        array.set(4, method)?;
        array.set(5, request.path.unwrap_or_default())
    }))
}

/// `[consumed, flags, length, minor, status, reason, headers]`; `None` if there are more headers.
fn response<'js, const ROOM: usize>(ctx: &Ctx<'js>, bytes: &[u8]) -> Option<Parsed<'js>> {
    let mut headers = [httparse::EMPTY_HEADER; ROOM];
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
    let meaning = match Meaning::of(response.headers) {
        Ok(meaning) => meaning,
        Err(refusal) => return Some(Ok(Err(refusal))),
    };
    let minor = response.version.unwrap_or(1);
    Some(make(ctx, consumed, minor, &meaning, response.headers, |array| {
        array.set(4, response.code.unwrap_or_default())?;
        array.set(5, response.reason.unwrap_or_default())
    }))
}

/// `[consumed, headers]`; `None` if there are more headers.
fn trailers<'js, const ROOM: usize>(ctx: &Ctx<'js>, bytes: &[u8]) -> Option<Parsed<'js>> {
    let mut headers = [httparse::EMPTY_HEADER; ROOM];
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
    meaning: &Meaning,
    headers: &[Header<'_>],
    first_line: impl FnOnce(&Array<'js>) -> Result<()>,
) -> Parsed<'js> {
    let array = Array::new(ctx.clone())?;
    array.set(0, consumed)?;
    array.set(1, meaning.flags(minor))?;
    array.set(2, meaning.length.unwrap_or(0) as f64)?;
    array.set(3, minor)?;
    first_line(&array)?;
    array.set(6, raw_headers(ctx, headers)?)?;
    Ok(Ok(Some(array)))
}

/// Names and values by turns.
fn raw_headers<'js>(ctx: &Ctx<'js>, headers: &[Header<'_>]) -> Result<Array<'js>> {
    let array = Array::new(ctx.clone())?;
    for (place, header) in headers.iter().enumerate() {
        array.set(place * 2, header.name)?;
        match std::str::from_utf8(header.value) {
            Ok(text) if text.is_ascii() => array.set(place * 2 + 1, text)?,
            // Each byte is a letter, as in Latin-1.
            _ => {
                let text: String = header.value.iter().map(|byte| char::from(*byte)).collect();
                array.set(place * 2 + 1, text)?;
            }
        }
    }
    Ok(array)
}

/// What the headers mean for the body and the connection.
#[derive(Default)]
struct Meaning {
    length: Option<u64>,
    encoded: bool,
    chunked: bool,
    close: bool,
    keep_alive: bool,
    upgrade: bool,
    host: bool,
    expect: bool,
}

impl Meaning {
    fn of(headers: &[Header<'_>]) -> std::result::Result<Self, Refusal> {
        let mut this = Self::default();
        let (mut names_upgrade, mut asks_upgrade) = (false, false);
        for header in headers {
            match header.name.len() {
                4 if header.name.eq_ignore_ascii_case("host") => this.host = true,
                6 if header.name.eq_ignore_ascii_case("expect") => this.expect = true,
                7 if header.name.eq_ignore_ascii_case("upgrade") => names_upgrade = true,
                10 if header.name.eq_ignore_ascii_case("connection") => {
                    for token in header.value.split(|byte| *byte == b',') {
                        let token = token.trim_ascii();
                        this.close |= token.eq_ignore_ascii_case(b"close");
                        this.keep_alive |= token.eq_ignore_ascii_case(b"keep-alive");
                        asks_upgrade |= token.eq_ignore_ascii_case(b"upgrade");
                    }
                }
                14 if header.name.eq_ignore_ascii_case("content-length") => {
                    this.take_length(header.value)?;
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
        this.upgrade = names_upgrade && asks_upgrade;
        Ok(this)
    }

    fn take_length(&mut self, value: &[u8]) -> std::result::Result<(), Refusal> {
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
        let wrong = ("HPE_INVALID_CONTENT_LENGTH", "Invalid character in Content-Length");
        self.length = Some(
            digits
                .ok_or(wrong)?
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

const INVALID_METHOD: Refusal = ("HPE_INVALID_METHOD", "Invalid method encountered");

/// Whether a request can begin like this: with a method that exists.
fn check_beginning(bytes: &[u8]) -> std::result::Result<(), Refusal> {
    // Empty lines before a request are overlooked.
    let start = bytes.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(bytes.len());
    let bytes = &bytes[start..];
    let end = bytes.iter().position(|byte| *byte == b' ');
    let word = &bytes[..end.unwrap_or(bytes.len())];
    let fits = |method: &&str| match end {
        Some(_) => method.as_bytes() == word,
        None => method.as_bytes().starts_with(word),
    };
    if METHODS.iter().any(fits) { Ok(()) } else { Err(INVALID_METHOD) }
}

fn reason(error: httparse::Error) -> Refusal {
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

/// Whether this can be the name of a header or a method.
fn is_token(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_part)
}

/// What Node takes for a method, in its order.
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

    fn meaning(head: &str) -> std::result::Result<u32, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; 8];
        let parsed = httparse::parse_headers(head.as_bytes(), &mut headers).unwrap();
        let Status::Complete((_, headers)) = parsed else { panic!("a whole head") };
        Meaning::of(headers).map(|meaning| meaning.flags(1))
    }

    #[test]
    fn headers_say_where_the_body_ends() {
        assert_eq!(meaning("Content-Length: 5\r\n\r\n"), Ok(LENGTH | KEEP_ALIVE));
        assert_eq!(meaning("Transfer-Encoding: gzip, Chunked\r\n\r\n"), Ok(CHUNKED | KEEP_ALIVE));
        assert_eq!(meaning("Connection: Close\r\n\r\n"), Ok(0));
    }

    #[test]
    fn two_lengths_are_one_too_many() {
        let twice = meaning("Content-Length: 5\r\nContent-Length: 5\r\n\r\n");
        assert!(matches!(twice, Err(("HPE_UNEXPECTED_CONTENT_LENGTH", _))));
        let both = meaning("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n");
        assert!(matches!(both, Err(("HPE_INVALID_TRANSFER_ENCODING", _))));
        let negative = meaning("Content-Length: -5\r\n\r\n");
        assert!(matches!(negative, Err(("HPE_INVALID_CONTENT_LENGTH", _))));
    }

    #[test]
    fn an_upgrade_is_asked_for_twice() {
        let asked = "Connection: keep-alive, Upgrade\r\nUpgrade: x\r\n\r\n";
        assert_eq!(meaning(asked), Ok(KEEP_ALIVE | UPGRADE));
        assert_eq!(meaning("Upgrade: x\r\n\r\n"), Ok(KEEP_ALIVE));
    }

    #[test]
    fn a_request_begins_with_a_method() {
        assert_eq!(check_beginning(b"GE"), Ok(()));
        assert_eq!(check_beginning(b"\r\nGET / "), Ok(()));
        assert_eq!(check_beginning(b"GETS"), Err(INVALID_METHOD));
        assert_eq!(check_beginning(b"\x16\x03"), Err(INVALID_METHOD));
    }
}
