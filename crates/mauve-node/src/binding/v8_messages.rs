//! Translates the engine's error messages to those of V8, because programs compare them. Parts that the engine does
//! not report, such as the name of a value that is not a function, are taken from the source.

use std::cell::RefCell;

use rquickjs::function::This;
use rquickjs::{Array, Ctx, FromJs, Function, Object, Result, Value};

use super::{callee, define, engine_messages};
use crate::host::current;
use crate::host::text::Text;

/// How many lines before the call its callee may begin.
const MAX_CALL_LINES: usize = 20;

/// How many characters of a text are shown before and after the error.
const CONTEXT: usize = 10;

thread_local! {
    /// The last file, by lines.
    static LAST: RefCell<(String, Vec<String>)> = RefCell::default();
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "v8Message", message)?;
    define(object, "throwPlace", mauve_quickjs::throw_place)?;
    define(object, "sourceLine", |Text(file): Text, line: usize| {
        with_lines(&file, |lines| line_of(lines, line).map(str::to_owned)).flatten()
    })
}

/// The message of V8, or `None` if it is the same. `json` is the text that JSON.parse reads and whether it was a
/// string, and `position` is a function of a call site.
fn message<'js>(
    ctx: Ctx<'js>,
    Text(message): Text,
    is_type_error: bool,
    json: Option<Array<'js>>,
    sites: Array<'js>,
    position: Function<'js>,
) -> Result<Option<String>> {
    let site: Option<Object<'js>> = sites.get::<Value<'js>>(0)?.into_object();
    let place = || -> Result<Option<Place>> {
        let Some(site) = &site else { return Ok(None) };
        let file: Option<String> = call(site, "getFileName").ok();
        let found: Object<'js> = position.call((site.clone(),))?;
        Ok(Some(Place {
            file: file.unwrap_or_default(),
            line: found.get("line")?,
            column: found.get("column")?,
        }))
    };
    if is_type_error {
        match message.as_str() {
            "not a function" | "not a constructor" => {
                return Ok(place()?.and_then(|place| place.callee("is not a function")));
            }
            "class constructors must be invoked with 'new'" => {
                let name = match &site {
                    Some(site) => call::<Option<String>>(site, "getFunctionName")?,
                    None => None,
                };
                let name = name.unwrap_or_default();
                return Ok(Some(format!(
                    "Class constructor {name} cannot be invoked without 'new'"
                )));
            }
            "could not delete property" => {
                return Ok(place()?.and_then(|place| place.deleted(&ctx)));
            }
            "value is not iterable" => return Ok(place()?.and_then(|place| place.iterated(None))),
            _ => {}
        }
        for value in ["null", "undefined"] {
            if message == format!("cannot read property 'Symbol.iterator' of {value}") {
                return Ok(place()?.and_then(|place| place.iterated(Some(value))));
            }
            if message == format!("cannot destructure {value}") {
                let shown = place()?.and_then(|place| place.destructured(value));
                let other = "Cannot convert undefined or null to object";
                return Ok(Some(shown.unwrap_or_else(|| other.to_owned())));
            }
        }
    }
    if let (Some(json), Some(site)) = (json, &site) {
        let line: usize = call(site, "getLineNumber")?;
        let column: usize = call(site, "getColumnNumber")?;
        let Text(text) = json.get(0)?;
        return Ok(json_message(&message, &text, json.get(1)?, line, column));
    }
    Ok(engine_messages::translate(&message))
}

fn call<'js, T: FromJs<'js>>(object: &Object<'js>, name: &str) -> Result<T> {
    object.get::<_, Function<'js>>(name)?.call((This(object.clone()),))
}

/// A position in a file, in units of UTF-16 from 1.
struct Place {
    file: String,
    line: usize,
    column: usize,
}

fn with_lines<R>(file: &str, work: impl FnOnce(&[String]) -> R) -> Option<R> {
    LAST.with_borrow_mut(|last| {
        if last.0 != file {
            let text = match file {
                "[eval]" => current().options.line.eval.clone()?,
                _ => String::from_utf8_lossy(&std::fs::read(file).ok()?).into_owned(),
            };
            *last = (file.to_owned(), text.split('\n').map(str::to_owned).collect());
        }
        Some(work(&last.1))
    })
}

fn line_of(lines: &[String], line: usize) -> Option<&str> {
    lines.get(line.checked_sub(1)?).map(String::as_str)
}

fn is_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '$')
}

impl Place {
    /// The source before and after this position, of a few lines. A file has a path, or is the text of `-e`.
    fn source(&self) -> Option<(String, String)> {
        if !self.file.starts_with('/') && self.file != "[eval]" {
            return None;
        }
        with_lines(&self.file, |lines| {
            let text = line_of(lines, self.line)?;
            let at = utf16_offset(text, self.column.checked_sub(1)?);
            let first = (self.line - 1).saturating_sub(MAX_CALL_LINES);
            let last = (self.line + MAX_CALL_LINES).min(lines.len());
            let before = lines[first..self.line - 1].join("\n") + "\n" + &text[..at];
            let after = format!("{}\n{}", &text[at..], lines[self.line..last].join("\n"));
            Some((before, after))
        })?
    }

    /// "a.b.c is not a function": the reported position is that of the last name of the callee, of `new`, or else of
    /// the opening parenthesis.
    fn callee(&self, problem: &str) -> Option<String> {
        let (before, after) = self.source()?;
        let text = after.split('\n').next().unwrap_or_default();
        if let Some(created) = created(text) {
            return Some(format!("{created} is not a constructor"));
        }
        let is_part = |character: char| {
            is_name(character)
                || character == '#'
                || (character == '.' && problem == "is not iterable")
        };
        let end = text.find(|character| !is_part(character)).unwrap_or(text.len());
        let shown = callee::show(&(before + &text[..end]))?;
        Some(format!("{shown} {problem}"))
    }

    /// "Cannot delete property 'b' of #<A>": the property and the global object are taken from the source.
    fn deleted(&self, ctx: &Ctx<'_>) -> Option<String> {
        let (before, after) = self.source()?;
        let text = before.rsplit('\n').next()?.to_owned() + after.split('\n').next()?;
        let words = text.split_once("delete ")?.1.trim_start();
        let (object, rest) = words.split_at(words.find(|character| !is_name(character))?);
        let name: String = rest.strip_prefix('.')?.chars().take_while(|c| is_name(*c)).collect();
        let class = || -> Result<String> {
            ctx.globals()
                .get::<_, Object<'_>>(object)?
                .get::<_, Object<'_>>("constructor")?
                .get("name")
        };
        let class = class().unwrap_or_else(|_| {
            ctx.catch();
            "Object".to_owned()
        });
        Some(format!("Cannot delete property '{name}' of #<{class}>"))
    }

    /// The message for a value that is not iterable: `null`, `undefined`, or another one.
    fn iterated(&self, value: Option<&str>) -> Option<String> {
        let (before, after) = self.source()?;
        // The engine has no position for some values.
        if self.column == 1 && !after.starts_with('[') {
            return None;
        }
        if let Some(rest) = after.strip_prefix("...") {
            if value.is_none() {
                let text = "Spread syntax requires ...iterable[Symbol.iterator] to be a function";
                return Some(text.to_owned());
            }
            let shown = shown_operand(rest)?;
            return Some(format!("{shown} is not iterable (cannot read property {})", value?));
        }
        if after.starts_with('[') {
            if let Some(shown) = initializer(&before, &after) {
                return Some(format!("{shown} is not iterable"));
            }
            let reason = "is not iterable (cannot read property Symbol(Symbol.iterator))";
            return value.map(|value| format!("{value} {reason}"));
        }
        self.callee("is not iterable")
    }

    /// The message for `null` or `undefined` where a pattern needs an object; `None` if there is no pattern.
    fn destructured(&self, value: &str) -> Option<String> {
        let (before, after) = self.source()?;
        let pattern = after.strip_prefix('{')?.trim_start();
        let quoted = pattern.strip_prefix(['\'', '"']).unwrap_or(pattern);
        let end = quoted.find(|character| !is_name(character)).unwrap_or(0);
        let (name, rest) =
            (&quoted[..end], quoted[end..].trim_start_matches(['\'', '"']).trim_start());
        let target = rest
            .strip_prefix(':')
            .map_or(rest, |target| target.trim_start().trim_start_matches(is_name).trim_start());
        let is_nested = before.trim_end().ends_with(':');
        if !name.is_empty() && (is_nested || !target.starts_with([',', '}'])) {
            return Some(format!("Cannot read properties of {value} (reading '{name}')"));
        }
        let shown = initializer(&before, &after).unwrap_or_else(|| match value {
            "null" => "object null".to_owned(),
            _ => value.to_owned(),
        });
        Some(match name.is_empty() {
            true => format!("Cannot destructure '{shown}' as it is {value}."),
            false => format!("Cannot destructure property '{name}' of '{shown}' as it is {value}."),
        })
    }
}

/// What a pattern at the start of `after` is initialized with, as V8 shows it. A parameter has nothing.
fn initializer(before: &str, after: &str) -> Option<String> {
    let mut depth = 0_i32;
    let end = after.char_indices().find_map(|(at, character)| {
        depth += i32::from("{[(".contains(character)) - i32::from("}])".contains(character));
        (depth == 0).then_some(at + 1)
    })?;
    let rest = after[end..].trim_start();
    if rest.strip_prefix("of").is_some_and(|rest| !rest.starts_with(is_name)) {
        return Some(".for".to_owned());
    }
    let before = before.trim_end();
    let is_declared = ["const", "let", "var"].iter().any(|word| before.ends_with(word));
    let opened = before.strip_suffix('(').map(str::trim_end);
    // `({ a } = b)` has nothing to call before it.
    let is_assigned = opened
        .is_some_and(|before| !before.ends_with([')', '=']) && !before.ends_with(is_name))
        || before.ends_with([';', '}', '{']);
    let value = rest.strip_prefix('=').filter(|_| is_declared || is_assigned)?;
    shown_operand(value)
}

/// The expression at the start of a text.
fn shown_operand(text: &str) -> Option<String> {
    let mut depth = 0_i32;
    let end = text.char_indices().find_map(|(at, character)| {
        depth += i32::from("{[(".contains(character)) - i32::from("}])".contains(character));
        (depth < 0 || (depth == 0 && matches!(character, ',' | ';' | '\n'))).then_some(at)
    });
    let text = text[..end.unwrap_or(text.len())].trim();
    if text == "{}" { Some(text.to_owned()) } else { callee::show(text) }
}

/// The constructor after `new` at the start of a text.
fn created(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("new")?;
    let name = rest.trim_start();
    let end = name.find(|character| !is_name(character) && character != '.').unwrap_or(name.len());
    let name = name[..end].trim_end_matches('.');
    (rest.len() > name.len() && !name.is_empty() && rest.starts_with(char::is_whitespace))
        .then_some(name)
}

fn utf16_offset(text: &str, units: usize) -> usize {
    let mut left = units;
    for (at, character) in text.char_indices() {
        if left == 0 {
            return at;
        }
        left = left.saturating_sub(character.len_utf16());
    }
    text.len()
}

/// The message for a text that JSON.parse cannot read. The position is the engine's.
fn json_message(
    message: &str,
    text: &str,
    is_string: bool,
    line: usize,
    column: usize,
) -> Option<String> {
    let lower = message.to_lowercase();
    if !lower.starts_with("unexpected token") && !lower.starts_with("unexpected character") {
        return None;
    }
    if !is_string {
        return Some(format!("\"{text}\" is not valid JSON"));
    }
    let units: Vec<u16> = text.encode_utf16().collect();
    let before: usize = text
        .split('\n')
        .take(line.saturating_sub(1))
        .map(|line| line.encode_utf16().count() + 1)
        .sum();
    let mut at = (before + column).saturating_sub(1);
    let Some(first) = units.get(at) else {
        return Some("Unexpected end of JSON input".to_owned());
    };
    // In a misspelled literal the error is at the first wrong character.
    let literal =
        ["null", "true", "false"].into_iter().find(|one| u16::from(one.as_bytes()[0]) == *first);
    for byte in literal.unwrap_or_default().bytes() {
        if units.get(at) != Some(&u16::from(byte)) {
            break;
        }
        at += 1;
    }
    let show = |from: usize, to: usize| String::from_utf16_lossy(&units[from..to.min(units.len())]);
    let mut shown = format!("\"{text}\"");
    if units.len() > 2 * CONTEXT {
        let (from, to) = (at.saturating_sub(CONTEXT), (at + CONTEXT).min(units.len()));
        let dots = |cut: bool| if cut { "..." } else { "" };
        shown = format!("{}\"{}\"{}", dots(from > 0), show(from, to), dots(to < units.len()));
    }
    let token = if at < units.len() { show(at, at + 1) } else { "undefined".to_owned() };
    Some(format!("Unexpected token '{token}', {shown} is not valid JSON"))
}
