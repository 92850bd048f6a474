//! Conversion between UTF-16 and WTF-8, the encoding of file names on Windows.
//!
//! UTF-16 from Windows may contain unpaired surrogates. WTF-8 extends UTF-8 by encoding them in
//! three bytes. Programs use these functions on all systems.

use std::ffi::{CStr, c_char, c_int};

use mauve_sys::Errno;

use crate::ffi::{Ptr, negative};
use crate::text;

#[unsafe(no_mangle)]
pub extern "C" fn uv_utf16_length_as_wtf8(utf16: Ptr<u16>, length: isize) -> usize {
    encode(units(&utf16, length)).len()
}

/// Writes the result to `*wtf8`, which has space for `*wtf8_length` bytes and a terminator, or, if
/// that is null, to new memory. Without `wtf8` only the length is computed.
#[unsafe(no_mangle)]
pub extern "C" fn uv_utf16_to_wtf8(
    utf16: Ptr<u16>,
    length: isize,
    wtf8: Ptr<*mut c_char>,
    wtf8_length: Ptr<usize>,
) -> c_int {
    let encoded = encode(units(&utf16, length));
    let capacity = if wtf8_length.is_null() { 0 } else { wtf8_length.with(|length| *length) };
    if !wtf8_length.is_null() {
        wtf8_length.write(encoded.len());
    }
    if wtf8.is_null() {
        return 0;
    }
    let target = wtf8.with(|target| *target);
    if target.is_null() {
        let copy = text::duplicate(&encoded);
        wtf8.write(copy);
        return if copy.is_null() { negative(Errno::ENOMEM) } else { 0 };
    }
    // SAFETY: the program guarantees `capacity` bytes, and one for the terminator.
    text::copy(&encoded, unsafe { Ptr::new(target) }, capacity.saturating_add(1));
    if encoded.len() <= capacity {
        return 0;
    }
    if !wtf8_length.is_null() {
        wtf8_length.write(encoded.len() + counted_twice(&encoded, capacity));
    }
    negative(Errno::ENOBUFS)
}

/// The bytes that libuv counts twice in the length that it returns with `ENOBUFS`: those of the first
/// code point, if only a part of it fits.
fn counted_twice(encoded: &[u8], capacity: usize) -> usize {
    let is_cut = encoded[1..=capacity].iter().all(|byte| byte & 0xc0 == 0x80);
    if is_cut { capacity } else { 0 }
}

/// The length includes the terminator.
#[unsafe(no_mangle)]
pub extern "C" fn uv_wtf8_length_as_utf16(wtf8: Ptr<c_char>) -> isize {
    match decode(text::borrow(&wtf8)) {
        Some(units) => units.len() as isize + 1,
        None => negative(Errno::EINVAL) as isize,
    }
}

/// The program has called `uv_wtf8_length_as_utf16` before, so the text is valid and fits.
#[unsafe(no_mangle)]
pub extern "C" fn uv_wtf8_to_utf16(wtf8: Ptr<c_char>, utf16: Ptr<u16>, length: usize) {
    let units = decode(text::borrow(&wtf8)).unwrap_or_default();
    for (index, unit) in units.into_iter().chain([0]).take(length).enumerate() {
        // SAFETY: the program guarantees space for `length` units.
        unsafe { utf16.raw().add(index).write(unit) };
    }
}

/// The units that C passed: `length` of them or, if it is negative, all before the first zero.
fn units(utf16: &Ptr<u16>, length: isize) -> &[u16] {
    let length = usize::try_from(length).unwrap_or_else(|_| {
        // SAFETY: the program guarantees a terminator.
        (0..).take_while(|&index| unsafe { *utf16.raw().add(index) } != 0).count()
    });
    if length == 0 {
        return &[];
    }
    // SAFETY: the program guarantees this many units, during the call.
    unsafe { std::slice::from_raw_parts(utf16.raw(), length) }
}

/// Encodes surrogate pairs as one code point, and unpaired surrogates as they are.
fn encode(units: &[u16]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(units.len());
    let mut buffer = [0; 4];
    for point in char::decode_utf16(units.iter().copied()) {
        match point {
            Ok(point) => bytes.extend_from_slice(point.encode_utf8(&mut buffer).as_bytes()),
            Err(half) => {
                let half = half.unpaired_surrogate();
                let low_bits = |unit: u16| 0x80 | (unit & 0x3f) as u8;
                bytes.extend([0xe0 | (half >> 12) as u8, low_bits(half >> 6), low_bits(half)]);
            }
        }
    }
    bytes
}

/// `None` if the text is not WTF-8. As in libuv, overlong encodings of three and four bytes are
/// accepted.
fn decode(text: &CStr) -> Option<Vec<u16>> {
    let mut bytes = text.to_bytes();
    let mut units = Vec::with_capacity(bytes.len());
    while let [first, rest @ ..] = bytes {
        let (start, more) = match first {
            0x00..=0x7f => (*first, 0),
            0xc2..=0xdf => (first & 0x1f, 1),
            0xe0..=0xef => (first & 0x0f, 2),
            0xf0..=0xf4 => (first & 0x07, 3),
            _ => return None,
        };
        let (tail, after) = rest.split_at_checked(more)?;
        let point = tail.iter().try_fold(u32::from(start), |point, byte| {
            (byte & 0xc0 == 0x80).then_some(point << 6 | u32::from(byte & 0x3f))
        })?;
        match point {
            0..=0xffff => units.push(point as u16),
            _ => units.extend_from_slice(char::from_u32(point)?.encode_utf16(&mut [0; 2])),
        }
        bytes = after;
    }
    Some(units)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_and_unpaired_surrogates_round_trip() {
        for units in [
            &[0x61, 0xe9, 0x20ac, 0xd83d, 0xde00][..],
            &[0xd83d],
            &[0xde00, 0xd83d],
            &[0xd83d, 0xd83d, 0xde00],
            &[],
        ] {
            let encoded = std::ffi::CString::new(encode(units)).unwrap();
            assert_eq!(decode(&encoded).as_deref(), Some(units));
        }
        assert_eq!(encode(&[0xd83d]), b"\xed\xa0\xbd");
    }

    #[test]
    fn invalid_wtf8_is_rejected() {
        for bytes in [c"\xff", c"\x80", c"\xc0\x80", c"\xe2\x82", c"\xc3a", c"\xf4\x90\x80\x80"] {
            assert_eq!(decode(bytes), None, "{bytes:?}");
        }
    }
}
