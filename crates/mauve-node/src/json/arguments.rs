//! The arguments `replacer` and `space` of `JSON.stringify`.

use mauve_quickjs::{Kind, Local, LocalAtom};
use rquickjs::convert::Coerced;
use rquickjs::{Ctx, FromJs, Function, IntoJs, Result, Value};

use super::{Engine, element, to_length};
use crate::host::text::Units;

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
    let mut units: Units = space.get()?;
    units.0.truncate(MAX_LENGTH);
    Ok(Local::new(ctx, &units.into_js(ctx)?).with_text(<[u8]>::to_vec)?)
}
