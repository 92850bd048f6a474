//! An incremental parser of HTTP/1 messages, without JavaScript.
//!
//! It accepts and rejects the same messages as llhttp, the parser of Node, with the same error
//! codes, as soon as the first invalid byte arrives. It follows the engine's idea: [`Parser::next`]
//! returns an event and never calls back. `head` parses start lines and fields, `body` the rest.

mod body;
mod head;
mod url;

/// What a parser reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Requests,
    Responses,
}

/// The next event of a message.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// All bytes are consumed.
    NeedInput,
    /// [`Parser::head`] is complete. The host calls [`Parser::begin_body`] before the next event.
    Head,
    /// A part of the body: a range of the input.
    Body(std::ops::Range<usize>),
    /// The message is complete. [`Parser::head`] has the trailers.
    Complete,
    /// The connection continues with another protocol. The rest of the input is not consumed.
    Upgraded,
}

/// An invalid message: llhttp's code and reason, and the position in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ParseError {
    pub code: &'static str,
    pub reason: &'static str,
    pub at: usize,
}

/// What the host knows about the body of a message whose head is complete.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyKind {
    /// The headers determine the body.
    Normal,
    /// There is none, for example in a response to HEAD.
    Absent,
    /// The host has accepted an upgrade.
    Upgraded,
}

/// The start line and the fields of a message. After the body: its trailers.
#[derive(Default)]
pub(crate) struct Head {
    /// The index in [`METHODS`](super::methods::METHODS) (requests).
    pub method: usize,
    /// The status code (responses).
    pub status: u16,
    pub major: u8,
    pub minor: u8,
    /// The URL or the reason phrase.
    pub text: Vec<u8>,
    /// `name NUL value NUL name NUL value NUL …`. A field contains no NUL.
    pub fields: Vec<u8>,
    flags: u16,
    length: u64,
}

/// Facts about a head, as bits.
pub(crate) mod flag {
    /// A `Host` field is present.
    pub const HOST: u16 = 1;
    /// An `Expect` field is present.
    pub const EXPECT: u16 = 2;
    /// `Connection` has `keep-alive`.
    pub(super) const KEEP_ALIVE: u16 = 4;
    /// `Connection` has `close`.
    pub(super) const CLOSE: u16 = 8;
    /// `Connection` has `upgrade`.
    pub(super) const CONNECTION_UPGRADE: u16 = 16;
    /// An `Upgrade` field with a value is present.
    pub(super) const UPGRADE: u16 = 32;
    /// A `Content-Length` is present.
    pub(super) const LENGTH: u16 = 64;
    /// A `Transfer-Encoding` with a value is present.
    pub(super) const ENCODED: u16 = 128;
    /// The last transfer coding is `chunked`.
    pub(super) const CHUNKED: u16 = 256;
    /// The host knows that there is no body.
    pub(super) const ABSENT: u16 = 512;
}

/// The limit of all chunk extensions of a chunk, in bytes.
const MAX_EXTENSIONS: usize = 16 * 1024;

/// The number of fields that Node stores before it reports them.
const MANY_FIELDS: usize = 32;

pub(crate) struct Parser {
    role: Role,
    state: State,
    pub head: Head,
    /// The limit of the URL and the fields, in bytes, and the bytes so far.
    max_header_size: usize,
    header_size: usize,
    /// The limit of the number of fields in a head, and their number so far.
    max_fields: usize,
    field_count: usize,
    extension_size: usize,
    /// The field whose value is parsed, and where its name and value start in `head.fields`.
    field: head::Field,
    name_start: usize,
    value_start: usize,
    /// The progress in a method, a protocol name, a status code or a preface.
    matched: usize,
    protocol: &'static [u8],
    /// The bytes that are left of the body or of the chunk.
    left: u64,
    /// The fields are trailers.
    trailing: bool,
    /// The message ends with an upgrade.
    upgrade: bool,
    /// Node reports the fields of the following heads by themselves.
    reports_fields: bool,
    /// The error, which is reported again for further input.
    failure: Option<ParseError>,
}

/// The states, in the order of a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum State {
    Start,
    Method,
    UrlStart,
    UrlSchema,
    UrlSlash,
    UrlSecondSlash,
    UrlServer,
    UrlServerAt,
    UrlPath,
    UrlQuery,
    UrlFragment,
    UrlLf,
    ProtocolStart,
    Protocol,
    Major,
    Dot,
    Minor,
    RequestCr,
    RequestLf,
    Preface,
    StatusSpace,
    Status,
    StatusEnd,
    Reason,
    ReasonLf,
    FieldStart,
    FieldName,
    ValueStart,
    EmptyLf,
    EmptyFold,
    Value,
    Length,
    LengthSpaces,
    ValueLf,
    ValueFold,
    HeadersLf,
    /// The host has not called `begin_body` yet.
    HeadComplete,
    Fixed,
    UntilEnd,
    ChunkStart,
    ChunkSize,
    ExtensionStart,
    ExtensionName,
    ExtensionValue,
    Quoted,
    QuotedPair,
    QuotedEnd,
    ChunkSizeLf,
    ChunkData,
    ChunkCr,
    ChunkLf,
    MessageComplete,
    /// After an upgrade.
    Upgraded,
    /// After the last message of a connection.
    Closed,
    /// After an error.
    Failed,
}

impl Parser {
    /// A parser with limits for the size and the number of the headers.
    pub fn new(role: Role, max_header_size: usize, max_fields: usize) -> Self {
        Self {
            role,
            state: State::Start,
            head: Head::default(),
            max_header_size,
            header_size: 0,
            max_fields,
            field_count: 0,
            extension_size: 0,
            field: head::Field::Other,
            name_start: 0,
            value_start: 0,
            matched: 0,
            protocol: b"",
            left: 0,
            trailing: false,
            upgrade: false,
            reports_fields: false,
            failure: None,
        }
    }

    /// Returns the next event of `bytes` from the position `at`, which is advanced.
    pub fn next(&mut self, bytes: &[u8], at: &mut usize) -> Result<Event, ParseError> {
        let result = match self.failure {
            Some(error) if self.state == State::Failed && *at < bytes.len() => Err(error),
            _ => self.advance(bytes, at),
        };
        result.inspect_err(|error| {
            self.state = State::Failed;
            self.failure = Some(*error);
        })
    }

    fn advance(&mut self, bytes: &[u8], at: &mut usize) -> Result<Event, ParseError> {
        loop {
            match self.state {
                State::MessageComplete => return Ok(self.end_message()),
                State::Upgraded if *at > 0 => return Ok(Event::Upgraded),
                // The host continues with HTTP although the message has requested an upgrade.
                State::Upgraded => self.state = State::Start,
                _ => {}
            }
            if *at == bytes.len() {
                self.check_sizes(*at)?;
                return Ok(Event::NeedInput);
            }
            let event = if self.state < State::HeadComplete {
                self.head_step(bytes, at)?
            } else {
                self.body_step(bytes, at)?
            };
            if let Some(event) = event {
                return Ok(event);
            }
        }
    }

    /// Whether a part of a message has been parsed.
    pub fn is_within_message(&self) -> bool {
        !matches!(self.state, State::Start | State::Upgraded | State::Closed | State::Failed)
    }

    /// Whether the head of a message has been parsed partially.
    pub fn is_within_head(&self) -> bool {
        self.state != State::Start && self.state < State::HeadComplete && !self.trailing
    }

    /// The connection has ended. Returns whether that completes a message.
    pub fn finish(&mut self) -> Result<bool, ParseError> {
        let was_within = self.is_within_message();
        let completes = self.state == State::UntilEnd;
        self.state = State::Failed;
        if was_within && !completes {
            return Err(error("HPE_INVALID_EOF_STATE", "Invalid EOF state", 0));
        }
        Ok(completes)
    }

    /// Ignores further input.
    pub fn close(&mut self) {
        self.state = State::Failed;
        self.failure = None;
    }

    pub fn is_closed(&self) -> bool {
        self.state == State::Failed && self.failure.is_none()
    }

    /// Whether Node reports the fields of this head before the head. It does so if they are many, and
    /// then for every further head of the connection.
    pub fn reports_head_fields(&mut self) -> bool {
        let ends = self.head.fields.iter().filter(|byte| **byte == 0);
        self.reports_fields = self.reports_fields || ends.count() >= 2 * MANY_FIELDS;
        self.reports_fields
    }

    /// Whether there are trailers. Node reports them before the end of the message.
    pub fn reports_trailers(&mut self) -> bool {
        let has_trailers = !self.head.fields.is_empty();
        self.reports_fields |= has_trailers;
        has_trailers
    }

    fn check_sizes(&self, at: usize) -> Result<(), ParseError> {
        if self.header_size >= self.max_header_size {
            return Err(error("HPE_HEADER_OVERFLOW", "Header overflow", at));
        }
        if self.extension_size > MAX_EXTENSIONS {
            let reason = "Chunk extensions overflow";
            return Err(error("HPE_CHUNK_EXTENSIONS_OVERFLOW", reason, at));
        }
        Ok(())
    }
}

fn error(code: &'static str, reason: &'static str, at: usize) -> ParseError {
    ParseError { code, reason, at }
}

#[cfg(test)]
mod tests;
