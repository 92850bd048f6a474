//! The names and messages of system errors.

use mauve::Errno;
use rquickjs::{Object, Result};

use super::define;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "name", |number: i32| Errno::from_raw(-number).name())?;
    define(object, "message", |number: i32| Errno::from_raw(-number).to_string())?;
    Ok(())
}
