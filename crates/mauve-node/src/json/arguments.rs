//! The arguments `replacer` and `space` of `JSON.stringify`.

use mauve_quickjs::{Kind, Local, LocalAtom};
use rquickjs::convert::Coerced;
use rquickjs::{Ctx, FromJs, Function, Result, Value};

use super::{Engine, element, to_length};

pub(super) struct Settings<'a, 'js> {
    pub replacer: Option<Function<'js>>,
    /// The properties that are written, instead of all.
    pub property_list: Option<Vec<LocalAtom<'a, 'js>>>,
    /// What a line is indented with, per level. Without it everything is on one line.
    pub gap: Vec<u8>,
}

impl<'a, 'js> Settings<'a, 'js> {
    pub fn new(
        ctx: &'a Ctx<'js>,
        engine: &Engine,
        replacer: &Value<'js>,
        space: &Value<'js>,
    ) -> Result<Self> {
        let (mut function, mut property_list) = (None, None);
        if replacer.is_function() {
            function = Some(replacer.get()?);
        } else if replacer.is_object() {
            let list = Local::new(ctx, replacer);
            if engine.is_array(ctx, &list)? {
                property_list = Some(listed_properties(ctx, engine, &list)?);
            }
        }
        Ok(Self { replacer: function, property_list, gap: gap(ctx, engine, space)? })
    }
}

/// The strings and numbers of an array, each once.
fn listed_properties<'a, 'js>(
    ctx: &'a Ctx<'js>,
    engine: &Engine,
    list: &Local<'a, 'js>,
) -> Result<Vec<LocalAtom<'a, 'js>>> {
    let mut names = Vec::new();
    let length = to_length(ctx, list.get(&LocalAtom::new(ctx, "length")?)?)?;
    for index in 0..length {
        let value = element(ctx, list, index)?;
        let is_name = match value.kind() {
            Kind::String | Kind::Int(_) | Kind::Float(_) => true,
            Kind::Object => [engine.string, engine.number].contains(&value.class_id()),
            _ => false,
        };
        if is_name {
            let name = Coerced::<rquickjs::String<'js>>::from_js(ctx, value.to_value())?;
            let name = LocalAtom::of(&Local::new(ctx, name.0.as_value()))?;
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Ok(names)
}

fn gap<'js>(ctx: &Ctx<'js>, engine: &Engine, space: &Value<'js>) -> Result<Vec<u8>> {
    const MAX_LENGTH: usize = 10;
    let mut space = space.clone();
    if space.is_object() {
        let class = Local::new(ctx, &space).class_id();
        if class == engine.number {
            space = Value::new_float(ctx.clone(), Coerced::<f64>::from_js(ctx, space)?.0);
        } else if class == engine.string {
            space = Coerced::<rquickjs::String<'js>>::from_js(ctx, space)?.0.into_value();
        }
    }
    if let Some(number) = space.as_number() {
        // NaN becomes zero.
        return Ok(vec![b' '; number.clamp(0.0, MAX_LENGTH as f64) as usize]);
    }
    if !space.is_string() {
        return Ok(Vec::new());
    }
    Ok(Local::new(ctx, &space).with_text(|text| first_units(text, MAX_LENGTH))?)
}

/// The first code units of a text, where characters of four bytes have two. Half of one remains as a
/// surrogate.
fn first_units(text: &[u8], count: usize) -> Vec<u8> {
    let mut units = 0;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            // Not the first byte of a character.
            0x80..0xc0 => continue,
            _ if units == count => return text[..at].to_vec(),
            0xf0.. if units + 1 == count => {
                let mut first = text[..at].to_vec();
                first.extend_from_slice(&high_surrogate(&text[at..]));
                return first;
            }
            0xf0.. => units += 2,
            _ => units += 1,
        }
    }
    text.to_vec()
}

/// The first of the two code units of a character, encoded.
fn high_surrogate(text: &[u8]) -> [u8; 3] {
    let bits = text.iter().take(4).fold(0, |bits, byte| (bits << 6) | u32::from(byte & 0x3f));
    let unit = 0xd800 + (((bits & 0x1f_ffff) - 0x1_0000) >> 10);
    [0xed, 0x80 | (unit >> 6 & 0x3f) as u8, 0x80 | (unit & 0x3f) as u8]
}

#[cfg(test)]
mod tests {
    use super::first_units;

    #[test]
    fn a_gap_has_at_most_ten_code_units() {
        assert_eq!(first_units(b"123456789012", 10), b"1234567890");
        assert_eq!(first_units("äöü".as_bytes(), 2), "äö".as_bytes());
        assert_eq!(first_units("12😀4".as_bytes(), 4), "12😀".as_bytes());
        assert_eq!(first_units("123\u{1f600}".as_bytes(), 4), b"123\xed\xa0\xbd");
    }
}
