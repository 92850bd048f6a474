//! Patterns of paths, for `fs.glob` and `path.matchesGlob`: `*`, `?`, `[]`, `{}`, and `**` for any number of segments.

use super::define;
use crate::host::text::Text;
use rquickjs::{Object, Result};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "expandGlob", |Text(pattern): Text| expand(&pattern))?;
    define(object, "fitsGlob", |Text(name): Text, Text(segment): Text| fits(&name, &segment))?;
    define(object, "matchesGlob", |Text(path): Text, Text(pattern): Text| {
        let names: Vec<&str> = path.split('/').collect();
        expand(&pattern).iter().any(|segments| matches(&names, segments))
    })
}

/// The segments of each pattern that a pattern with braces stands for.
fn expand(pattern: &str) -> Vec<Vec<String>> {
    // The first pair of braces that has a comma and no braces inside.
    let pair = pattern.match_indices('{').find_map(|(open, _)| {
        let inner = &pattern[open + 1..];
        let close = inner.find(['{', '}']).filter(|at| inner[*at..].starts_with('}'))?;
        inner[..close].contains(',').then_some((open, open + 1 + close))
    });
    let Some((open, close)) = pair else {
        return vec![pattern.split('/').map(str::to_owned).collect()];
    };
    let (before, after) = (&pattern[..open], &pattern[close + 1..]);
    let parts = pattern[open + 1..close].split(',');
    parts.flat_map(|part| expand(&format!("{before}{part}{after}"))).collect()
}

/// Whether a name fits a segment. Names that begin with a dot fit only segments that do.
fn fits(name: &str, segment: &str) -> bool {
    if segment.starts_with(['*', '?', '[']) && name.starts_with('.') {
        return false;
    }
    let (name, segment): (Vec<char>, Vec<char>) =
        (name.chars().collect(), segment.chars().collect());
    fits_chars(&name, &segment)
}

fn fits_chars(name: &[char], segment: &[char]) -> bool {
    let Some(first) = segment.first() else { return name.is_empty() };
    match first {
        '*' => (0..=name.len()).any(|at| fits_chars(&name[at..], &segment[1..])),
        '?' => !name.is_empty() && fits_chars(&name[1..], &segment[1..]),
        '[' => {
            let start = if segment.get(1) == Some(&'!') { 2 } else { 1 };
            let class = segment.get(start..).unwrap_or_default();
            match class.iter().skip(1).position(|character| *character == ']') {
                Some(at) => {
                    let (class, rest) = (&class[..=at], &class[at + 2..]);
                    let Some(character) = name.first() else { return false };
                    is_in_class(*character, class) == (start == 1) && fits_chars(&name[1..], rest)
                }
                None => name.first() == Some(first) && fits_chars(&name[1..], &segment[1..]),
            }
        }
        _ => name.first() == Some(first) && fits_chars(&name[1..], &segment[1..]),
    }
}

/// Whether a character is one of `abc`, or in a range `a-z`.
fn is_in_class(character: char, class: &[char]) -> bool {
    let mut rest = class;
    while let [first, tail @ ..] = rest {
        rest = tail;
        if let ['-', last, after @ ..] = tail {
            if (*first..=*last).contains(&character) {
                return true;
            }
            rest = after;
        } else if *first == character {
            return true;
        }
    }
    false
}

fn matches(names: &[&str], segments: &[String]) -> bool {
    let Some((segment, rest)) = segments.split_first() else { return names.is_empty() };
    if segment != "**" {
        return names
            .split_first()
            .is_some_and(|(name, names)| fits(name, segment) && matches(names, rest));
    }
    if rest.is_empty() {
        return !names.is_empty() && names.iter().all(|name| !name.starts_with('.'));
    }
    matches(names, rest)
        || names
            .split_first()
            .is_some_and(|(name, names)| !name.starts_with('.') && matches(names, segments))
}

#[cfg(test)]
mod tests {
    use super::{expand, matches};

    #[test]
    fn paths_fit_patterns() {
        for (path, pattern, fits) in [
            ("a/b.js", "a/*.js", true),
            ("a/.b.js", "a/*.js", false),
            ("a/.b.js", "a/.*.js", true),
            ("a/b/c", "**/c", true),
            ("c", "**/c", true),
            ("a/.x/c", "**/c", false),
            ("a/b", "a/{b,c}", true),
            ("a/d", "a/{b,c{d,e}}", false),
            ("a/ce", "a/{b,c{d,e}}", true),
            ("x1", "x[0-9]", true),
            ("xa", "x[!0-9]", true),
            ("x1", "x[!0-9]", false),
            ("x[", "x[", true),
            ("ab", "a?", true),
            ("a", "a?", false),
            ("a/b", "**", true),
        ] {
            let names: Vec<&str> = path.split('/').collect();
            let found = expand(pattern).iter().any(|segments| matches(&names, segments));
            assert_eq!(found, fits, "{path} {pattern}");
        }
    }
}
