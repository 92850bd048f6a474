//! Decimal numbers in texts, such as the load average.
//!
//! The parser of the standard library supports every form and length of a number. With its table it takes
//! 26 kB of the C library, for three numbers that the kernel writes and the rates of `mauve sim --faults`.

/// The largest number to which another digit can be added without rounding.
const EXACT: u64 = (1 << f64::MANTISSA_DIGITS) / 10 - 1;

/// Reads digits with at most one point. Up to 15 digits give the nearest number; later digits of the fraction
/// are ignored. `None` for anything else.
pub fn parse(text: &str) -> Option<f64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut number = 0;
    for digit in whole.bytes() {
        if number > EXACT {
            return None;
        }
        number = number * 10 + digit_of(digit)?;
    }
    let mut divisor = 1.0;
    for digit in fraction.bytes() {
        let digit = digit_of(digit)?;
        if number <= EXACT {
            number = number * 10 + digit;
            divisor *= 10.0;
        }
    }
    Some(number as f64 / divisor)
}

fn digit_of(byte: u8) -> Option<u64> {
    byte.is_ascii_digit().then(|| u64::from(byte - b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_numbers_are_those_of_the_standard_library() {
        let mut state = 1_u64;
        for _ in 0..10_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let whole = (state >> 40) % 1_000_000;
            let fraction = (state >> 11) % 1_000_000_000;
            for text in
                [format!("{whole}.{fraction:09}"), format!("{whole}"), format!("0.{fraction}")]
            {
                assert_eq!(parse(&text), text.parse().ok(), "{text}");
            }
        }
        for text in ["0", "1", "0.0", "5.", ".5", "007.250", "0.01", "1.000000000000000"] {
            assert_eq!(parse(text), text.parse().ok(), "{text}");
        }
    }

    #[test]
    fn later_digits_of_a_fraction_are_ignored() {
        assert_eq!(parse("0.3333333333333333333333333"), Some(0.333_333_333_333_333_3));
        assert_eq!(parse(&format!("0.{}1", "0".repeat(400))), Some(0.0));
    }

    #[test]
    fn other_texts_are_no_numbers() {
        let texts = ["", ".", "-1", "+1", " 1", "1 ", "1.2.3", "1e3", "inf", "nan", "x", "0.1x"];
        for text in texts.into_iter().chain(["99999999999999999999"]) {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
