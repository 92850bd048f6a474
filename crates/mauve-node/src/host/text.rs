//! Encodes strings of JavaScript.

use mauve_quickjs::Local;
use rquickjs::function::This;
use rquickjs::{Coerced, Ctx, FromJs, Function, IntoJs, Object, Result, Value};

/// Appends a string as Latin-1 (the low byte of each code unit) or as UTF-8 (a lone surrogate
/// becomes the replacement character).
pub(crate) fn encode(text: &Local<'_, '_>, latin1: bool, bytes: &mut Vec<u8>) -> Result<()> {
    // ASCII is the same in both, and need not be copied twice.
    let is_ascii = text.with_text(|text| {
        let is_ascii = text.is_ascii();
        bytes.extend_from_slice(if is_ascii { text } else { &[] });
        is_ascii
    })?;
    if is_ascii {
        return Ok(());
    }
    let value = text.to_value();
    let utf8 = to_utf8(&value, &value.get()?)?;
    if latin1 && !utf8.is_ascii() {
        bytes.extend(utf8.encode_utf16().map(|unit| unit as u8));
    } else {
        bytes.extend_from_slice(utf8.as_bytes());
    }
    Ok(())
}

/// A string as UTF-8, in which a lone surrogate becomes the replacement character. Other values are
/// converted to strings.
pub(crate) struct Text(pub String);

impl<'js> FromJs<'js> for Text {
    fn from_js(_: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        let text = match value.as_string() {
            Some(string) => to_utf8(&value, string)?,
            None => value.get::<Coerced<String>>()?.0,
        };
        Ok(Self(text))
    }
}

fn to_utf8<'js>(value: &Value<'js>, string: &rquickjs::String<'js>) -> Result<String> {
    // It fails if the string has a lone surrogate, which UTF-8 cannot represent.
    string.to_string().or_else(|_| {
        let replace: Function<'_> = prototype(value.ctx())?.get("toWellFormed")?;
        replace.call((This(value.clone()),))
    })
}

fn prototype<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    ctx.globals().get::<_, Object<'_>>("String")?.get("prototype")
}

/// The code units of a string. Unlike a Rust string, they may be lone surrogates.
pub(crate) struct Units(pub Vec<u16>);

impl<'js> FromJs<'js> for Units {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        let string = value.get::<rquickjs::String<'_>>()?;
        if let Ok(utf8) = string.to_string() {
            return Ok(Self(utf8.encode_utf16().collect()));
        }
        let unit_at: Function<'_> = prototype(ctx)?.get("charCodeAt")?;
        let mut units = Vec::new();
        // After the end, it is not a number.
        loop {
            let unit: f64 = unit_at.call((This(value.clone()), units.len()))?;
            if unit.is_nan() {
                return Ok(Self(units));
            }
            units.push(unit as u16);
        }
    }
}

impl<'js> IntoJs<'js> for Units {
    fn into_js(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        let mut text = Vec::with_capacity(self.0.len());
        for unit in char::decode_utf16(self.0) {
            match unit {
                Ok(character) => {
                    text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                // The engine accepts surrogates that are encoded like other code points.
                Err(lone) => {
                    let unit = lone.unpaired_surrogate();
                    let low = |shift: u16| 0x80 | (unit >> shift & 0x3f) as u8;
                    text.extend([0xe0 | (unit >> 12) as u8, low(6), low(0)]);
                }
            }
        }
        Ok(Local::text(ctx, &text)?.to_value())
    }
}
