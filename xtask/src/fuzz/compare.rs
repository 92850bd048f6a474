//! Compares the two libraries on one script.

use super::run::{On, Runner};
use super::script::Script;

/// How often a script with a difference runs again on each library.
const REPEATS: usize = 4;

/// What a comparison says.
pub enum Verdict {
    Same,
    /// libuv itself gives several traces.
    Discarded,
    /// Ours gives several traces, libuv one.
    Unsteady,
    Different(Difference),
}

/// Two traces of one script.
pub struct Difference {
    pub libuv: String,
    pub ours: String,
}

/// Whether one run on each library gives the same trace.
pub fn agree(runner: &Runner, script: &Script) -> Result<bool, String> {
    let text = script.to_string();
    Ok(runner.trace(On::Libuv, &text)? == runner.trace(On::Ours, &text)?)
}

/// Runs the script several times on both, to tell a difference of the libraries from one of the
/// moment: on a busy machine, a timer that is late falls into the next cell of the grid.
pub fn compare(runner: &Runner, script: &Script) -> Result<Verdict, String> {
    let text = script.to_string();
    let libuv = runner.trace(On::Libuv, &text)?;
    let mut ours = None;
    let mut agreed = 0;
    for _ in 0..REPEATS {
        let again = runner.trace(On::Ours, &text)?;
        if again == libuv {
            agreed += 1;
        } else {
            if runner.trace(On::Libuv, &text)? != libuv {
                return Ok(Verdict::Discarded);
            }
            ours = Some(again);
        }
        // Most candidates of the minimiser have no difference any more.
        if agreed == 2 && ours.is_none() {
            return Ok(Verdict::Same);
        }
    }
    match ours {
        None => Ok(Verdict::Same),
        Some(ours) if agreed == 0 => Ok(Verdict::Different(Difference { libuv, ours })),
        Some(_) => Ok(Verdict::Unsteady),
    }
}
