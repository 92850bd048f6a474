//! Encodes strings of JavaScript.

use rquickjs::function::This;
use rquickjs::{Function, Object, Result, Value};

/// Appends a string as Latin-1 (the low byte of each code unit) or as UTF-8 (a lone surrogate
/// becomes the replacement character).
pub(crate) fn encode(text: &Value<'_>, latin1: bool, bytes: &mut Vec<u8>) -> Result<()> {
    let string = text.get::<rquickjs::String<'_>>()?;
    let utf8 = match string.to_string() {
        Ok(utf8) => utf8,
        // The string has a lone surrogate, which UTF-8 cannot represent.
        Err(_) => well_formed(text)?,
    };
    if latin1 && !utf8.is_ascii() {
        bytes.extend(utf8.encode_utf16().map(|unit| unit as u8));
    } else {
        bytes.extend_from_slice(utf8.as_bytes());
    }
    Ok(())
}

fn well_formed(text: &Value<'_>) -> Result<String> {
    let class: Object<'_> = text.ctx().globals().get("String")?;
    let prototype: Object<'_> = class.get("prototype")?;
    let replace: Function<'_> = prototype.get("toWellFormed")?;
    replace.call((This(text.clone()),))
}
