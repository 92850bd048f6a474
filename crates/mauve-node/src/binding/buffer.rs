//! Encodings and searches of `Buffer`.
//!
//! Strings have no lone surrogates: JavaScript replaces or handles them before the call.

use rquickjs::{Ctx, Object, Result, TypedArray};

use super::define;
use crate::host::views::{self, Bytes};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "utf8Decode", utf8_decode)?;
    define(object, "utf8DecodeStrict", utf8_decode_strict)?;
    define(object, "utf8Encode", utf8_encode)?;
    define(object, "utf8Length", |text: String| text.len())?;
    define(object, "isUtf8", |data: Bytes| std::str::from_utf8(&data.0).is_ok())?;
    define(object, "incompleteUtf8", |data: Bytes| incomplete_utf8(&data.0))?;
    define(object, "isAscii", |data: Bytes| data.0.is_ascii())?;
    define(object, "latin1Decode", latin1_decode)?;
    define(object, "asciiDecode", ascii_decode)?;
    define(object, "latin1Encode", latin1_encode)?;
    define(object, "utf16Decode", utf16_decode)?;
    define(object, "utf16Encode", utf16_encode)?;
    define(object, "compare", |a: Bytes, b: Bytes| a.0.cmp(&b.0) as i32)?;
    define(object, "indexOf", index_of)?;
    define(object, "lastIndexOf", last_index_of)?;
    Ok(())
}

/// Decodes UTF-8 from `start` to `end`, with U+FFFD for invalid bytes.
fn utf8_decode(view: TypedArray<'_, u8>, start: usize, end: usize) -> String {
    let bytes = views::range(&view, start, end);
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    }
}

/// Decodes UTF-8; `None` if it is invalid.
fn utf8_decode_strict(data: Bytes) -> Option<String> {
    String::from_utf8(data.0).ok()
}

/// The number of bytes at the end that further bytes could complete to a character.
fn incomplete_utf8(bytes: &[u8]) -> usize {
    let last = bytes.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
    let is_incomplete = std::str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
    if is_incomplete { last.len() } else { 0 }
}

fn utf8_encode<'js>(ctx: Ctx<'js>, text: String) -> Result<Object<'js>> {
    views::array(&ctx, text.into_bytes())
}

fn latin1_decode(view: TypedArray<'_, u8>, start: usize, end: usize) -> String {
    views::range(&view, start, end).into_iter().map(char::from).collect()
}

fn ascii_decode(view: TypedArray<'_, u8>, start: usize, end: usize) -> String {
    views::range(&view, start, end).into_iter().map(|byte| char::from(byte & 0x7f)).collect()
}

/// Encodes the low byte of each UTF-16 code unit.
fn latin1_encode<'js>(ctx: Ctx<'js>, text: String) -> Result<Object<'js>> {
    let bytes = if text.is_ascii() {
        text.into_bytes()
    } else {
        text.encode_utf16().map(|unit| unit.to_le_bytes()[0]).collect()
    };
    views::array(&ctx, bytes)
}

/// Decodes UTF-16LE; `None` if there is a lone surrogate, which a Rust string cannot hold.
fn utf16_decode(view: TypedArray<'_, u8>, start: usize, end: usize) -> Option<String> {
    let bytes = views::range(&view, start, end);
    let units = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    char::decode_utf16(units).collect::<std::result::Result<_, _>>().ok()
}

fn utf16_encode<'js>(ctx: Ctx<'js>, text: String) -> Result<Object<'js>> {
    views::array(&ctx, text.encode_utf16().flat_map(u16::to_le_bytes).collect())
}

/// The first position of `needle` at or after `from`, or -1. Only multiples of `step`, the size of
/// a code unit, match.
fn index_of(data: Bytes, needle: Bytes, from: usize, step: usize) -> i64 {
    let (data, needle, step) = (data.0, needle.0, step.max(1));
    let Some(last) = data.len().checked_sub(needle.len()) else { return -1 };
    let Some(&first) = needle.first() else { return -1 };
    let mut at = from;
    while at <= last {
        // Searching for the first byte is fast in the standard library.
        let Some(skip) = data[at..=last].iter().position(|&byte| byte == first) else { return -1 };
        at += skip;
        if at.is_multiple_of(step) && data[at..at + needle.len()] == needle[..] {
            return at as i64;
        }
        at += 1;
    }
    -1
}

/// The last position of `needle` at or before `from`, or -1.
fn last_index_of(data: Bytes, needle: Bytes, from: usize, step: usize) -> i64 {
    let (data, needle, step) = (data.0, needle.0, step.max(1));
    let Some(last) = data.len().checked_sub(needle.len()) else { return -1 };
    (0..=from.min(last))
        .rev()
        .filter(|at| at.is_multiple_of(step))
        .find(|&at| data[at..at + needle.len()] == needle[..])
        .map_or(-1, |at| at as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Bytes {
        Bytes(text.as_bytes().to_vec())
    }

    #[test]
    fn index_of_starts_at_the_offset_and_matches_whole_units() {
        assert_eq!(index_of(bytes("abcabc"), bytes("bc"), 0, 1), 1);
        assert_eq!(index_of(bytes("abcabc"), bytes("bc"), 2, 1), 4);
        assert_eq!(index_of(bytes("abcabc"), bytes("bc"), 0, 2), 4);
        assert_eq!(index_of(bytes("abc"), bytes("c"), 3, 1), -1);
    }

    #[test]
    fn a_longer_or_empty_needle_is_not_found() {
        assert_eq!(index_of(bytes("ab"), bytes("abc"), 0, 1), -1);
        assert_eq!(index_of(bytes("ab"), bytes(""), 0, 1), -1);
        assert_eq!(last_index_of(bytes("ab"), bytes("abc"), 9, 1), -1);
    }

    #[test]
    fn last_index_of_starts_at_the_offset() {
        assert_eq!(last_index_of(bytes("abcabc"), bytes("abc"), 6, 1), 3);
        assert_eq!(last_index_of(bytes("abcabc"), bytes("abc"), 2, 1), 0);
        assert_eq!(last_index_of(bytes("xaxa"), bytes("a"), 4, 2), -1);
    }
}
