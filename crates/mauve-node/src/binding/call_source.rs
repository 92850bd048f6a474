//! Finds the source text of a failed `assert(...)`, for its message.

use crate::host::scan::Scanner;

/// The maximum distance to the start of a call, in bytes.
const MAX_CALL_LENGTH: usize = 4000;

/// Returns the call around a position, which the engine reports somewhere inside the call. Of several
/// ones, the nearest one with the name of the assertion is preferred. Line and column count from 1.
pub(super) fn find(source: String, line: usize, column: usize, name: String) -> Option<String> {
    let before: usize = source.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let position =
        source[before..].char_indices().nth(column - 1).map_or(source.len(), |(at, _)| before + at);
    let end = source.len().min(position + 2 * name.len());
    let mut nearest = None;
    for open in (position.saturating_sub(MAX_CALL_LENGTH)..end).rev() {
        if source.as_bytes()[open] != b'(' {
            continue;
        }
        let Some((start, called)) = callee(&source[..open]) else { continue };
        let Some(close) = Scanner::new(&source, open + 1).skip_to_close(|_, _| ()) else {
            continue;
        };
        if start > position || close < position {
            continue;
        }
        if called == name {
            return Some(first_line(&source[start..=close]));
        }
        nearest = nearest.or(Some((start, close + 1)));
    }
    nearest.map(|(start, end)| first_line(&source[start..end]))
}

/// The start of a callee such as `a.b` at the end of the text, and its last name.
fn callee(text: &str) -> Option<(usize, &str)> {
    let is_name = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '$';
    let text = text.trim_end();
    let mut start = text.trim_end_matches(is_name).len();
    let name = &text[start..];
    if name.is_empty() || name.starts_with(|char: char| char.is_ascii_digit()) {
        return None;
    }
    while let Some(object) = text[..start].trim_end().strip_suffix('.').map(str::trim_end) {
        let before = object.trim_end_matches(is_name).len();
        if before == object.len() {
            break;
        }
        start = before;
    }
    Some((start, name))
}

/// The first line of a call, as in Node.
fn first_line(call: &str) -> String {
    call.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn the_call_around_a_position_is_found() {
        let source = "f(1);\n  assert.ok(g(')') /* ( */ ===\n    2);\nh();";
        let found = |line, column| find(source.to_owned(), line, column, "ok".to_owned());
        let call = "assert.ok(g(')') /* ( */ ===";
        assert_eq!(found(2, 13).as_deref(), Some(call));
        assert_eq!(found(3, 5).as_deref(), Some(call));
        assert_eq!(found(1, 3).as_deref(), Some("f(1)"));
        assert_eq!(found(4, 9), None);
    }
}
