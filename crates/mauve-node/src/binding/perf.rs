//! How busy the loop is.

use rquickjs::{Object, Result};

use super::functions;
use crate::host::current;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        // Milliseconds that the loop has waited.
        "idleTime" => || current().lp.idle_time().as_secs_f64() * 1e3,
        // When the loop began, on the same clock as the process; zero if it has not.
        "loopStart" => || current().loop_start.get() as f64 / 1e6,
    });
    Ok(())
}
