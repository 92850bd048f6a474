//! How the loop spends its time.

use rquickjs::{Object, Result};

use super::functions;
use crate::host::current;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "measureIdle" => || current().lp.measure_idle_time(),
        "idle" => || current().lp.idle_time().as_secs_f64() * 1e3,
        "loopStart" => || current().loop_start.get(),
    });
    Ok(())
}
