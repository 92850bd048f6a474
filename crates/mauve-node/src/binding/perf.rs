//! The idle time and the start time of the loop.

use rquickjs::{Object, Result};

use super::define;
use crate::host::current;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "measureIdle", || current().lp.measure_idle_time())?;
    define(object, "idle", || current().lp.idle_time().as_secs_f64() * 1e3)?;
    define(object, "loopStart", || current().loop_start.get())?;
    Ok(())
}
