//! Bodies: a fixed length, chunks, or everything until the connection ends.

use super::super::methods::is_token_byte;
use super::{Event, ParseError, Parser, Role, State, error};

const STRICT: &str = "HPE_STRICT";
const NO_CR: &str = "HPE_CR_EXPECTED";
const CHUNK: &str = "HPE_INVALID_CHUNK_SIZE";

impl Parser {
    /// Parses a part of the body or a byte of a chunk header.
    pub(super) fn body_step(
        &mut self,
        bytes: &[u8],
        at: &mut usize,
    ) -> Result<Option<Event>, ParseError> {
        match self.state {
            State::Fixed | State::ChunkData => {
                let rest = bytes.len() - *at;
                let size = usize::try_from(self.left).map_or(rest, |left| left.min(rest));
                self.left -= size as u64;
                if self.left == 0 {
                    let is_fixed = self.state == State::Fixed;
                    self.state = if is_fixed { State::MessageComplete } else { State::ChunkCr };
                }
                *at += size;
                Ok(Some(Event::Body(*at - size..*at)))
            }
            State::UntilEnd => {
                Ok(Some(Event::Body(std::mem::replace(at, bytes.len())..bytes.len())))
            }
            State::Closed if matches!(bytes[*at], b'\r' | b'\n') => {
                *at += 1;
                Ok(None)
            }
            State::Closed => {
                let reason = "Data after `Connection: close`";
                Err(error("HPE_CLOSED_CONNECTION", reason, *at + 1))
            }
            // The host ignores input after an error.
            State::Failed | State::HeadComplete => {
                *at = bytes.len();
                Ok(None)
            }
            _ => {
                self.state = self.chunk_byte(bytes[*at], *at)?;
                *at += 1;
                Ok(None)
            }
        }
    }

    /// A byte outside of the data of chunks.
    fn chunk_byte(&mut self, byte: u8, at: usize) -> Result<State, ParseError> {
        let fail = |code, reason| Err(error(code, reason, at));
        let fail_after = |code, reason| Err(error(code, reason, at + 1));
        match self.state {
            State::ChunkStart | State::ChunkSize => self.chunk_size(byte, at),
            State::ChunkSizeLf if byte == b'\n' => {
                (self.header_size, self.extension_size) = (0, 0);
                Ok(if self.left == 0 { State::FieldStart } else { State::ChunkData })
            }
            State::ChunkSizeLf => fail(STRICT, "Expected LF after chunk size"),
            State::ChunkCr => match byte {
                b'\r' => Ok(State::ChunkLf),
                b'\n' => fail_after(NO_CR, "Missing expected CR after chunk data"),
                _ => fail(STRICT, "Expected LF after chunk data"),
            },
            State::ChunkLf if byte == b'\n' => Ok(State::ChunkStart),
            State::ChunkLf => fail(STRICT, "Expected LF after chunk data"),
            State::ExtensionStart if matches!(byte, b'\r' | b' ') => {
                fail_after(STRICT, "Invalid character in chunk extensions")
            }
            State::QuotedEnd => self.extension_end(byte, at).unwrap_or_else(|| {
                fail(STRICT, "Invalid character in chunk extensions quote value")
            }),
            _ => {
                self.extension_size += 1;
                self.extension_byte(byte, at)
            }
        }
    }

    fn chunk_size(&mut self, byte: u8, at: usize) -> Result<State, ParseError> {
        let is_first = self.state == State::ChunkStart;
        if is_first {
            self.left = 0;
        }
        let invalid = |at| Err(error(CHUNK, "Invalid character in chunk size", at));
        if let Some(digit) = char::from(byte).to_digit(16) {
            if self.left > u64::MAX >> 4 {
                return Err(error(CHUNK, "Chunk size overflow", at + 1));
            }
            self.left = self.left << 4 | u64::from(digit);
            return Ok(State::ChunkSize);
        }
        match byte {
            _ if is_first => invalid(at),
            b'\r' => Ok(State::ChunkSizeLf),
            b'\n' => Err(error(NO_CR, "Missing expected CR after chunk size", at + 1)),
            b';' => Ok(State::ExtensionStart),
            b' ' | b'\t' => invalid(at + 1),
            _ => invalid(at),
        }
    }

    /// A byte of the name or the value of a chunk extension.
    fn extension_byte(&mut self, byte: u8, at: usize) -> Result<State, ParseError> {
        let is_text = matches!(byte, b'\t' | b' '..=b'~' | 0x80..);
        let (next, reason) = match self.state {
            State::ExtensionStart | State::ExtensionName => match byte {
                b'=' => (Some(State::ExtensionValue), ""),
                _ if is_token_byte(byte) => (Some(State::ExtensionName), ""),
                _ => (None, "Invalid character in chunk extensions name"),
            },
            State::ExtensionValue => match byte {
                b'"' => (Some(State::Quoted), ""),
                _ if is_token_byte(byte) => (Some(State::ExtensionValue), ""),
                _ => (None, "Invalid character in chunk extensions value"),
            },
            State::Quoted => match byte {
                b'"' => (Some(State::QuotedEnd), ""),
                b'\\' => (Some(State::QuotedPair), ""),
                _ if is_text => (Some(State::Quoted), ""),
                _ => (None, "Invalid character in chunk extensions quoted value"),
            },
            _ if is_text => (Some(State::Quoted), ""),
            _ => (None, "Invalid quoted-pair in chunk extensions quoted value"),
        };
        if let Some(next) = next {
            return Ok(next);
        }
        let is_quoted = matches!(self.state, State::Quoted | State::QuotedPair);
        let end = if is_quoted { None } else { self.extension_end(byte, at) };
        end.unwrap_or_else(|| Err(error(STRICT, reason, at + 1)))
    }

    /// The byte after a chunk extension, if it ends one.
    fn extension_end(&self, byte: u8, at: usize) -> Option<Result<State, ParseError>> {
        if matches!(byte, b'\r' | b';' | b'\n')
            && let Err(error) = self.check_sizes(at)
        {
            return Some(Err(error));
        }
        match byte {
            b'\r' => Some(Ok(State::ChunkSizeLf)),
            b';' => Some(Ok(State::ExtensionStart)),
            b'\n' => {
                let is_name = matches!(self.state, State::ExtensionStart | State::ExtensionName);
                let reason = if is_name {
                    "Missing expected CR after chunk extension name"
                } else {
                    "Missing expected CR after chunk extension value"
                };
                Some(Err(error(NO_CR, reason, at)))
            }
            _ => None,
        }
    }

    /// Leaves the message and returns its event.
    pub(super) fn end_message(&mut self) -> Event {
        let is_switching = self.role == Role::Responses && self.head.status == 101;
        self.state = if self.upgrade || is_switching {
            State::Upgraded
        } else if self.is_persistent() {
            State::Start
        } else {
            State::Closed
        };
        Event::Complete
    }
}
