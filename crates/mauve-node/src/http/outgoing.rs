//! Outgoing messages, without JavaScript: their state, and the automatic fields of their heads.
//!
//! The state of a message is one number, [`State`]. JavaScript stores it, and shows its bits under the
//! names of Node's properties. Whether a connection persists, and how the length of a body is sent, is
//! decided here only.

/// Names the bits of [`State`] and lists them for the binding.
macro_rules! bits {
    ($($(#[$meta:meta])* $name:ident = $bit:literal,)*) => {
        $($(#[$meta])* pub const $name: u32 = 1 << $bit;)*
        /// All bits, with their names.
        pub const ALL: &[(&str, u32)] = &[$((stringify!($name), $name)),*];
    };
}

/// The bits of the state of a message.
pub(crate) mod bit {
    bits! {
        /// A body is allowed. Responses to HEAD have none.
        HAS_BODY = 0,
        /// The connection may persist.
        KEEP_ALIVE = 1,
        /// A body without a length is chunked. Otherwise the end of the connection delimits it.
        CHUNKED_BY_DEFAULT = 2,
        /// `Keep-Alive` is sent.
        KEEP_ALIVE_FIELD = 3,
        SEND_DATE = 4,
        CHUNKED = 5,
        /// The connection is closed after the message.
        LAST = 6,
        /// The program has removed an automatic field.
        REMOVED_CONNECTION = 7,
        REMOVED_LENGTH = 8,
        REMOVED_ENCODING = 9,
        /// `maxRequestsPerSocket` is reached.
        MAX_REQUESTS = 10,
        STRICT_LENGTH = 11,
        HEAD_SENT = 12,
        FINISHED = 13,
        DESTROYED = 14,
        CLOSED = 15,
        /// `write()` has returned false, and 'drain' is due.
        NEED_DRAIN = 16,
        /// A body where none is allowed is an error.
        REJECT_BODY = 17,
        /// The message may have queued output, may be corked, or has ended without a socket.
        QUEUED = 18,
        /// A client that waits for the response 100.
        EXPECTS_CONTINUE = 19,
        /// The head has `Expect`, and is sent before the body.
        EXPECT = 20,
        /// A request of an agent, which keeps the connection.
        AGENT = 21,
        /// Everything was written.
        WRITTEN = 22,
    }
}

/// The state of a message: a set of [`bit`]s.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct State(pub u32);

impl State {
    pub fn has(self, bits: u32) -> bool {
        self.0 & bits != 0
    }

    pub fn set(&mut self, bits: u32, on: bool) {
        self.0 = if on { self.0 | bits } else { self.0 & !bits };
    }
}

/// Which fields a program has set, as bits. `CLOSE` and `CHUNKED` are values of their fields.
pub(crate) mod found {
    pub const CONNECTION: u32 = 1;
    pub const CLOSE: u32 = 2;
    pub const TRANSFER_ENCODING: u32 = 4;
    pub const CHUNKED: u32 = 8;
    pub const CONTENT_LENGTH: u32 = 16;
    pub const DATE: u32 = 32;
    pub const EXPECT: u32 = 64;
    pub const TRAILER: u32 = 128;
    pub const KEEP_ALIVE: u32 = 256;
}

/// What determines the automatic fields of a head.
pub(crate) struct Head<'a> {
    pub state: State,
    /// The fields of the program.
    pub found: u32,
    /// The status of a response, or 0.
    pub status: i32,
    /// The length of the body, if it is known.
    pub length: Option<&'a str>,
    pub date: &'a str,
    /// The seconds that a connection may be idle, and the number of its requests, if they are limited.
    pub timeout: Option<f64>,
    pub max_requests: Option<&'a str>,
}

impl Head<'_> {
    /// Appends the automatic fields to those of the program, and returns the new state of the message;
    /// `None` for a `Trailer` field without chunked encoding.
    pub fn complete(mut self, text: &mut Vec<u8>) -> Option<State> {
        self.apply_fields();
        if self.state.has(bit::SEND_DATE) && !self.has(found::DATE) {
            append(text, &["Date: ", self.date]);
        }
        // Responses with these status codes have no body.
        if matches!(self.status, 204 | 304) && self.state.has(bit::CHUNKED) {
            self.state.set(bit::CHUNKED | bit::KEEP_ALIVE, false);
        }
        if self.state.has(bit::REMOVED_CONNECTION) {
            self.state.set(bit::LAST, !self.state.has(bit::KEEP_ALIVE));
        } else if !self.has(found::CONNECTION) {
            self.connection(text);
        }
        if !self.has(found::CONTENT_LENGTH | found::TRANSFER_ENCODING) {
            self.framing(text);
        }
        if self.has(found::TRAILER) && !self.state.has(bit::CHUNKED) {
            return None;
        }
        text.extend_from_slice(b"\r\n");
        self.state.set(bit::HEAD_SENT, false);
        Some(self.state)
    }

    fn has(&self, bits: u32) -> bool {
        self.found & bits != 0
    }

    /// Applies the fields of the program to the state.
    fn apply_fields(&mut self) {
        if self.has(found::CONNECTION) {
            let bit = if self.has(found::CLOSE) { bit::LAST } else { bit::KEEP_ALIVE };
            self.state.set(bit, true);
        }
        for (found, bit, on) in [
            (found::CONNECTION, bit::REMOVED_CONNECTION, false),
            (found::CHUNKED, bit::CHUNKED, true),
            (found::KEEP_ALIVE, bit::KEEP_ALIVE_FIELD, false),
            (found::CONTENT_LENGTH, bit::REMOVED_LENGTH, false),
            (found::TRANSFER_ENCODING, bit::REMOVED_ENCODING, false),
            (found::EXPECT, bit::EXPECT, true),
        ] {
            if self.has(found) {
                self.state.set(bit, on);
            }
        }
    }

    /// Appends `Connection` and `Keep-Alive`.
    fn connection(&mut self, text: &mut Vec<u8>) {
        let has_end =
            self.has(found::CONTENT_LENGTH) || self.state.has(bit::CHUNKED_BY_DEFAULT | bit::AGENT);
        let persists = self.state.has(bit::KEEP_ALIVE) && has_end;
        if !persists {
            self.state.set(bit::LAST, true);
        }
        if !persists || self.state.has(bit::MAX_REQUESTS) {
            append(text, &["Connection: close"]);
            return;
        }
        append(text, &["Connection: keep-alive"]);
        if let Some(seconds) = self.timeout
            && self.state.has(bit::KEEP_ALIVE_FIELD)
        {
            let max = self.max_requests.map(|max| format!(", max={max}")).unwrap_or_default();
            append(text, &["Keep-Alive: timeout=", &seconds.to_string(), &max]);
        }
    }

    /// Appends `Content-Length` or `Transfer-Encoding`, unless the message has no body or the end of the
    /// connection delimits it.
    fn framing(&mut self, text: &mut Vec<u8>) {
        let may_have_length = !self.has(found::TRAILER) && !self.state.has(bit::REMOVED_LENGTH);
        if !self.state.has(bit::HAS_BODY) {
            self.state.set(bit::CHUNKED, false);
        } else if !self.state.has(bit::CHUNKED_BY_DEFAULT) {
            self.state.set(bit::LAST, true);
        } else if let Some(length) = self.length
            && may_have_length
        {
            append(text, &["Content-Length: ", length]);
        } else if !self.state.has(bit::REMOVED_ENCODING) {
            self.state.set(bit::CHUNKED, true);
            append(text, &["Transfer-Encoding: chunked"]);
        } else {
            self.state.set(bit::LAST, true);
        }
    }
}

fn append(text: &mut Vec<u8>, line: &[&str]) {
    for part in line {
        text.extend_from_slice(part.as_bytes());
    }
    text.extend_from_slice(b"\r\n");
}

#[cfg(test)]
mod tests {
    use super::{Head, State, bit, found};

    fn completed(state: u32, found: u32, length: Option<&str>) -> (String, Option<u32>) {
        let mut text = Vec::new();
        let (timeout, max_requests) = (Some(5.0), None);
        let head = Head {
            state: State(state),
            found,
            status: 200,
            length,
            date: "",
            timeout,
            max_requests,
        };
        let state = head.complete(&mut text).map(|state| state.0);
        (String::from_utf8(text).expect("ASCII"), state)
    }

    const DEFAULT: u32 =
        bit::HAS_BODY | bit::KEEP_ALIVE | bit::CHUNKED_BY_DEFAULT | bit::KEEP_ALIVE_FIELD;

    #[test]
    fn a_body_has_a_length_or_chunks_or_ends_with_the_connection() {
        let persists = "Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n";
        let (text, state) = completed(DEFAULT, 0, Some("3"));
        assert_eq!((text, state), (format!("{persists}Content-Length: 3\r\n\r\n"), Some(DEFAULT)));
        let (text, state) = completed(DEFAULT, 0, None);
        assert_eq!(text, format!("{persists}Transfer-Encoding: chunked\r\n\r\n"));
        assert_eq!(state, Some(DEFAULT | bit::CHUNKED));
        let old = DEFAULT & !bit::CHUNKED_BY_DEFAULT;
        let (text, state) = completed(old, 0, Some("3"));
        assert_eq!((text.as_str(), state), ("Connection: close\r\n\r\n", Some(old | bit::LAST)));
        assert_eq!(completed(DEFAULT, found::TRAILER | found::CONTENT_LENGTH, None).1, None);
    }
}
