//! Start lines and header fields.

use super::super::methods::{GET, METHODS, is_token_byte, narrow};
use super::{BodyKind, Event, Head, ParseError, Parser, Role, State, error, flag};

/// The fields that determine the body and the connection.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Connection,
    ContentLength,
    TransferEncoding,
    Upgrade,
    Other,
}

impl Field {
    fn of(name: &[u8]) -> (Self, u16) {
        let is = |other: &str| name.eq_ignore_ascii_case(other.as_bytes());
        match name.len() {
            4 if is("host") => (Self::Other, flag::HOST),
            6 if is("expect") => (Self::Other, flag::EXPECT),
            7 if is("upgrade") => (Self::Upgrade, 0),
            10 if is("connection") => (Self::Connection, 0),
            16 if is("proxy-connection") => (Self::Connection, 0),
            14 if is("content-length") => (Self::ContentLength, 0),
            17 if is("transfer-encoding") => (Self::TransferEncoding, 0),
            _ => (Self::Other, 0),
        }
    }
}

pub(super) const URL: &str = "HPE_INVALID_URL";
const VERSION: &str = "HPE_INVALID_VERSION";
const CONSTANT: &str = "HPE_INVALID_CONSTANT";
const TOKEN: &str = "HPE_INVALID_HEADER_TOKEN";
const STATUS: &str = "HPE_INVALID_STATUS";
const LENGTH: &str = "HPE_INVALID_CONTENT_LENGTH";
const ENCODING: &str = "HPE_INVALID_TRANSFER_ENCODING";
const STRICT: &str = "HPE_STRICT";
const OVERFLOW: &str = "HPE_HEADER_OVERFLOW";

/// The rest of the connection preface of HTTP/2 after its first line.
const PREFACE_END: &[u8] = b"\r\nSM\r\n\r\n";

/// Whether the error is at the byte, or after it because it is consumed.
pub(super) enum Side {
    At,
    After,
}
use Side::{After, At};

/// The code of an error, its reason, and where it is.
pub(super) type HeadError = (&'static str, &'static str, Side);

impl Parser {
    /// Parses a byte, or a sequence of bytes of one state.
    pub(super) fn head_step(
        &mut self,
        bytes: &[u8],
        at: &mut usize,
    ) -> Result<Option<Event>, ParseError> {
        self.take_common(bytes, at);
        self.take_run(bytes, at);
        let Some(&byte) = bytes.get(*at) else { return Ok(None) };
        let ended_before = self.state;
        let (next, consumes) = match self.head_byte(byte) {
            Ok(next) => next,
            Err((code, reason, side)) => {
                self.check_sizes(*at)?;
                let at = *at + usize::from(matches!(side, After));
                return Err(error(code, reason, at));
            }
        };
        self.state = next;
        if next != ended_before {
            self.check_sizes(*at + 1)?;
        }
        *at += usize::from(consumes);
        Ok((next == State::HeadComplete).then_some(Event::Head))
    }

    /// Fast path: consumes several bytes of most requests at once.
    fn take_common(&mut self, bytes: &[u8], at: &mut usize) {
        if self.role != Role::Requests || self.header_size.max(1) >= self.max_header_size {
            return;
        }
        let rest = &bytes[*at..];
        if self.state == State::Start && rest.starts_with(b"GET /") {
            self.begin_head();
            self.head.method = GET;
            self.head.text.push(b'/');
            self.header_size = 1;
            self.state = State::UrlPath;
            *at += 5;
        } else if self.state == State::ProtocolStart
            && rest.starts_with(b"HTTP/1.1\r\n")
            && METHODS[self.head.method].http
        {
            (self.head.major, self.head.minor) = (1, 1);
            self.state = State::FieldStart;
            *at += 10;
        }
    }

    /// Consumes the valid bytes of a URL, a reason phrase, a name or a value.
    fn take_run(&mut self, bytes: &[u8], at: &mut usize) {
        let accepts: fn(u8) -> bool = match self.state {
            State::UrlPath => |byte| matches!(byte, b'!'..=b'~') && !matches!(byte, b'?' | b'#'),
            State::UrlQuery => |byte| matches!(byte, b'!'..=b'~') && byte != b'#',
            State::UrlFragment => |byte| matches!(byte, b'!'..=b'~'),
            State::Reason => |byte| !matches!(byte, b'\r' | b'\n'),
            State::FieldName => is_token_byte,
            State::Value if self.field == Field::TransferEncoding => return,
            State::Value => |byte| matches!(byte, b'\t' | b' '..=b'~' | 0x80..),
            _ => return,
        };
        let rest = &bytes[*at..];
        let count = rest.iter().position(|byte| !accepts(*byte)).unwrap_or(rest.len());
        let is_field = matches!(self.state, State::FieldName | State::Value);
        let target = if is_field { &mut self.head.fields } else { &mut self.head.text };
        target.extend_from_slice(&rest[..count]);
        self.header_size += count;
        *at += count;
    }

    /// Returns the next state and whether the byte is consumed.
    fn head_byte(&mut self, byte: u8) -> Result<(State, bool), HeadError> {
        let token = |reason, side| Err((TOKEN, reason, side));
        let next = match self.state {
            State::Start => return self.start_line(byte),
            State::Method => self.method(byte)?,
            State::ProtocolStart | State::Protocol => self.protocol(byte)?,
            State::Major => {
                self.head.major = digit(byte).ok_or((VERSION, "Invalid major version", At))?;
                State::Dot
            }
            State::Dot if byte == b'.' => State::Minor,
            State::Dot => return Err((VERSION, "Expected dot", At)),
            State::Minor => self.minor(byte)?,
            State::RequestCr => match byte {
                b'\r' => State::RequestLf,
                b'\n' => return Err((VERSION, "Expected CRLF after version", After)),
                _ => return Err((VERSION, "Expected CRLF after version", At)),
            },
            State::RequestLf if byte != b'\n' => {
                return Err((STRICT, "Expected CRLF after version", At));
            }
            State::RequestLf => match METHODS[self.head.method].name {
                "PRI" => State::Preface,
                _ => State::FieldStart,
            },
            State::Preface => self.preface(byte)?,
            State::StatusSpace if byte == b' ' => State::Status,
            State::StatusSpace => return Err((VERSION, "Expected space after version", At)),
            State::Status => self.status(byte)?,
            State::StatusEnd => match byte {
                b' ' => State::Reason,
                b'\r' => State::ReasonLf,
                b'\n' => return Err((STATUS, "Invalid response status", After)),
                _ => return Err((STATUS, "Invalid response status", At)),
            },
            State::Reason if byte == b'\r' => State::ReasonLf,
            State::Reason => {
                return Err(("HPE_CR_EXPECTED", "Missing expected CR after response line", After));
            }
            State::ReasonLf => match byte {
                b'\n' => State::FieldStart,
                _ => return Err((STRICT, "Expected LF after CR", At)),
            },
            State::FieldStart => match byte {
                b'\r' => State::HeadersLf,
                b'\n' => return token("Invalid header field char", After),
                b' ' if self.head.fields.is_empty() && !self.trailing => {
                    return Err((
                        "HPE_UNEXPECTED_SPACE",
                        "Unexpected space after start line",
                        After,
                    ));
                }
                _ if is_token_byte(byte) => {
                    self.name_start = self.head.fields.len();
                    return Ok((State::FieldName, false));
                }
                _ => return token("Invalid header token", At),
            },
            State::FieldName => self.field_name(byte)?,
            State::ValueStart => match byte {
                b' ' | b'\t' => State::ValueStart,
                b'\r' => State::EmptyLf,
                b'\n' => return token("Invalid header value char", After),
                _ => return self.value_start(),
            },
            State::EmptyLf if byte == b'\n' => State::EmptyFold,
            State::EmptyLf => return Err((STRICT, "Expected LF after CR", At)),
            State::EmptyFold => match byte {
                b' ' | b'\t' => return token("Invalid header value char", After),
                _ if self.field == Field::ContentLength => {
                    return Err((LENGTH, "Empty Content-Length", At));
                }
                _ if self.field == Field::TransferEncoding => {
                    return Err((ENCODING, "Empty Transfer-Encoding", At));
                }
                _ => {
                    self.head.fields.push(0);
                    return Ok((State::FieldStart, false));
                }
            },
            State::Value => self.value(byte)?,
            State::Length | State::LengthSpaces => self.length(byte)?,
            State::ValueLf if byte == b'\n' => State::ValueFold,
            State::ValueLf => {
                return Err(("HPE_LF_EXPECTED", "Missing expected LF after header value", At));
            }
            State::ValueFold if matches!(byte, b' ' | b'\t') => {
                return token("Unexpected whitespace after header value", At);
            }
            State::ValueFold => return Ok((State::FieldStart, false)),
            State::HeadersLf if byte != b'\n' => {
                return Err((STRICT, "Expected LF after headers", At));
            }
            State::HeadersLf if self.trailing => State::MessageComplete,
            State::HeadersLf => self.end_head(),
            _ => self.url(byte)?,
        };
        Ok((next, true))
    }

    fn start_line(&mut self, byte: u8) -> Result<(State, bool), HeadError> {
        if matches!(byte, b'\r' | b'\n') {
            return Ok((State::Start, true));
        }
        self.begin_head();
        let is_request = self.role == Role::Requests;
        Ok((if is_request { State::Method } else { State::ProtocolStart }, false))
    }

    fn begin_head(&mut self) {
        self.head.text.clear();
        self.head.fields.clear();
        (self.head.flags, self.head.length) = (0, 0);
        (self.head.method, self.matched) = (0, 0);
        (self.header_size, self.trailing, self.upgrade) = (0, false, false);
        self.field_count = 0;
    }

    fn method(&mut self, byte: u8) -> Result<State, HeadError> {
        if let Some(index) = narrow(self.head.method, self.matched, byte) {
            self.head.method = index;
            self.matched += 1;
            return Ok(State::Method);
        }
        let name = METHODS[self.head.method].name;
        if name.len() != self.matched {
            return Err(("HPE_INVALID_METHOD", "Invalid method encountered", At));
        }
        if byte != b' ' {
            return Err(("HPE_INVALID_METHOD", "Expected space after method", At));
        }
        Ok(if name == "CONNECT" { State::UrlServer } else { State::UrlStart })
    }

    /// The name of the protocol. In a response it is the start.
    fn protocol(&mut self, byte: u8) -> Result<State, HeadError> {
        let is_request = self.role == Role::Requests;
        if self.state == State::ProtocolStart {
            self.matched = 0;
            self.protocol = match byte {
                b' ' if is_request => return Ok(State::ProtocolStart),
                b'\t' | b'\x0c' if is_request => {
                    return Err((URL, "Invalid characters in url", After));
                }
                b'H' => b"HTTP/",
                b'I' => b"ICE/",
                b'R' => b"RTSP/",
                _ => return Err((CONSTANT, PROTOCOLS, At)),
            };
        }
        let is_last = self.matched == self.protocol.len() - 1;
        if is_last && is_request {
            let method = &METHODS[self.head.method];
            let reason = match self.protocol {
                b"HTTP/" if !method.http && method.name != "PRI" => {
                    "Invalid method for HTTP/x.x request"
                }
                b"RTSP/" if !method.rtsp => "Invalid method for RTSP/x.x request",
                b"ICE/" if method.name != "SOURCE" => "Expected SOURCE method for ICE/x.x request",
                _ => "",
            };
            if !reason.is_empty() {
                return Err((CONSTANT, reason, At));
            }
        }
        if self.protocol[self.matched] != byte {
            return Err((CONSTANT, PROTOCOLS, At));
        }
        self.matched += 1;
        Ok(if is_last { State::Major } else { State::Protocol })
    }

    fn minor(&mut self, byte: u8) -> Result<State, HeadError> {
        self.head.minor = digit(byte).ok_or((VERSION, "Invalid minor version", At))?;
        if !matches!((self.head.major, self.head.minor), (0, 9) | (1, 0 | 1) | (2, 0)) {
            return Err((VERSION, "Invalid HTTP version", After));
        }
        self.matched = 0;
        let is_request = self.role == Role::Requests;
        Ok(if is_request { State::RequestCr } else { State::StatusSpace })
    }

    /// HTTP/2 is recognized and rejected.
    fn preface(&mut self, byte: u8) -> Result<State, HeadError> {
        if byte != PREFACE_END[self.matched] {
            return Err((VERSION, "Expected HTTP/2 Connection Preface", At));
        }
        self.matched += 1;
        if self.matched == PREFACE_END.len() {
            return Err(("HPE_PAUSED_H2_UPGRADE", "Pause on PRI/Upgrade", After));
        }
        Ok(State::Preface)
    }

    fn status(&mut self, byte: u8) -> Result<State, HeadError> {
        let digit = digit(byte).ok_or((STATUS, "Invalid status code", At))?;
        let before = if self.matched == 0 { 0 } else { self.head.status };
        self.head.status = before * 10 + u16::from(digit);
        self.matched += 1;
        Ok(if self.matched == 3 { State::StatusEnd } else { State::Status })
    }

    /// The byte after a name.
    fn field_name(&mut self, byte: u8) -> Result<State, HeadError> {
        let (field, flags) = Field::of(&self.head.fields[self.name_start..]);
        match byte {
            b':' => {}
            b' ' if field != Field::Other => {
                return Err((TOKEN, "Invalid header field char", After));
            }
            _ => return Err((TOKEN, "Invalid header token", At)),
        }
        if field == Field::ContentLength && self.head.has(flag::ENCODED) {
            let reason = "Content-Length can't be present with Transfer-Encoding";
            return Err((LENGTH, reason, After));
        }
        if field == Field::TransferEncoding && self.head.has(flag::LENGTH) {
            let reason = "Transfer-Encoding can't be present with Content-Length";
            return Err((ENCODING, reason, After));
        }
        self.field_count += usize::from(!self.trailing);
        if self.field_count > self.max_fields {
            return Err((OVERFLOW, "Header overflow", After));
        }
        self.field = field;
        self.head.flags |= flags;
        self.head.fields.push(0);
        self.value_start = self.head.fields.len();
        Ok(State::ValueStart)
    }

    /// The first byte of a value, which is not consumed.
    fn value_start(&mut self) -> Result<(State, bool), HeadError> {
        match self.field {
            Field::ContentLength => {
                if self.head.has(flag::LENGTH) {
                    let code = "HPE_UNEXPECTED_CONTENT_LENGTH";
                    return Err((code, "Duplicate Content-Length", At));
                }
                self.head.flags |= flag::LENGTH;
                return Ok((State::Length, false));
            }
            Field::TransferEncoding => {
                if self.role == Role::Requests && self.head.has(flag::CHUNKED) {
                    return Err((ENCODING, ENCODING_VALUE, After));
                }
                self.head.flags |= flag::ENCODED;
                self.head.flags &= !flag::CHUNKED;
            }
            Field::Upgrade => self.head.flags |= flag::UPGRADE,
            Field::Connection | Field::Other => {}
        }
        Ok((State::Value, false))
    }

    /// The byte that ends a run of a value, or any byte of a Transfer-Encoding.
    fn value(&mut self, byte: u8) -> Result<State, HeadError> {
        match byte {
            b'\r' => {
                self.end_value();
                return Ok(State::ValueLf);
            }
            b'\n' => return Err(("HPE_CR_EXPECTED", "Missing expected CR after header value", At)),
            b'\t' | b' '..=b'~' | 0x80.. => {}
            _ => return Err((TOKEN, "Invalid header value char", At)),
        }
        // chunked must be the last coding of a request.
        if byte == b',' && self.role == Role::Requests && self.ends_with_chunked() {
            return Err((ENCODING, ENCODING_VALUE, After));
        }
        self.head.fields.push(byte);
        self.header_size += 1;
        Ok(State::Value)
    }

    fn length(&mut self, byte: u8) -> Result<State, HeadError> {
        let next = match byte {
            b' ' | b'\t' => State::LengthSpaces,
            b'0'..=b'9' if self.state == State::Length => {
                let value = self.head.length.checked_mul(10);
                let value = value.and_then(|value| value.checked_add(u64::from(byte - b'0')));
                self.head.length = value.ok_or((LENGTH, "Content-Length overflow", After))?;
                State::Length
            }
            b'\r' => {
                self.end_value();
                return Ok(State::ValueLf);
            }
            b'\n' => return Err(("HPE_CR_EXPECTED", "Missing expected CR after header value", At)),
            _ => return Err((LENGTH, "Invalid character in Content-Length", At)),
        };
        self.head.fields.push(byte);
        self.header_size += 1;
        Ok(next)
    }

    /// Trims a complete value and sets the flags that it implies.
    fn end_value(&mut self) {
        match self.field {
            Field::TransferEncoding if self.ends_with_chunked() => self.head.flags |= flag::CHUNKED,
            Field::Connection => {
                for part in self.head.fields[self.value_start..].split(|byte| *byte == b',') {
                    let part = trim(part);
                    let is = |name: &str| part.eq_ignore_ascii_case(name.as_bytes());
                    self.head.flags |= match part.len() {
                        5 if is("close") => flag::CLOSE,
                        7 if is("upgrade") => flag::CONNECTION_UPGRADE,
                        10 if is("keep-alive") => flag::KEEP_ALIVE,
                        _ => 0,
                    };
                }
            }
            _ => {}
        }
        let value = &self.head.fields[self.value_start..];
        let kept =
            value.iter().rposition(|byte| !matches!(byte, b' ' | b'\t')).map_or(0, |n| n + 1);
        self.head.fields.truncate(self.value_start + kept);
        self.head.fields.push(0);
    }

    /// Whether the last transfer coding so far is `chunked`.
    fn ends_with_chunked(&self) -> bool {
        let value = &self.head.fields[self.value_start..];
        let last = value.rsplit(|byte| *byte == b',').next().unwrap_or_default();
        trim(last).eq_ignore_ascii_case(b"chunked")
    }

    fn end_head(&mut self) -> State {
        let head = &self.head;
        self.upgrade = if head.has(flag::UPGRADE) && head.has(flag::CONNECTION_UPGRADE) {
            self.role == Role::Requests || head.status == 101
        } else {
            self.role == Role::Requests && METHODS[head.method].name == "CONNECT"
        };
        self.header_size = 0;
        State::HeadComplete
    }

    /// Whether the message requests another protocol.
    pub fn is_upgrade(&self) -> bool {
        self.upgrade
    }

    /// Whether another message can follow this one.
    pub fn is_persistent(&self) -> bool {
        let head = &self.head;
        let by_connection = if head.major > 0 && head.minor > 0 {
            !head.has(flag::CLOSE)
        } else {
            head.has(flag::KEEP_ALIVE)
        };
        by_connection && !self.ends_with_connection()
    }

    /// Whether the end of the connection delimits the body.
    fn ends_with_connection(&self) -> bool {
        let head = &self.head;
        if self.role == Role::Requests || has_no_body(head.status) || head.has(flag::ABSENT) {
            return false;
        }
        !head.has(flag::CHUNKED) && (head.has(flag::ENCODED) || !head.has(flag::LENGTH))
    }

    pub fn is_request(&self) -> bool {
        self.role == Role::Requests
    }

    /// Whether the headers say that there is no body.
    pub fn has_empty_body(&self) -> bool {
        let head = &self.head;
        let is_bare = match self.role {
            Role::Requests => METHODS[head.method].name == "CONNECT",
            Role::Responses => has_no_body(head.status),
        };
        is_bare
            || head.has(flag::ABSENT)
            || !(head.has(flag::ENCODED) || head.length > 0 || self.ends_with_connection())
    }

    /// Skips the event of a message whose body is empty.
    pub fn skip_complete(&mut self) {
        if self.state == State::MessageComplete {
            self.end_message();
        }
    }

    /// Chooses what follows a head.
    pub fn begin_body(&mut self, kind: BodyKind, at: usize) -> Result<(), ParseError> {
        if self.state != State::HeadComplete {
            return Ok(());
        }
        self.upgrade |= kind == BodyKind::Upgraded;
        if kind != BodyKind::Normal {
            self.head.flags |= flag::ABSENT;
        }
        let head = &self.head;
        self.left = head.length;
        self.trailing = head.has(flag::CHUNKED);
        self.state = if self.has_empty_body() {
            State::MessageComplete
        } else if self.trailing {
            State::ChunkStart
        } else if self.ends_with_connection() {
            State::UntilEnd
        } else if head.has(flag::ENCODED) {
            self.state = State::Failed;
            return Err(error(ENCODING, "Request has invalid `Transfer-Encoding`", at));
        } else {
            State::Fixed
        };
        // Trailers replace the fields.
        self.head.fields.clear();
        Ok(())
    }
}

impl Head {
    pub fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }
}

const PROTOCOLS: &str = "Expected HTTP/, RTSP/ or ICE/";
const ENCODING_VALUE: &str = "Invalid `Transfer-Encoding` header value";

fn digit(byte: u8) -> Option<u8> {
    byte.is_ascii_digit().then(|| byte - b'0')
}

/// A part of a list without the spaces around it.
fn trim(part: &[u8]) -> &[u8] {
    let start = part.iter().position(|byte| !matches!(byte, b' ' | b'\t')).unwrap_or(part.len());
    let end = part.iter().rposition(|byte| *byte != b' ').map_or(0, |last| last + 1);
    &part[start.min(end)..end]
}

/// Whether responses with this status have no body.
fn has_no_body(status: u16) -> bool {
    matches!(status, 100..=199 | 204 | 304)
}
