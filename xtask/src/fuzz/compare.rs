//! Compares the two libraries on one script.

use super::run::{Library, Runner};
use super::script::Script;

/// The number of runs that confirm a difference.
const REPEATS: usize = 4;

/// The result of a comparison.
pub enum Verdict {
    Same,
    /// libuv's own traces differ between runs.
    Discarded,
    /// mauve's traces differ between runs, and libuv's do not.
    Flaky,
    Different(Difference),
}

/// Two traces of one script.
pub struct Difference {
    pub libuv: String,
    pub ours: String,
}

/// Whether one run on each library produces the same trace.
pub fn agree(runner: &Runner, script: &Script) -> Result<bool, String> {
    let text = script.to_string();
    Ok(runner.trace(Library::Libuv, &text)? == runner.trace(Library::Mauve, &text)?)
}

/// Runs the script several times on both libraries, to distinguish a real difference from one of
/// timing: on a busy machine, a late timer fires in the next tick.
pub fn compare(runner: &Runner, script: &Script) -> Result<Verdict, String> {
    let text = script.to_string();
    let libuv = runner.trace(Library::Libuv, &text)?;
    let mut ours = None;
    let mut agreed = 0;
    for _ in 0..REPEATS {
        let again = runner.trace(Library::Mauve, &text)?;
        if again == libuv {
            agreed += 1;
        } else {
            if runner.trace(Library::Libuv, &text)? != libuv {
                return Ok(Verdict::Discarded);
            }
            ours = Some(again);
        }
        // Most candidates of the minimiser have no difference, so this shortcut saves time.
        if agreed == 2 && ours.is_none() {
            return Ok(Verdict::Same);
        }
    }
    match ours {
        None => Ok(Verdict::Same),
        Some(ours) if agreed == 0 => Ok(Verdict::Different(Difference { libuv, ours })),
        Some(_) => Ok(Verdict::Flaky),
    }
}
