//! Parts of the messages of Node's errors.

/// The types in a list of what is expected. All other capitalised words are classes.
const TYPES: &[&str] = &[
    "string", "function", "number", "object", "Function", "Object", "boolean", "bigint", "symbol",
];

/// Joins `a`, `b` and `c` to `a, b, or c`, where `last` is `or`.
pub(super) fn join_list(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => format!("{one} {last} {two}"),
        [first @ .., end] => format!("{}, {last} {end}", first.join(", ")),
    }
}

/// What is expected: `of type string`, `one of type string or number or an instance of Buffer`.
pub(super) fn expected(words: &[String]) -> String {
    let (mut types, mut instances, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for word in words {
        let is_class = word.starts_with(|first: char| first.is_ascii_uppercase())
            && word.chars().all(|letter| letter.is_ascii_alphanumeric());
        if TYPES.contains(&word.as_str()) {
            types.push(word.to_lowercase());
        } else if is_class {
            instances.push(word.clone());
        } else {
            others.push(word.clone());
        }
    }
    // With instances, 'object' is listed as the instance 'Object'.
    let plain = types.iter().position(|name| name == "object");
    if let Some(index) = plain.filter(|_| !instances.is_empty()) {
        types.remove(index);
        instances.push("Object".to_owned());
    }
    let mut parts = Vec::new();
    if !types.is_empty() {
        let start = if types.len() > 1 { "one of type" } else { "of type" };
        parts.push(format!("{start} {}", join_list(&types, "or")));
    }
    if !instances.is_empty() {
        parts.push(format!("an instance of {}", join_list(&instances, "or")));
    }
    match &others[..] {
        [] => {}
        [one] if one.to_lowercase() == *one => parts.push(one.clone()),
        [one] => parts.push(format!("an {one}")),
        several => parts.push(format!("one of {}", join_list(several, "or"))),
    }
    parts.join(" or ")
}

/// The name of an argument or a property at the start of a message.
pub(super) fn subject(name: &str) -> String {
    if name.ends_with(" argument") {
        return format!("The {name}");
    }
    format!("The \"{name}\" {}", if name.contains('.') { "property" } else { "argument" })
}

/// Separates groups of three digits at the end of a number.
pub(super) fn with_separators(number: &str) -> String {
    let start = number.trim_end_matches(|digit: char| digit.is_ascii_digit()).len();
    let mut text = number.to_owned();
    for at in (start + 1..number.len()).rev().filter(|at| (number.len() - at).is_multiple_of(3)) {
        text.insert(at, '_');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{expected, join_list, subject, with_separators};

    fn list(words: &str) -> Vec<String> {
        words.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn lists_of_what_is_expected() {
        assert_eq!(join_list(&list("a b c"), "and"), "a, b, and c");
        assert_eq!(expected(&list("string")), "of type string");
        assert_eq!(
            expected(&list("string object Buffer URL")),
            "of type string or an instance of Buffer, URL, or Object"
        );
        assert_eq!(expected(&list("Function Object")), "one of type function or object");
        assert_eq!(expected(&list("aBc")), "an aBc");
        assert_eq!(expected(&list("ab a-b")), "one of ab or a-b");
    }

    #[test]
    fn names_and_numbers() {
        assert_eq!(subject("a.b"), "The \"a.b\" property");
        assert_eq!(subject("first argument"), "The first argument");
        for (digits, text) in
            [("123", "123"), ("-1234", "-1_234"), ("1234567", "1_234_567"), ("1e+300", "1e+300")]
        {
            assert_eq!(with_separators(digits), text);
        }
    }
}
