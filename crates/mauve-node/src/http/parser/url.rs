//! The URL of a start line.

use super::head::Side::{After, At};
use super::head::{HeadError, URL};
use super::{Parser, State};

const SCHEMA: &str = "Unexpected char in url schema";

impl Parser {
    /// Parses a byte of the URL. Returns the next state.
    pub(super) fn url(&mut self, byte: u8) -> Result<State, HeadError> {
        let invalid = (URL, "Invalid characters in url", After);
        let is_end = matches!(byte, b' ' | b'\r' | b'\n');
        if matches!(byte, b'\t' | b'\x0c') && self.state != State::UrlLf {
            let is_second_slash = self.state == State::UrlSecondSlash;
            return Err(if is_second_slash { (URL, SCHEMA, At) } else { invalid });
        }
        let in_server = matches!(self.state, State::UrlServer | State::UrlServerAt);
        let next = match self.state {
            State::UrlLf if byte == b'\n' => {
                (self.head.major, self.head.minor) = (0, 9);
                return Ok(State::FieldStart);
            }
            State::UrlLf => return Err((URL, "Expected CRLF", At)),
            State::UrlStart | State::UrlServer if byte == b' ' && self.head.text.is_empty() => {
                return Ok(self.state);
            }
            State::UrlStart => match byte {
                b'/' | b'*' => State::UrlPath,
                _ if byte.is_ascii_alphabetic() => State::UrlSchema,
                _ if is_end => return Err(invalid),
                _ => return Err((URL, "Unexpected start char in url", At)),
            },
            State::UrlSchema if byte == b':' => State::UrlSlash,
            State::UrlSchema if byte.is_ascii_alphabetic() => State::UrlSchema,
            State::UrlSlash if byte == b'/' => State::UrlSecondSlash,
            State::UrlSecondSlash if byte == b'/' => State::UrlServer,
            State::UrlSchema | State::UrlSlash if is_end => return Err(invalid),
            State::UrlSchema | State::UrlSlash | State::UrlSecondSlash => {
                return Err((URL, SCHEMA, At));
            }
            _ if is_end => {
                // A request without a version is one of HTTP/0.9.
                (self.head.major, self.head.minor) = (0, 9);
                return Ok(match byte {
                    b' ' => State::ProtocolStart,
                    b'\r' => State::UrlLf,
                    _ => State::FieldStart,
                });
            }
            _ if in_server => match byte {
                b'/' => State::UrlPath,
                b'?' => State::UrlQuery,
                b'@' if self.state == State::UrlServerAt => {
                    return Err((URL, "Double @ in url", After));
                }
                b'@' => State::UrlServerAt,
                b'!' | b'$'..=b';' | b'=' | b'[' | b']' | b'_' | b'~' => State::UrlServer,
                _ if byte.is_ascii_alphabetic() => State::UrlServer,
                _ => return Err((URL, "Unexpected char in url server", At)),
            },
            // Other valid characters are consumed by `take_run`.
            State::UrlPath if byte == b'?' => State::UrlQuery,
            State::UrlPath | State::UrlQuery if byte == b'#' => State::UrlFragment,
            State::UrlPath => return Err((URL, "Invalid char in url path", At)),
            State::UrlQuery => return Err((URL, "Invalid char in url query", At)),
            _ => return Err((URL, "Invalid char in url fragment start", At)),
        };
        self.head.text.push(byte);
        self.header_size += 1;
        Ok(next)
    }
}
