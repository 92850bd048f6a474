//! Compares the two libraries on one script.

use super::run::{On, Runner};
use super::script::Script;

/// How often a script with a difference runs again on each library.
const REPEATS: usize = 3;

/// What a comparison says.
pub enum Verdict {
    Same,
    /// libuv itself gives several traces.
    Discarded,
    /// Ours differed once and agreed later.
    Unsteady,
    Different(Difference),
}

/// Two traces of one script.
pub struct Difference {
    pub libuv: String,
    pub ours: String,
}

/// Runs the script on both. Only if the traces differ, it runs again several times, to tell a
/// difference of the libraries from one of the moment.
pub fn compare(runner: &Runner, script: &Script) -> Result<Verdict, String> {
    let text = script.to_string();
    let libuv = runner.trace(On::Libuv, &text)?;
    let mut ours = runner.trace(On::Ours, &text)?;
    if libuv == ours {
        return Ok(Verdict::Same);
    }
    let mut agreed = 0;
    for _ in 0..REPEATS {
        if runner.trace(On::Libuv, &text)? != libuv {
            return Ok(Verdict::Discarded);
        }
        let again = runner.trace(On::Ours, &text)?;
        if again == libuv {
            agreed += 1;
        } else {
            ours = again;
        }
    }
    let difference = Difference { libuv, ours };
    match agreed {
        0 => Ok(Verdict::Different(difference)),
        // Once of four is what a busy machine does to a trace.
        REPEATS => Ok(Verdict::Discarded),
        _ => Ok(Verdict::Unsteady),
    }
}
