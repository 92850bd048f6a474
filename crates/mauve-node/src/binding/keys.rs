//! Parses the input of a terminal into keys, for `readline`.

use rquickjs::{Array, Ctx, IntoJs, Object, Result, Value};

const ESCAPE: char = '\x1b';

/// A pressed key, as 'keypress' reports it.
#[derive(Debug, Default)]
struct Key {
    sequence: String,
    name: Option<String>,
    ctrl: bool,
    meta: bool,
    shift: bool,
    /// The escape sequence without its modifiers.
    code: Option<String>,
}

impl<'js> IntoJs<'js> for Key {
    fn into_js(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        let key = Object::new(ctx.clone())?;
        key.set("sequence", self.sequence)?;
        key.set("name", self.name)?;
        key.set("ctrl", self.ctrl)?;
        key.set("meta", self.meta)?;
        key.set("shift", self.shift)?;
        if let Some(code) = self.code {
            key.set("code", code)?;
        }
        Ok(key.into_value())
    }
}

/// Returns the keys of the text, and the incomplete escape sequence at its end. If no more text
/// comes, a single escape character is the key itself.
pub(super) fn parse(ctx: Ctx<'_>, text: String, is_end: bool) -> Result<Array<'_>> {
    let keys = Array::new(ctx.clone())?;
    let mut rest = text.as_str();
    while let Some(key) = next_key(rest) {
        rest = &rest[key.sequence.len()..];
        keys.set(keys.len(), key)?;
    }
    if is_end && rest == "\x1b" {
        let name = Some("escape".to_owned());
        let key = Key { sequence: rest.to_owned(), name, meta: true, ..Key::default() };
        keys.set(keys.len(), key)?;
        rest = "";
    }
    let result = Array::new(ctx)?;
    result.set(0, keys)?;
    result.set(1, rest)?;
    Ok(result)
}

/// The first key; `None` if the text ends before it does.
fn next_key(text: &str) -> Option<Key> {
    let escapes = text.chars().take(2).take_while(|char| *char == ESCAPE).count();
    let rest = &text[escapes..];
    let first = rest.chars().next()?;
    if escapes > 0 && (first == '[' || first == 'O') {
        return escape_sequence(text, rest);
    }
    let sequence = text[..escapes + first.len_utf8()].to_owned();
    let mut key = Key { sequence, meta: escapes > 0, ..Key::default() };
    let name = match first {
        '\r' => "return",
        '\n' => "enter",
        '\t' => "tab",
        '\x08' | '\x7f' => "backspace",
        ESCAPE => "escape",
        ' ' => "space",
        '\0'..='\x1a' if escapes == 0 => {
            key.ctrl = true;
            key.name = Some(char::from(first as u8 + 96).to_string());
            return Some(key);
        }
        letter if letter.is_ascii_alphanumeric() => {
            key.shift = letter.is_ascii_uppercase();
            key.name = Some(letter.to_ascii_lowercase().to_string());
            return Some(key);
        }
        _ => return Some(key),
    };
    key.name = Some(name.to_owned());
    Some(key)
}

/// Parses `[`, `O` or `[[`, numbers and a final character. `rest` is the text without the escape
/// characters.
fn escape_sequence(text: &str, rest: &str) -> Option<Key> {
    let prefix = if rest.starts_with("[[") { "[[" } else { &rest[..1] };
    let parameters = &rest[prefix.len()..];
    let end = parameters.find(|char: char| !char.is_ascii_digit() && char != ';')?;
    let (numbers, last) = parameters.split_at(end);
    let last = last.chars().next()?;
    let sequence = &text[..text.len() - rest.len() + prefix.len() + end + last.len_utf8()];
    let (first, second) = numbers.split_once(';').unwrap_or((numbers, ""));
    // A sequence that ends with a letter has its modifier last; it is one digit.
    let modifier = match last {
        '~' | '^' | '$' => second,
        _ if second.is_empty() => first,
        _ => second,
    };
    let has_modifier = last.is_ascii_alphabetic() && modifier.len() <= 1;
    let code = match last {
        '~' | '^' | '$' => format!("{prefix}{first}{last}"),
        _ if has_modifier => format!("{prefix}{last}"),
        _ => format!("{prefix}{numbers}{last}"),
    };
    let modifier = if has_modifier || !last.is_ascii_alphabetic() { modifier } else { "" };
    let bits = modifier.parse::<u32>().unwrap_or(1).saturating_sub(1);
    let name = name_of(prefix, first, last);
    let is_lower = last.is_ascii_lowercase() && name != "undefined";
    Some(Key {
        sequence: sequence.to_owned(),
        name: Some(name.to_owned()),
        ctrl: bits & 4 != 0 || last == '^' || (is_lower && prefix == "O"),
        meta: bits & 10 != 0,
        shift: bits & 1 != 0 || matches!(last, '$' | 'Z') || (is_lower && prefix == "["),
        code: Some(code),
    })
}

/// The name of the key that sends a sequence.
fn name_of(prefix: &str, number: &str, last: char) -> &'static str {
    match (prefix, last, number) {
        ("[[", 'A', _) => "f1",
        ("[[", 'B', _) => "f2",
        ("[[", 'C', _) => "f3",
        ("[[", 'D', _) => "f4",
        ("[[", 'E', _) => "f5",
        (_, 'A' | 'a', _) => "up",
        (_, 'B' | 'b', _) => "down",
        (_, 'C' | 'c', _) => "right",
        (_, 'D' | 'd', _) => "left",
        (_, 'E' | 'e', _) => "clear",
        (_, 'F', _) => "end",
        (_, 'H', _) => "home",
        (_, 'P', _) => "f1",
        (_, 'Q', _) => "f2",
        (_, 'R', _) => "f3",
        (_, 'S', _) => "f4",
        ("[", 'Z', _) => "tab",
        (_, '~' | '^' | '$', "1" | "7") => "home",
        (_, '~' | '^' | '$', "2") => "insert",
        (_, '~' | '^' | '$', "3") => "delete",
        (_, '~' | '^' | '$', "4" | "8") => "end",
        (_, '~' | '^' | '$', "5") => "pageup",
        (_, '~' | '^' | '$', "6") => "pagedown",
        (_, '~', "11") => "f1",
        (_, '~', "12") => "f2",
        (_, '~', "13") => "f3",
        (_, '~', "14") => "f4",
        (_, '~', "15") => "f5",
        (_, '~', "17") => "f6",
        (_, '~', "18") => "f7",
        (_, '~', "19") => "f8",
        (_, '~', "20") => "f9",
        (_, '~', "21") => "f10",
        (_, '~', "23") => "f11",
        (_, '~', "24") => "f12",
        (_, '~', "200") => "paste-start",
        (_, '~', "201") => "paste-end",
        _ => "undefined",
    }
}

#[cfg(test)]
mod tests {
    use super::next_key;

    #[test]
    fn keys_have_names_and_modifiers() {
        let shown = |text: &str| {
            let key = next_key(text).expect("a complete key");
            let flags = [(key.ctrl, "C-"), (key.meta, "M-"), (key.shift, "S-")];
            let flags = flags.iter().filter(|(is, _)| *is).map(|(_, flag)| *flag);
            let parts = flags.chain([key.name.as_deref().unwrap_or("none")]).collect::<String>();
            format!("{parts} {} {}", key.sequence.len(), key.code.unwrap_or_default())
        };
        assert_eq!(shown("Ab"), "S-a 1 ");
        assert_eq!(shown("\x01"), "C-a 1 ");
        assert_eq!(shown("\x1bx"), "M-x 2 ");
        assert_eq!(shown("\x1b[1;5HH"), "C-home 6 [H");
        assert_eq!(shown("\x1b[3$"), "S-delete 4 [3$");
        assert_eq!(shown("\x1b[[5~"), "pageup 5 [[5~");
        assert_eq!(shown("\x1bOa"), "C-up 3 Oa");
        assert_eq!(shown("\x1b[31ma"), "undefined 5 [31m");
    }

    #[test]
    fn an_incomplete_sequence_is_no_key() {
        for text in ["", "\x1b", "\x1b\x1b", "\x1b[", "\x1b[1;"] {
            assert!(next_key(text).is_none(), "{text:?}");
        }
    }
}
