//! The table of errors that each system call can return: `xtask/faults/errors.txt`.

const TABLE: &str = include_str!("../../faults/errors.txt");

/// How an error is injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// One occurrence fails.
    Once,
    /// One occurrence is executed and then returns the error, as `close` does.
    After,
    /// One occurrence and all later ones fail: a limit is reached, or the call is forbidden.
    On,
}

impl Mode {
    pub fn name(self) -> &'static str {
        match self {
            Self::Once => "once",
            Self::After => "after",
            Self::On => "on",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        [Self::Once, Self::After, Self::On].into_iter().find(|mode| mode.name() == name)
    }
}

/// An error by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    pub name: &'static str,
    pub mode: Mode,
}

impl Error {
    fn parse(text: &'static str) -> Self {
        let name = text.trim_end_matches(['+', '*']);
        let mode = match &text[name.len()..] {
            "+" => Mode::After,
            "*" => Mode::On,
            _ => Mode::Once,
        };
        Self { name, mode }
    }
}

/// The rows of the table: the calls and their errors. A call that cannot fail has a reason instead.
fn rows() -> impl Iterator<Item = (impl Iterator<Item = &'static str>, Vec<Error>)> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(" = ")).map(|(calls, errors)| {
        let errors = if errors.starts_with("- ") { "" } else { errors };
        (calls.split(' '), errors.split_whitespace().map(Error::parse).collect())
    })
}

/// The errors of a call: an empty list if it cannot fail, `None` if the table does not have it.
pub fn errors_of(call: &str) -> Option<Vec<Error>> {
    rows().find_map(|(mut calls, errors)| calls.any(|name| name == call).then_some(errors))
}

/// Looks up the name of an error.
pub fn error_named(name: &str) -> Option<&'static str> {
    rows().flat_map(|(_, errors)| errors).map(|error| error.name).find(|known| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_has_one_row_and_every_error_a_name_of_errno() {
        let mut calls = Vec::new();
        for (names, errors) in rows() {
            calls.extend(names);
            let is_name = |error: &Error| error.name.bytes().all(|b| b.is_ascii_uppercase());
            assert!(errors.iter().all(is_name), "{errors:?}");
        }
        calls.sort_unstable();
        let count = calls.len();
        calls.dedup();
        assert!(count > 100 && calls.len() == count);
    }

    #[test]
    fn the_mode_of_an_error_follows_its_name() {
        let close = errors_of("close").expect("a row");
        assert_eq!(close[0], Error { name: "EINTR", mode: Mode::After });
        assert_eq!(errors_of("sched_yield"), Some(Vec::new()));
        assert_eq!(errors_of("no_such_call"), None);
        assert_eq!(error_named("EMFILE"), Some("EMFILE"));
    }
}
