//! The messages of the engine's errors, and those of V8, which programs compare.

/// The messages. `{}` stands for any text, which both have in common. `{.}` is text of one line that is not
/// empty.
const MESSAGES: &[(&str, &str)] = &[
    (
        "cannot read property '{}' of undefined",
        "Cannot read properties of undefined (reading '{}')",
    ),
    ("cannot read property '{}' of null", "Cannot read properties of null (reading '{}')"),
    ("cannot set property '{}' of undefined", "Cannot set properties of undefined (setting '{}')"),
    ("cannot set property '{}' of null", "Cannot set properties of null (setting '{}')"),
    ("{.} is not initialized", "Cannot access '{.}' before initialization"),
    ("'{.}' is read-only", "Assignment to constant variable."),
    ("cannot convert symbol to string", "Cannot convert a Symbol value to a string"),
    ("cannot convert symbol to number", "Cannot convert a Symbol value to a number"),
    ("bigint argument with unary +", "Cannot convert a BigInt value to a number"),
    ("out-of-bound access", "Invalid atomic access index"),
    ("empty array", "Reduce of empty array with no initial value"),
    ("invalid array length", "Invalid array length"),
    (
        "cannot convert BigInt to number",
        "Cannot mix BigInt and other types, use explicit conversions",
    ),
    (
        "private class field '{.}' does not exist",
        "Cannot read private member {.} from an object whose class did not declare it",
    ),
    ("circular reference", "Converting circular structure to JSON"),
    ("object is not extensible", "Cannot add property, object is not extensible"),
    ("expecting hex digit", "URI malformed"),
];

/// The message of V8, if it is known.
pub(super) fn translate(message: &str) -> Option<String> {
    MESSAGES.iter().find_map(|(engine, v8)| {
        let placeholder =
            ["{}", "{.}"].into_iter().find(|placeholder| engine.contains(placeholder));
        let Some(placeholder) = placeholder else {
            return (message == *engine).then(|| (*v8).to_owned());
        };
        let (before, after) = engine.split_once(placeholder)?;
        let text = message.strip_prefix(before)?.strip_suffix(after)?;
        let is_line = !text.is_empty() && !text.contains(['\n', '\r', '\u{2028}', '\u{2029}']);
        (placeholder == "{}" || is_line).then(|| v8.replace(placeholder, text))
    })
}

#[cfg(test)]
mod tests {
    use super::translate;

    #[test]
    fn messages_are_translated_with_their_texts() {
        let cases = [
            (
                "cannot read property 'a' of null' of null",
                "Cannot read properties of null (reading 'a' of null')",
            ),
            (
                "cannot set property '\n' of undefined",
                "Cannot set properties of undefined (setting '\n')",
            ),
            ("a is not initialized", "Cannot access 'a' before initialization"),
            ("'a' is read-only", "Assignment to constant variable."),
            ("empty array", "Reduce of empty array with no initial value"),
        ];
        for (engine, v8) in cases {
            assert_eq!(translate(engine).as_deref(), Some(v8));
        }
        for other in [" is not initialized", "a\nb is not initialized", "empty arrays", ""] {
            assert_eq!(translate(other), None);
        }
    }
}
