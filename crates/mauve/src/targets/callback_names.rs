//! Names of callbacks, for traces.
//!
//! A callback that is passed while a trace is on is named by the location in the program that passes it.
//! Locations are not stored otherwise: that would cost memory and time in every program. A callback that
//! was passed before is named by its type, such as `server::main::{{closure}}`.

use std::cell::RefCell;
use std::panic::Location;

use mauve_core::trace::{self, CallbackName};

/// The names of the callbacks of one kind, by the keys of their slots.
#[derive(Default)]
pub(crate) struct CallbackNames(RefCell<Vec<Option<NamedType>>>);

/// A name, and the type of the callback that it belongs to. Another callback may be in the slot by
/// now, if the trace was off for a while.
#[derive(Clone, Copy)]
struct NamedType {
    type_name: &'static str,
    name: CallbackName,
}

impl CallbackNames {
    /// Notes that the caller has passed a callback of the type that `type_name` returns.
    #[inline(always)]
    #[track_caller]
    pub fn note(&self, key: usize, type_name: impl FnOnce() -> &'static str) {
        if trace::is_on() {
            self.store(key, type_name(), CallbackName::Location(Location::caller()));
        }
    }

    /// Names the callback with this key, which has the type `type_name`.
    pub fn name_of(&self, key: usize, type_name: &'static str) -> CallbackName {
        let stored = self.0.borrow().get(key).copied().flatten();
        match stored {
            Some(stored) if stored.type_name == type_name => stored.name,
            _ => {
                let name = mauve_trace::register_name(passed_by_user(type_name), "", 0);
                self.store(key, type_name, name);
                name
            }
        }
    }

    #[cold]
    fn store(&self, key: usize, type_name: &'static str, name: CallbackName) {
        let mut names = self.0.borrow_mut();
        if names.len() <= key {
            names.resize(key + 1, None);
        }
        names[key] = Some(NamedType { type_name, name });
    }
}

/// The callback that the program has passed. `type_name` is the closure of this crate that calls it:
/// `mauve::…::Timer<S>::start<server::main::{{closure}}>::{{closure}}`.
fn passed_by_user(type_name: &'static str) -> &'static str {
    const CLOSURE: &str = "{{closure}}";
    let is_ours = |path: &str| path.starts_with("mauve::");
    let closures = type_name.match_indices(CLOSURE);
    let mut paths = closures.map(|(at, _)| last_argument(&type_name[..at + CLOSURE.len()]));
    if let Some(closure) = paths.find(|path| !is_ours(path)) {
        return closure;
    }
    // The program has passed a function.
    let mut name = type_name;
    while is_ours(name) {
        let Some(arguments) = name.strip_suffix(">::{{closure}}") else { break };
        name = last_argument(arguments);
    }
    name
}

/// What follows the last `<` that is not closed, or the last comma within it.
fn last_argument(text: &str) -> &str {
    let mut depth = 0;
    let begin = text.char_indices().rev().find(|&(at, character)| {
        let is_arrow = text[..at].ends_with('-');
        depth += match character {
            '>' if !is_arrow => 1,
            '<' => -1,
            _ => 0,
        };
        depth < 0 || (depth == 0 && character == ',')
    });
    begin.map_or(text, |(at, _)| text[at + 1..].trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_of_a_callback_is_the_one_that_the_program_has_passed() {
        let timer = "mauve::handle::timer::Timer<app::State<u8>>";
        let cases = [
            (
                format!("{timer}::start<app::main::{{{{closure}}}}>::{{{{closure}}}}"),
                "app::main::{{closure}}",
            ),
            (format!("{timer}::start<app::tick>::{{{{closure}}}}"), "app::tick"),
            (
                format!("{timer}::start<app::f<u8, u16>::{{{{closure}}}}>::{{{{closure}}}}"),
                "app::f<u8, u16>::{{closure}}",
            ),
            (
                "mauve::a<u8, mauve::b<fn(u8) -> u8, app::g>::{{closure}}>::{{closure}}".into(),
                "app::g",
            ),
            (
                "mauve::a<app::f::{{closure}}, mauve::b<u8>::{{closure}}>::{{closure}}".into(),
                "app::f::{{closure}}",
            ),
            ("app::f<u8>::{{closure}}".into(), "app::f<u8>::{{closure}}"),
            ("mauve::own::{{closure}}".into(), "mauve::own::{{closure}}"),
        ];
        for (type_name, expected) in cases {
            assert_eq!(passed_by_user(type_name.leak()), expected);
        }
    }
}
