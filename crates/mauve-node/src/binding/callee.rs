//! Shows the expression of a call as V8 does in its messages: `a.b(...).c`, `list[0]`, `(intermediate value).x`.
//!
//! Reads the source backwards from the end of the expression, because the engine reports only that position.

const INTERMEDIATE: &str = "(intermediate value)";

/// Words before a parenthesis or an operand that are no operands themselves.
const KEYWORDS: &[&str] = &[
    "await",
    "case",
    "delete",
    "do",
    "else",
    "in",
    "instanceof",
    "new",
    "of",
    "return",
    "throw",
    "typeof",
    "void",
    "yield",
    "if",
    "while",
    "for",
    "with",
];

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$' | '#')
}

/// The expression at the end of a text, or `None` if there is none.
pub(super) fn show(text: &str) -> Option<String> {
    operand(text).map(|(shown, _)| shown)
}

/// The expression at the end of a text, and what is before it.
fn operand(text: &str) -> Option<(String, &str)> {
    let text = text.trim_end();
    let last = text.chars().last()?;
    match last {
        ')' => {
            let open = opening(text)?;
            let (before, inner) = (&text[..open], &text[open + 1..text.len() - 1]);
            match operand(before.trim_end().strip_suffix("?.").unwrap_or(before)) {
                Some((called, rest)) => Some((format!("{called}(...)"), rest)),
                None => Some((group(inner), before)),
            }
        }
        ']' => {
            let open = opening(text)?;
            let (before, inner) = (&text[..open], text[open + 1..text.len() - 1].trim());
            let object = before.trim_end().strip_suffix("?.").unwrap_or(before);
            let Some((object, rest)) = operand(object) else {
                return Some((
                    if inner.is_empty() { "[]".into() } else { INTERMEDIATE.into() },
                    before,
                ));
            };
            let quoted = inner.len() > 1 && inner.starts_with(['"', '\'']);
            let index = match quoted {
                true => format!(".{}", &inner[1..inner.len() - 1]),
                false => format!("[{}]", show(inner).unwrap_or_default()),
            };
            Some((object + &index, rest))
        }
        '"' | '\'' => {
            let inside = &text[..text.len() - 1];
            let open = inside.rfind(last)?;
            Some((format!("\"{}\"", &inside[open + 1..]), &text[..open]))
        }
        '}' | '`' | '/' => Some((INTERMEDIATE.into(), &text[..opening(text).unwrap_or(0)])),
        _ if is_name(last) => {
            let before = text.trim_end_matches(is_name);
            let name = &text[before.len()..];
            if KEYWORDS.contains(&name) {
                return None;
            }
            let left = before.trim_end();
            let member = [("?.", "?."), (".", ".")].iter().find_map(|(mark, shown)| {
                let object = left.strip_suffix(mark).filter(|rest| !rest.ends_with('.'))?;
                Some((object, shown))
            });
            match member {
                Some((object, mark)) => {
                    let (object, rest) = operand(object)?;
                    let object = if object == "super" { INTERMEDIATE.into() } else { object };
                    // V8 shows private names like indices.
                    let member = match name.starts_with('#') {
                        true => format!("{object}[{name}]"),
                        false => format!("{object}{mark}{name}"),
                    };
                    Some((member, rest))
                }
                None => Some((name.into(), before)),
            }
        }
        _ => None,
    }
}

/// What is in parentheses: the parts of a comma expression, or one expression.
fn group(inner: &str) -> String {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for character in inner.chars() {
        depth += i32::from("([{".contains(character)) - i32::from(")]}".contains(character));
        match (character, depth) {
            (',', 0) => parts.push(String::new()),
            _ => parts.last_mut().expect("a part").push(character),
        }
    }
    let whole = |part: &String| match operand(part) {
        Some((shown, rest)) if rest.trim().is_empty() => shown,
        _ => INTERMEDIATE.to_owned(),
    };
    let shown: Vec<String> = parts.iter().map(whole).collect();
    match &shown[..] {
        [one] => one.clone(),
        _ => format!("({})", shown.join(" , ")),
    }
}

/// The position of the bracket that the last character closes.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut quote = None;
    for (at, character) in text.char_indices().rev() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(character),
            (None, ')' | ']' | '}') => depth += 1,
            (None, '(' | '[' | '{') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::show;

    #[test]
    fn calls_are_shown_as_v8_shows_them() {
        for (text, shown) in [
            ("x = a.b", "a.b"),
            ("return s . dig", "s.dig"),
            ("s?.dig", "s?.dig"),
            ("f(1, g(2)).foo", "f(...).foo"),
            ("s['x']", "s.x"),
            ("s[0]", "s[0]"),
            ("s[Symbol.iterator]", "s[Symbol.iterator]"),
            ("a => [].foo", "[].foo"),
            ("(0, s.dig)", "(0 , s.dig)"),
            ("(await x).foo", "(intermediate value).foo"),
            ("return (a.b)", "a.b"),
            ("'text'.foo", "\"text\".foo"),
            ("(function () {})().x", "(intermediate value)(...).x"),
            ("super.foo", "(intermediate value).foo"),
            ("[...a", "a"),
            ("f(')').b", "f(...).b"),
            ("this.#x", "this[#x]"),
        ] {
            assert_eq!(show(text).as_deref(), Some(shown), "{text}");
        }
        assert_eq!(show("x = "), None);
    }
}
