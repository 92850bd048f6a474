//! Durations, counts and names as text for users.

use std::path::Path;

use crate::model::Name;

/// Three significant digits: `1.23 ms`, `45.6 µs`, `789 ns`.
pub fn duration(ns: u64) -> String {
    // 999.6 µs is 1.00 ms: rounding must not give four digits.
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")];
    let Some((size, unit)) = units.into_iter().find(|(size, _)| ns as f64 >= size * 0.9995) else {
        return format!("{ns} ns");
    };
    let value = ns as f64 / size;
    let digits = if value >= 99.95 { 0 } else { 1 + usize::from(value < 9.995) };
    format!("{value:.digits$} {unit}")
}

/// A number with commas between thousands.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The file and line of a function, or nothing. Files below the current folder are relative to it.
pub fn location(name: &Name) -> String {
    let Some(file) = &name.file else { return String::new() };
    let folder = std::env::current_dir().unwrap_or_default();
    let file = Path::new(file).strip_prefix(folder).unwrap_or(Path::new(file)).display();
    match name.line {
        Some(line) => format!("{file}:{line}"),
        None => file.to_string(),
    }
}

/// A function with its location: `on_read (server.c:41)`.
pub fn function(name: &Name) -> String {
    match location(name).as_str() {
        "" => name.short(),
        location => format!("{} ({location})", name.short()),
    }
}

/// A share of one, in per cent.
pub fn share(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_three_digits() {
        let texts = [0, 789, 999, 1_000, 45_600, 999_600, 1_230_000, 12_345_678_901].map(duration);
        let expected =
            ["0 ns", "789 ns", "999 ns", "1.00 µs", "45.6 µs", "1.00 ms", "1.23 ms", "12.3 s"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn files_below_the_current_folder_are_relative() {
        let folder = std::env::current_dir().expect("a current folder");
        let file = folder.join("src/a.c").display().to_string();
        let mut name = Name { function: "f".to_owned(), file: Some(file), line: Some(7) };
        assert_eq!(function(&name), "f (src/a.c:7)");
        name.file = Some("/elsewhere/a.c".to_owned());
        name.line = None;
        assert_eq!(function(&name), "f (/elsewhere/a.c)");
        name.file = None;
        assert_eq!(function(&name), "f");
    }

    #[test]
    fn counts_have_commas() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
    }
}
