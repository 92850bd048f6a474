//! Internationalised host names (IDNA): the encoding of non-ASCII labels in Punycode.
//!
//! As in libuv, names are not converted to lower case, normalised, or rejected for their
//! characters.

use crate::{Errno, Result};

/// The maximum length of a host name.
pub const MAX_LENGTH: usize = 255;

/// Encodes every label that is not ASCII in Punycode: `bücher.example` becomes
/// `xn--bcher-kva.example`. `EINVAL` if the name is empty, not valid UTF-8, or too long when encoded.
pub fn to_ascii(name: &[u8]) -> Result<Vec<u8>> {
    let name = std::str::from_utf8(name).map_err(|_| Errno::EINVAL)?;
    // Every character takes at least one byte. Checked first, since encoding takes quadratic time.
    if name.is_empty() || name.chars().nth(MAX_LENGTH).is_some() {
        return Err(Errno::EINVAL);
    }
    let mut encoded = Vec::with_capacity(name.len());
    for (position, label) in name.split(is_dot).enumerate() {
        if position > 0 {
            encoded.push(b'.');
        }
        if label.is_ascii() {
            encoded.extend_from_slice(label.as_bytes());
        } else {
            encoded.extend_from_slice(b"xn--");
            encode(label, &mut encoded)?;
        }
    }
    if encoded.len() > MAX_LENGTH {
        return Err(Errno::EINVAL);
    }
    Ok(encoded)
}

/// The full stop, and its ideographic and full-width forms.
fn is_dot(character: char) -> bool {
    matches!(character, '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}')
}

// The parameters of Punycode, RFC 3492 section 5.
const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_N: u32 = 0x80;

/// RFC 3492, section 6.3. Names of the maximum length cannot cause an overflow, which is an error
/// nevertheless.
fn encode(label: &str, out: &mut Vec<u8>) -> Result<()> {
    let basic = out.len();
    out.extend(label.bytes().filter(u8::is_ascii));
    let basic = (out.len() - basic) as u32;
    if basic > 0 {
        out.push(b'-');
    }
    let total = label.chars().count() as u32;
    let (mut n, mut delta, mut bias, mut handled) = (INITIAL_N, 0u32, INITIAL_BIAS, basic);
    while handled < total {
        let larger = label.chars().map(u32::from).filter(|point| *point >= n);
        let next = larger.min().ok_or(Errno::EINVAL)?;
        let step = (next - n).checked_mul(handled + 1).ok_or(Errno::EINVAL)?;
        delta = delta.checked_add(step).ok_or(Errno::EINVAL)?;
        n = next;
        for point in label.chars().map(u32::from) {
            if point < n {
                delta = delta.checked_add(1).ok_or(Errno::EINVAL)?;
            } else if point == n {
                encode_delta(delta, bias, out);
                bias = adapt(delta, handled + 1, handled == basic);
                delta = 0;
                handled += 1;
            }
        }
        delta = delta.checked_add(1).ok_or(Errno::EINVAL)?;
        n += 1;
    }
    Ok(())
}

/// Encodes a variable-length integer, least significant digit first.
fn encode_delta(delta: u32, bias: u32, out: &mut Vec<u8>) {
    let mut rest = delta;
    for position in (BASE..).step_by(BASE as usize) {
        let threshold = position.saturating_sub(bias).clamp(T_MIN, T_MAX);
        if rest < threshold {
            break;
        }
        out.push(digit(threshold + (rest - threshold) % (BASE - threshold)));
        rest = (rest - threshold) / (BASE - threshold);
    }
    out.push(digit(rest));
}

fn digit(value: u32) -> u8 {
    b"abcdefghijklmnopqrstuvwxyz0123456789"[value as usize]
}

/// RFC 3492, section 6.1.
fn adapt(delta: u32, points: u32, first: bool) -> u32 {
    let mut delta = if first { delta / DAMP } else { delta / 2 };
    delta += delta / points;
    let mut bias = 0;
    while delta > (BASE - T_MIN) * T_MAX / 2 {
        delta /= BASE - T_MIN;
        bias += BASE;
    }
    bias + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ascii(name: &str) -> String {
        String::from_utf8(to_ascii(name.as_bytes()).unwrap()).unwrap()
    }

    #[test]
    fn ascii_names_are_unchanged() {
        for name in [".", ".com", "example-", "Example.COM.", "-> $1.00 <-", "a..b"] {
            assert_eq!(ascii(name), name);
        }
    }

    #[test]
    fn the_samples_of_rfc_3492_are_encoded_as_specified() {
        let samples = [
            ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
            ("Pročprostěnemluvíčesky", "xn--Proprostnemluvesky-uyb24dma41a"),
            ("למההםפשוטלאמדבריםעברית", "xn--4dbcagdahymbxekheh6e0a7fei0b"),
            ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"),
            ("3年B組金八先生", "xn--3B-ww4c5e180e575a65lsy2b"),
            ("Hello-Another-Way-それぞれの場所", "xn--Hello-Another-Way--fc4qua05auwb3674vfr0b"),
            ("そのスピードで", "xn--d9juau41awczczp"),
        ];
        for (name, encoded) in samples {
            assert_eq!(ascii(name), encoded);
            // Encoding is idempotent.
            assert_eq!(ascii(encoded), encoded);
        }
    }

    #[test]
    fn labels_are_encoded_separately_and_split_at_every_kind_of_dot() {
        assert_eq!(ascii("bücher.example"), "xn--bcher-kva.example");
        assert_eq!(ascii("straße.de"), "xn--strae-oqa.de");
        assert_eq!(ascii("ü.ü."), "xn--tda.xn--tda.");
        assert_eq!(ascii("mañana。com"), "xn--maana-pta.com");
        assert_eq!(ascii("mañana．com｡"), "xn--maana-pta.com.");
        assert_eq!(ascii("💩.la"), "xn--ls8h.la");
    }

    #[test]
    fn malformed_utf_8_is_rejected() {
        let overlong: &[u8] = b"\xc0\x80\xc1\x80.com";
        let surrogate = b"\xed\xa0\x80";
        let too_high = b"\xf4\x90\x80\x80";
        for name in [b"", overlong, surrogate, too_high, b"a\xc3", b"\xff"] {
            assert_eq!(to_ascii(name), Err(Errno::EINVAL));
        }
    }

    #[test]
    fn a_name_too_long_is_an_error_and_not_truncated() {
        let fits = "a".repeat(MAX_LENGTH);
        assert_eq!(ascii(&fits), fits);
        assert_eq!(to_ascii("a".repeat(MAX_LENGTH + 1).as_bytes()), Err(Errno::EINVAL));
        // Short enough before, but not after encoding.
        assert_eq!(to_ascii("ü".repeat(250).as_bytes()), Err(Errno::EINVAL));
        assert_eq!(to_ascii("。".repeat(MAX_LENGTH + 1).as_bytes()), Err(Errno::EINVAL));
    }

    #[test]
    fn the_highest_code_points_do_not_overflow() {
        let name: String = std::iter::repeat_n('a', 200).chain(['\u{10ffff}']).collect();
        assert!(ascii(&name).starts_with("xn--aaaa"));
        let mixed = "\u{80}\u{10ffff}".repeat(20);
        assert!(to_ascii(mixed.as_bytes()).is_ok());
    }
}
