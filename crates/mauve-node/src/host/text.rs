//! Text of JavaScript as bytes.

use rquickjs::{Result, Value};

/// Appends a string as Latin-1 (each unit's low byte) or as UTF-8 (half a pair becomes the
/// replacement character).
pub(crate) fn encode(text: &Value<'_>, latin1: bool, bytes: &mut Vec<u8>) -> Result<()> {
    let string = text.get::<rquickjs::String<'_>>()?.to_cstring()?;
    let utf8: &[u8] = string.as_ref();
    if utf8.is_ascii() {
        bytes.extend_from_slice(utf8);
    } else if latin1 {
        bytes.extend(String::from_utf8_lossy(utf8).encode_utf16().map(|unit| unit as u8));
    } else {
        bytes.extend_from_slice(String::from_utf8_lossy(utf8).as_bytes());
    }
    Ok(())
}
