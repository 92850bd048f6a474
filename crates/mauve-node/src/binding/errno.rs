//! The names and messages of system errors.

use mauve::Errno;
use rquickjs::{Object, Result};

use super::{define, error_messages, error_texts, v8_messages};
use crate::host::text::Text;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "name", |number: i32| Errno::from_raw(-number).name())?;
    define(object, "message", |number: i32| Errno::from_raw(-number).to_string())?;
    define(object, "codedMessage", |code: String| error_messages::find(&code))?;
    define(object, "joinList", |items: Vec<String>, last: String| {
        error_texts::join_list(&items, &last)
    })?;
    define(object, "describeExpected", |words: Vec<String>| error_texts::expected(&words))?;
    define(object, "subject", |name: Text| error_texts::subject(&name.0))?;
    define(object, "withSeparators", |digits: String| error_texts::with_separators(&digits))?;
    v8_messages::fill(object)
}
