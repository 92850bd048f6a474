//! The framing of bodies that are sent.

use std::io::Write as _;

/// How the length of a part of a body is sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    /// In a header, or not at all.
    Length,
    Chunk,
    /// The part is followed by the chunk that ends the body.
    LastChunk,
}

impl Framing {
    /// Appends a part of a body. An empty one is no chunk, because that would end the body.
    pub fn append(self, part: &[u8], trailer: &[u8], bytes: &mut Vec<u8>) {
        let is_chunk = self != Self::Length && !part.is_empty();
        if is_chunk {
            write!(bytes, "{:x}\r\n", part.len()).expect("writing to a vector cannot fail");
        }
        bytes.extend_from_slice(part);
        if is_chunk {
            bytes.extend_from_slice(b"\r\n");
        }
        if self == Self::LastChunk {
            bytes.extend_from_slice(b"0\r\n");
            bytes.extend_from_slice(trailer);
            bytes.extend_from_slice(b"\r\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Framing;

    #[test]
    fn the_last_chunk_ends_with_the_trailer() {
        let framed = |framing: Framing, part: &[u8]| {
            let mut bytes = Vec::new();
            framing.append(part, b"A: b\r\n", &mut bytes);
            String::from_utf8(bytes).expect("ASCII")
        };
        assert_eq!(framed(Framing::Length, b"hello"), "hello");
        assert_eq!(framed(Framing::Chunk, b"0123456789"), "a\r\n0123456789\r\n");
        assert_eq!(framed(Framing::Chunk, b""), "");
        assert_eq!(framed(Framing::LastChunk, b"x"), "1\r\nx\r\n0\r\nA: b\r\n\r\n");
    }
}
