//! The messages of `AssertionError`, which compare two values as `util.inspect` shows them.

use super::line_diff;
use crate::host::text::Text;

/// The total length up to which two values are shown as `1 !== 2`.
const MAX_SHORT_LENGTH: usize = 12;
const MAX_VALUE_LENGTH: usize = 512;
const MAX_LINES: usize = 50;

/// A value as text, with its `typeof`, or `null` or `zero`.
struct Shown<'a> {
    text: &'a str,
    kind: &'a str,
}

impl Shown<'_> {
    fn is_object(&self) -> bool {
        self.kind == "object"
    }
}

fn headline(operator: &str) -> &'static str {
    match operator {
        "deepEqual" => "Expected values to be loosely deep-equal:",
        "deepStrictEqual" => "Expected values to be strictly deep-equal:",
        "notDeepEqual" => "Expected \"actual\" not to be loosely deep-equal to:",
        "notDeepStrictEqual" => "Expected \"actual\" not to be strictly deep-equal to:",
        "notStrictEqual" => "Expected \"actual\" to be strictly unequal to:",
        "strictEqual" => "Expected values to be strictly equal:",
        _ => "",
    }
}

/// The message for the operator of an assertion. `kinds` are those of the two values, and `given` is the caller's
/// message, which replaces the headline of strict comparisons.
pub(super) fn message(
    operator: String,
    given: Option<Text>,
    Text(actual): Text,
    Text(expected): Text,
    kinds: Vec<String>,
    width: usize,
) -> String {
    let actual = Shown { text: &actual, kind: &kinds[0] };
    let expected = Shown { text: &expected, kind: &kinds[1] };
    match (operator.as_str(), given) {
        ("deepStrictEqual" | "strictEqual", given) => {
            let given = given.map(|Text(text)| text).filter(|text| !text.is_empty());
            strict(&operator, given, &actual, &expected, width)
        }
        (_, Some(Text(given))) => given,
        ("notDeepStrictEqual" | "notStrictEqual", None) => unequal(&operator, &actual),
        _ => loose(&operator, actual.text, expected.text),
    }
}

/// The length of a string of JavaScript.
fn length(text: &str) -> usize {
    text.encode_utf16().count()
}

fn shorten(text: &str, kept: usize) -> Vec<&str> {
    let lines: Vec<&str> = text.split('\n').collect();
    match lines.len() > MAX_LINES {
        true => lines[..kept].iter().copied().chain(["..."]).collect(),
        false => lines,
    }
}

fn strict(
    operator: &str,
    given: Option<String>,
    actual: &Shown<'_>,
    expected: &Shown<'_>,
    width: usize,
) -> String {
    let are_objects = actual.is_object() && expected.is_object();
    let are_functions = actual.kind == "function" && expected.kind == "function";
    let reference = "Expected \"actual\" to be reference-equal to \"expected\":";
    let head = given.clone().unwrap_or_else(|| match operator {
        "strictEqual" if are_objects || are_functions => reference.to_owned(),
        _ => headline(operator).to_owned(),
    });
    let (left, right) = (actual.text, expected.text);
    if !are_objects && !left.contains('\n') && !right.contains('\n') {
        let strings = [actual, expected].iter().filter(|value| value.kind == "string").count();
        let is_short = length(left) + length(right) <= MAX_SHORT_LENGTH + 2 * strings;
        if is_short && !(actual.kind == "zero" && expected.kind == "zero") {
            return format!("{head}\n\n{left} !== {right}\n");
        }
        let pointer = pointer(left, right, width);
        return format!("{head}\n+ actual - expected\n\n+ {left}\n- {right}{pointer}\n");
    }
    if left == right {
        let same = "Values have same structure but are not reference-equal:";
        let lines = shorten(left, MAX_LINES).join("\n");
        return format!("{}\n\n{lines}\n", given.as_deref().unwrap_or(same));
    }
    let (is_skipped, text) = line_diff::diff(left, right, actual.is_object());
    let skipped = if is_skipped { "\n... Skipped lines" } else { "" };
    format!("{head}\n+ actual - expected{skipped}\n{text}\n")
}

/// Points at the first character that differs, unless it is one of the first.
fn pointer(left: &str, right: &str, width: usize) -> String {
    if length(left) + length(right) > width {
        return String::new();
    }
    let right: Vec<u16> = right.encode_utf16().collect();
    let at = left.encode_utf16().enumerate().position(|(at, unit)| right.get(at) != Some(&unit));
    match at {
        Some(at) if at >= 3 => format!("\n{}^", " ".repeat(at + 2)),
        _ => String::new(),
    }
}

fn unequal(operator: &str, actual: &Shown<'_>) -> String {
    let head = match operator {
        "notStrictEqual" if actual.is_object() || actual.kind == "function" => {
            "Expected \"actual\" not to be reference-equal to \"expected\":"
        }
        _ => headline(operator),
    };
    let lines = shorten(actual.text, MAX_LINES - 4);
    match lines[..] {
        [line] => format!("{head}{}{line}", if length(line) > 5 { "\n\n" } else { " " }),
        _ => format!("{head}\n\n{}\n", lines.join("\n")),
    }
}

/// The text, cut to a length with three dots.
fn cut(text: &str, max: usize) -> String {
    if length(text) <= max {
        return text.to_owned();
    }
    let units: Vec<u16> = text.encode_utf16().take(max - 3).collect();
    String::from_utf16_lossy(&units) + "..."
}

fn loose(operator: &str, actual: &str, expected: &str) -> String {
    if operator == "notDeepEqual" && actual == expected {
        return cut(&format!("{}\n\n{actual}", headline(operator)), 1024);
    }
    let (left, right) = (cut(actual, MAX_VALUE_LENGTH), cut(expected, MAX_VALUE_LENGTH));
    match operator {
        "deepEqual" => {
            format!("{}\n\n{left}\n\nshould loosely deep-equal\n\n{right}", headline(operator))
        }
        "notDeepEqual" => {
            let head = "Expected values not to be loosely deep-equal:";
            format!("{head}\n\n{left}\n\nshould not loosely deep-equal\n\n{right}")
        }
        _ => format!("{left} {operator} {right}"),
    }
}
