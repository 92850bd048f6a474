//! The messages of Node's errors that need no computation.

/// A line for each error: its code, its base classes and its message. `{0}` stands for the first argument
/// of the constructor, and `\n` for the end of a line.
const MESSAGES: &str = include_str!("error_messages.txt");

/// The base classes and the message of the error with this code.
pub(super) fn find(code: &str) -> Option<Vec<String>> {
    let (bases, message) = MESSAGES
        .lines()
        .filter_map(|line| line.split_once(' '))
        .find_map(|(known, rest)| if known == code { rest.split_once(' ') } else { None })?;
    Some(vec![bases.to_owned(), message.replace("\\n", "\n")])
}

#[cfg(test)]
mod tests {
    use super::find;

    #[test]
    fn a_code_has_base_classes_and_a_message() {
        let found = |bases: &str, message: &str| Some(vec![bases.to_owned(), message.to_owned()]);
        assert_eq!(find("ERR_USE_AFTER_CLOSE"), found("Error", "{0} was closed"));
        assert_eq!(
            find("ERR_INVALID_STATE"),
            found("Error|TypeError|RangeError", "Invalid state: {0}")
        );
        assert!(
            find("ERR_REQUIRE_ASYNC_MODULE").is_some_and(|found| found[1].contains(".\n  From "))
        );
        assert_eq!(find("ERR_NONE"), None);
    }
}
