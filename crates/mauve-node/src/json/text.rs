//! Strings in JSON.

/// Appends a string in quotes. It is UTF-8, in which a lone surrogate is encoded like other code points. As
/// in JavaScript, lone surrogates are escaped.
pub(super) fn quote(text: &[u8], out: &mut Vec<u8>) {
    out.reserve(text.len() + 2);
    out.push(b'"');
    let mut rest = text;
    loop {
        let plain = plain_length(rest);
        out.extend_from_slice(&rest[..plain]);
        rest = &rest[plain..];
        let [byte, tail @ ..] = rest else { break };
        rest = tail;
        match (*byte, tail) {
            (b'"' | b'\\', _) => out.extend_from_slice(&[b'\\', *byte]),
            (0x08, _) => out.extend_from_slice(b"\\b"),
            (b'\t', _) => out.extend_from_slice(b"\\t"),
            (b'\n', _) => out.extend_from_slice(b"\\n"),
            (0x0c, _) => out.extend_from_slice(b"\\f"),
            (b'\r', _) => out.extend_from_slice(b"\\r"),
            (0..0x20, _) => escape(u16::from(*byte), out),
            (0xed, [middle @ 0xa0..=0xff, last, after @ ..]) => {
                escape(0xd000 | (u16::from(*middle & 0x3f) << 6) | u16::from(*last & 0x3f), out);
                rest = after;
            }
            _ => out.push(*byte),
        }
    }
    out.push(b'"');
}

fn escape(unit: u16, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.extend_from_slice(b"\\u");
    out.extend([12, 8, 4, 0].map(|shift| DIGITS[usize::from(unit >> shift & 15)]));
}

/// How many bytes at the start can be copied. The byte after them may be one that is copied as well.
fn plain_length(text: &[u8]) -> usize {
    let mut length = 0;
    // Eight bytes at a time, until one of them may need an escape or is not ASCII.
    for eight in text.as_chunks::<8>().0 {
        if has_special(u64::from_le_bytes(*eight)) {
            break;
        }
        length += 8;
    }
    length + text[length..].iter().take_while(|byte| !needs_check(**byte)).count()
}

/// Whether a byte may be the start of something that is escaped.
const fn needs_check(byte: u8) -> bool {
    byte < 0x20 || matches!(byte, b'"' | b'\\' | 0xed)
}

/// Whether one of eight bytes is a control character, a quote, a backslash, or not ASCII.
const fn has_special(eight: u64) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    // The high bit of a byte becomes set by the subtraction if the byte was smaller; also above a byte
    // for which it did, but then the answer is `true` already.
    const fn less(eight: u64, limit: u64) -> u64 {
        eight.wrapping_sub(ONES * limit)
    }
    let quote = eight ^ (ONES * b'"' as u64);
    let backslash = eight ^ (ONES * b'\\' as u64);
    (less(eight, 0x20) | less(quote, 1) | less(backslash, 1) | eight) & HIGH != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &[u8]) -> String {
        let mut out = Vec::new();
        quote(text, &mut out);
        String::from_utf8(out).expect("surrogates are escaped")
    }

    #[test]
    fn strings_are_escaped_where_json_requires_it() {
        assert_eq!(quoted(b""), r#""""#);
        assert_eq!(
            quoted(b"plain text of more than 8 bytes"),
            r#""plain text of more than 8 bytes""#
        );
        assert_eq!(
            quoted(b"\x00\x07\x08\t\n\x0b\x0c\r\x1f \x7f"),
            "\"\\u0000\\u0007\\b\\t\\n\\u000b\\f\\r\\u001f \x7f\""
        );
        assert_eq!(quoted(b"1234567\"89\\"), r#""1234567\"89\\""#);
        assert_eq!(
            quoted("ä\u{d7ff}\u{e000}\u{2028}😀".as_bytes()),
            "\"ä\u{d7ff}\u{e000}\u{2028}😀\""
        );
        assert_eq!(quoted(b"\xed\xa0\x80-\xed\xbf\xbf"), r#""\ud800-\udfff""#);
    }

    #[test]
    fn every_byte_is_escaped_at_every_position_of_a_group() {
        for byte in 0..0x80 {
            for at in 0..24 {
                let mut text = [b'x'; 24];
                text[at] = byte;
                let mut expected = Vec::new();
                quote(&[byte], &mut expected);
                let inner = std::str::from_utf8(&expected[1..expected.len() - 1]).expect("ASCII");
                let expected = format!("\"{}{inner}{}\"", "x".repeat(at), "x".repeat(23 - at));
                assert_eq!(quoted(&text), expected);
            }
        }
    }
}
