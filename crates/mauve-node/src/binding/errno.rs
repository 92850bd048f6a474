//! The names and messages of system errors.

use mauve::Errno;
use rquickjs::{Object, Result};

use super::{define, error_messages};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "name", |number: i32| Errno::from_raw(-number).name())?;
    define(object, "message", |number: i32| Errno::from_raw(-number).to_string())?;
    define(object, "codedMessage", |code: String| error_messages::find(&code))?;
    Ok(())
}
