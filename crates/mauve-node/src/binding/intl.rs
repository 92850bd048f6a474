//! The parts of `Intl` with data of Unicode: the order of strings in a language, and the characters that a
//! reader sees.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::rc::Rc;

use icu_collator::options::{AlternateHandling, CaseLevel, CollatorOptions, Strength};
use icu_collator::preferences::{CollationCaseFirst, CollationNumericOrdering};
use icu_collator::{CollatorBorrowed, CollatorPreferences};
use icu_locale_core::Locale;
use rquickjs::{Ctx, Exception, Object, Result};
use unicode_segmentation::UnicodeSegmentation;

use super::define;
use crate::host::text::{Text, Units};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "compare", compare)?;
    define(object, "canonical", |text: String| text.parse::<Locale>().ok().map(|l| l.to_string()))?;
    define(object, "date", date)?;
    define(object, "number", number)?;
    define(object, "graphemes", |Text(text): Text| graphemes(&text))?;
    define(object, "zone", zone)
}

/// The name of the local time zone, such as `Europe/London`.
fn zone() -> String {
    let variable = std::env::var("TZ").ok().map(|name| name.trim_start_matches(':').to_owned());
    let link = || {
        let target = std::fs::canonicalize("/etc/localtime").ok()?;
        Some(target.to_str()?.split_once("zoneinfo/")?.1.to_owned())
    };
    let name = variable.or_else(link).unwrap_or_default();
    match name.as_str() {
        "" | "Etc/UTC" | "Etc/UCT" | "Universal" | "Zulu" => "UTC".to_owned(),
        _ => name,
    }
}

thread_local! {
    /// Sorting a list compares many strings in one way.
    static COLLATORS: RefCell<HashMap<(String, String), Rc<CollatorBorrowed<'static>>>> = RefCell::default();
}

/// Compares two strings as a `Collator` with these settings: words such as `numeric` and `base`.
fn compare(
    ctx: Ctx<'_>,
    Units(left): Units,
    Units(right): Units,
    locale: String,
    settings: String,
) -> Result<i32> {
    let key = (locale, settings);
    let found = COLLATORS.with_borrow(|known| known.get(&key).cloned());
    let collator = match found {
        Some(collator) => collator,
        None => {
            let made = collator(&key.0, &key.1).ok_or_else(|| {
                Exception::throw_range(&ctx, "Incorrect locale information provided")
            })?;
            let made = Rc::new(made);
            COLLATORS.with_borrow_mut(|known| known.insert(key, made.clone()));
            made
        }
    };
    Ok(collator.compare_utf16(&left, &right) as i32)
}

fn collator(locale: &str, settings: &str) -> Option<CollatorBorrowed<'static>> {
    let mut preferences = CollatorPreferences::from(&locale.parse::<Locale>().ok()?);
    let mut options = CollatorOptions::default();
    options.strength = Some(Strength::Tertiary);
    for word in settings.split(' ') {
        match word {
            "base" => options.strength = Some(Strength::Primary),
            "accent" => options.strength = Some(Strength::Secondary),
            "case" => {
                options.strength = Some(Strength::Primary);
                options.case_level = Some(CaseLevel::On);
            }
            "numeric" => preferences.numeric_ordering = Some(CollationNumericOrdering::True),
            "upper" => preferences.case_first = Some(CollationCaseFirst::Upper),
            "lower" => preferences.case_first = Some(CollationCaseFirst::Lower),
            "ignorePunctuation" => options.alternate_handling = Some(AlternateHandling::Shifted),
            _ => {}
        }
    }
    icu_collator::Collator::try_new(preferences, options).ok()
}

/// A number of American English, given as its absolute value.
fn number(
    text: String,
    is_negative: bool,
    is_percent: bool,
    min: usize,
    max: usize,
    groups: bool,
) -> String {
    let unit = if is_percent { "%" } else { "" };
    let sign = if is_negative { "-" } else { "" };
    match text.as_str() {
        "NaN" => format!("NaN{unit}"),
        "Infinity" => format!("{sign}∞{unit}"),
        _ => format!(
            "{sign}{}{unit}",
            decimal(&text, if is_percent { 2 } else { 0 }, min..=max, groups)
        ),
    }
}

/// A date, a time, or both, of American English. `fields` are the year, the month from 0, the day, the hour, the
/// minute and the second.
fn date(fields: Vec<u32>, has_halves: bool, parts: String) -> String {
    let [year, month, day, hour, minute, second] = fields[..] else { return String::new() };
    let time = match has_halves {
        true => {
            let half = if hour < 12 { "AM" } else { "PM" };
            format!("{}:{minute:02}:{second:02} {half}", (hour + 11) % 12 + 1)
        }
        false => format!("{hour:02}:{minute:02}:{second:02}"),
    };
    let show =
        |part| if part == "date" { format!("{}/{day}/{year}", month + 1) } else { time.clone() };
    parts.split(' ').map(show).collect::<Vec<_>>().join(", ")
}

/// A number without a sign, such as `12` or `1.5e-7`, with as many digits after the point as `fraction` allows. It is
/// rounded half up, after the point has moved by `shift`. Groups of three digits are separated.
fn decimal(text: &str, shift: i32, fraction: RangeInclusive<usize>, groups: bool) -> String {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, rest) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let position = whole.len() as i32 + exponent + shift;
    let mut digits: Vec<u8> = vec![b'0'; usize::try_from(1 - position).unwrap_or_default()];
    digits.extend(whole.bytes().chain(rest.bytes()));
    let mut point = position.max(1) as usize;
    let kept = point + fraction.end();
    let is_up = digits.get(kept).is_some_and(|digit| *digit >= b'5');
    digits.resize(kept, b'0');
    if is_up {
        let nines = digits.iter().rev().take_while(|digit| **digit == b'9').count();
        digits[kept - nines..].fill(b'0');
        match (kept - nines).checked_sub(1) {
            Some(last) => digits[last] += 1,
            None => {
                digits.insert(0, b'1');
                point += 1;
            }
        }
    }
    let mut after = &digits[point..];
    while after.len() > *fraction.start() && after.ends_with(b"0") {
        after = &after[..after.len() - 1];
    }
    let zeros = digits[..point - 1].iter().take_while(|digit| **digit == b'0').count();
    let mut shown = String::new();
    for (index, digit) in digits[..point].iter().enumerate().skip(zeros) {
        if groups && index > zeros && (point - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(char::from(*digit));
    }
    if !after.is_empty() {
        shown.push('.');
        shown.extend(after.iter().map(|digit| char::from(*digit)));
    }
    shown
}

/// The lengths of the grapheme clusters of a text, in code units.
fn graphemes(text: &str) -> Vec<u32> {
    text.graphemes(true).map(|cluster| cluster.encode_utf16().count() as u32).collect()
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::{collator, decimal, graphemes};

    #[test]
    fn strings_are_compared_as_a_language_does() {
        let compare = |locale, settings, left: &str, right: &str| {
            collator(locale, settings).expect("a collator").compare(left, right)
        };
        assert_eq!(compare("en-US", "variant", "a", "B"), Ordering::Less);
        assert_eq!(compare("en-US", "variant", "a", "A"), Ordering::Less);
        assert_eq!(compare("en-US", "base", "ä", "A"), Ordering::Equal);
        assert_eq!(compare("en-US", "accent", "ä", "A"), Ordering::Greater);
        assert_eq!(compare("en-US", "case", "a", "A"), Ordering::Less);
        assert_eq!(compare("en-US", "variant numeric", "a10", "a9"), Ordering::Greater);
        assert_eq!(compare("de", "variant", "ä", "z"), Ordering::Less);
        assert_eq!(compare("sv", "variant", "ä", "z"), Ordering::Greater);
        assert!(collator("not a locale", "").is_none());
    }

    #[test]
    fn decimals_are_rounded_and_grouped() {
        for (text, shift, fraction, shown) in [
            ("1.234567891234e+6", 0, 0..=3, "1,234,567.891"),
            ("5e-4", 0, 0..=3, "0.001"),
            ("4.9e-4", 0, 0..=3, "0"),
            ("9.995e+2", 0, 2..=2, "999.50"),
            ("9.9996e+0", 0, 0..=3, "10"),
            ("2.85e-1", 2, 0..=0, "29"),
            ("0e+0", 0, 2..=2, "0.00"),
            ("123456", 0, 0..=3, "123,456"),
            ("1e+21", 0, 0..=0, "1,000,000,000,000,000,000,000"),
        ] {
            assert_eq!(decimal(text, shift, fraction, true), shown, "{text}");
        }
        assert_eq!(decimal("123456", 0, 0..=3, false), "123456");
    }

    #[test]
    fn a_family_is_one_character() {
        assert_eq!(graphemes("a\u{301}👨‍👩‍👧\r\n"), [2, 8, 2]);
    }
}
