//! Encodes strings of JavaScript.

use rquickjs::function::{Rest, This};
use rquickjs::{Ctx, FromJs, Function, IntoJs, Object, Result, Value};

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
    let replace: Function<'_> = prototype(text.ctx())?.get("toWellFormed")?;
    replace.call((This(text.clone()),))
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
        if let Ok(utf8) = String::from_utf16(&self.0) {
            return utf8.into_js(ctx);
        }
        let from_units: Function<'_> =
            ctx.globals().get::<_, Object<'_>>("String")?.get("fromCharCode")?;
        from_units.call((Rest(self.0),))
    }
}
