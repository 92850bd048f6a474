//! Encodings and searches of `Buffer`.

use mauve_quickjs::{Local, LocalAtom, NativeCall, copy_bytes, native_function};
use rquickjs::{Ctx, Object, Result, TypedArray, Value};

use super::define;
use crate::host::text::{Text, Units};
use crate::host::views::{self, Bytes};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "utf8Decode", utf8_decode)?;
    define(object, "utf8DecodeStrict", utf8_decode_strict)?;
    define(object, "utf8Encode", utf8_encode)?;
    object.set("utf8Length", native_function(object.ctx(), c"utf8Length", 1, utf8_length)?)?;
    define(object, "isUtf8", |data: Bytes| std::str::from_utf8(&data.0).is_ok())?;
    define(object, "incompleteUtf8", |data: Bytes| incomplete_utf8(&data.0))?;
    define(object, "isAscii", |data: Bytes| data.0.is_ascii())?;
    define(object, "latin1Decode", latin1_decode)?;
    define(object, "asciiDecode", ascii_decode)?;
    define(object, "latin1Encode", latin1_encode)?;
    define(object, "utf16Decode", utf16_decode)?;
    define(object, "utf16Encode", utf16_encode)?;
    define(object, "hexEncode", |ctx, text: Text| views::array(&ctx, hex(text.0.as_bytes())))?;
    define(object, "base64Encode", |ctx, text: Text| views::array(&ctx, base64(&text.0)))?;
    // Other characters become their low byte, as in Node.
    define(object, "unescape", |ctx, text: Units, spaces: bool| {
        let plus = if spaces { b' ' } else { b'+' };
        let low = text.0.iter().map(|unit| *unit as u8);
        views::array(&ctx, unescape(low.map(|byte| if byte == b'+' { plus } else { byte })))
    })?;
    define(object, "incomplete", |encoding: String, data: Bytes| incomplete(&encoding, &data.0))?;
    object.set("sumLengths", native_function(object.ctx(), c"sumLengths", 1, sum_lengths)?)?;
    object.set("copyAll", native_function(object.ctx(), c"copyAll", 2, copy_all)?)?;
    define(object, "compare", |a: Bytes, b: Bytes| a.0.cmp(&b.0) as i32)?;
    define(object, "indexOf", index_of)?;
    define(object, "lastIndexOf", last_index_of)?;
    super::text_encodings::fill(object)
}

fn utf8_length<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    // A lone surrogate takes as many bytes as the character that replaces it.
    let length = call.arg(0).with_text(<[u8]>::len)?;
    Ok(Local::number(call.ctx(), length as f64))
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

fn utf8_encode<'js>(ctx: Ctx<'js>, text: Text) -> Result<Object<'js>> {
    views::array(&ctx, text.0.into_bytes())
}

fn latin1_decode(view: TypedArray<'_, u8>, start: usize, end: usize) -> String {
    views::range(&view, start, end).into_iter().map(char::from).collect()
}

fn ascii_decode(view: TypedArray<'_, u8>, start: usize, end: usize) -> String {
    views::range(&view, start, end).into_iter().map(|byte| char::from(byte & 0x7f)).collect()
}

/// Encodes the low byte of each UTF-16 code unit.
fn latin1_encode<'js>(ctx: Ctx<'js>, text: Value<'js>) -> Result<Object<'js>> {
    let low = |unit: u16| unit as u8;
    let bytes = match text.get::<rquickjs::String<'_>>()?.to_string() {
        Ok(text) if text.is_ascii() => text.into_bytes(),
        Ok(text) => text.encode_utf16().map(low).collect(),
        // A lone surrogate.
        Err(_) => text.get::<Units>()?.0.into_iter().map(low).collect(),
    };
    views::array(&ctx, bytes)
}

fn utf16_decode(view: TypedArray<'_, u8>, start: usize, end: usize) -> Units {
    let bytes = views::range(&view, start, end);
    Units(bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect())
}

fn utf16_encode<'js>(ctx: Ctx<'js>, text: Units) -> Result<Object<'js>> {
    views::array(&ctx, text.0.into_iter().flat_map(u16::to_le_bytes).collect())
}

/// The value of two hexadecimal digits.
pub(super) fn hex_pair(pair: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some((digit(pair[0])? << 4 | digit(pair[1])?) as u8)
}

/// Decodes hexadecimal digits up to the first pair that is invalid.
fn hex(text: &[u8]) -> Vec<u8> {
    text.chunks_exact(2).map_while(hex_pair).collect()
}

/// Decodes base64 in both alphabets. Skips other characters, ends at `=`, and drops a single character at
/// the end.
fn base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 3);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.bytes().take_while(|byte| *byte != b'=') {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => continue,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

/// Decodes `%` with two digits.
pub(super) fn unescape(text: impl Iterator<Item = u8>) -> Vec<u8> {
    let source: Vec<u8> = text.collect();
    let mut bytes = Vec::with_capacity(source.len());
    let mut at = 0;
    while let Some(&byte) = source.get(at) {
        at += 1;
        let pair = source.get(at..at + 2).filter(|_| byte == b'%').and_then(hex_pair);
        at += if pair.is_some() { 2 } else { 0 };
        bytes.push(pair.unwrap_or(byte));
    }
    bytes
}

/// The number of bytes at the end that `StringDecoder` keeps for the next chunk.
fn incomplete(encoding: &str, bytes: &[u8]) -> usize {
    match encoding {
        // By the lead byte alone, even if no such character exists.
        "utf8" => {
            let continues = bytes.iter().rev().take(3).take_while(|byte| **byte & 0xc0 == 0x80);
            let back = continues.count() + 1;
            let length = match bytes.len().checked_sub(back).map(|at| bytes[at]) {
                Some(0xc0..=0xdf) => 2,
                Some(0xe0..=0xef) => 3,
                Some(0xf0..=0xf7) => 4,
                _ => 0,
            };
            if length > back { back } else { 0 }
        }
        "utf16le" if bytes.len() % 2 == 1 => 1,
        // A high surrogate is kept until its low surrogate arrives.
        "utf16le" => 2 * usize::from(bytes.last().is_some_and(|byte| byte & 0xfc == 0xd8)),
        "base64" | "base64url" => bytes.len() % 3,
        _ => 0,
    }
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

/// `sumLengths(list)` returns the sum of the property `length` of all items.
fn sum_lengths<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let (ctx, list) = (call.ctx(), call.arg(0));
    let length = LocalAtom::new(ctx, "length")?;
    let mut sum = 0.0;
    for index in 0..list.get(&length)?.to_number()? as u32 {
        let size = list.element(index)?.get(&length)?;
        if size.is_truthy() {
            sum += size.to_number()?;
        }
    }
    Ok(Local::number(ctx, sum))
}

/// `copyAll(list, target)` copies the items to the target, one after the other, until it is full. Returns the
/// index of the first item that is no `Uint8Array`, or -1.
fn copy_all<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let (ctx, list) = (call.ctx(), call.arg(0));
    let target: TypedArray<'js, u8> = call.arg(1).to_value().get()?;
    let length = list.get(&LocalAtom::new(ctx, "length")?)?.to_number()? as u32;
    let mut at = 0;
    for index in 0..length {
        let Ok(item) = list.element(index)?.to_value().get::<TypedArray<'js, u8>>() else {
            return Ok(Local::number(ctx, f64::from(index)));
        };
        at += copy_bytes(&item, &target, at);
    }
    Ok(Local::number(ctx, -1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &str) -> Bytes {
        Bytes(text.as_bytes().to_vec())
    }

    #[test]
    fn invalid_digits_end_hexadecimal_and_are_skipped_in_base64() {
        assert_eq!(hex(b"61620"), b"ab");
        assert_eq!(hex(b"61g262"), b"a");
        assert_eq!(base64("YWJj"), b"abc");
        assert_eq!(base64("Y W-_\n="), [97, 111, 191]);
        assert_eq!(base64("YWI=YWI"), b"ab");
        assert_eq!(base64("YWJjZ"), b"abc");
    }

    #[test]
    fn escapes_without_two_digits_are_kept() {
        assert_eq!(unescape("%61%zz+%4".bytes()), b"a%zz+%4");
    }

    #[test]
    fn the_lead_byte_decides_what_is_incomplete() {
        assert_eq!(incomplete("utf8", &[0x61, 0xe2, 0x82]), 2);
        assert_eq!(incomplete("utf8", &[0xe2, 0x82, 0xac]), 0);
        assert_eq!(incomplete("utf8", &[0x82, 0x82]), 0);
        assert_eq!(incomplete("utf8", &[0xf0, 0x80, 0x80]), 3);
        assert_eq!(incomplete("utf8", &[]), 0);
        assert_eq!(incomplete("utf16le", &[0, 0xd8]), 2);
        assert_eq!(incomplete("utf16le", &[0, 0xd8, 0]), 1);
        assert_eq!(incomplete("base64", &[0; 5]), 2);
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
