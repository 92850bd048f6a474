//! The names and messages of system errors.

use mauve::Errno;
use rquickjs::{Object, Result};

use super::functions;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "name" => |number: i32| Errno::from_raw(-number).name(),
        "message" => |number: i32| Errno::from_raw(-number).to_string(),
    });
    Ok(())
}
