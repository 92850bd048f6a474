//! `JSON.stringify` in Rust, because that of the engine takes three times as long.
//!
//! It performs the same reads and calls in the same order, so a script cannot tell them apart. The engine
//! creates an array of strings for the keys of each object, finds each property by its string, and copies
//! each string before it appends it. This walks over atoms, and quotes each key once.

use std::cell::OnceCell;

use mauve_quickjs::{Kind, Local, LocalAtom, LocalKeys, NativeCall, native_function};
use rquickjs::convert::Coerced;
use rquickjs::function::This;
use rquickjs::object::Property;
use rquickjs::{Ctx, Exception, FromJs, Function, Object, Persistent, Result, Value};

mod arguments;
#[cfg(test)]
mod tests;
mod text;

use arguments::Settings;

thread_local! {
    static ENGINE: OnceCell<Engine> = const { OnceCell::new() };
}

/// Replaces `JSON.stringify` of the context.
pub(crate) fn install(ctx: &Ctx<'_>) -> Result<()> {
    let engine = Engine::new(ctx)?;
    ENGINE.with(|cell| {
        // The script of a thread has one context.
        let _ = cell.set(engine);
    });
    let json: Object<'_> = ctx.globals().get("JSON")?;
    json.set("stringify", native_function(ctx, c"stringify", 3, stringify)?)
}

/// Facts about the engine, determined before the script can change globals.
struct Engine {
    /// The classes of objects without a special treatment: `{}`, and `[]`.
    plain: u32,
    array: u32,
    /// The classes of objects that stand for a primitive value.
    string: u32,
    number: u32,
    boolean: u32,
    big_int: u32,
    raw: u32,
    is_array: Persistent<Function<'static>>,
    boolean_value: Persistent<Function<'static>>,
}

impl Engine {
    fn new<'js>(ctx: &Ctx<'js>) -> Result<Self> {
        let globals = ctx.globals();
        let class = |value: &Value<'js>| Local::new(ctx, value).class_id();
        let wrap: Function<'js> = globals.get("Object")?;
        let wrapped =
            |value: Value<'js>| wrap.call((value,)).map(|object: Value<'js>| class(&object));
        let raw: Function<'js> = globals.get::<_, Object<'js>>("JSON")?.get("rawJSON")?;
        let is_array: Function<'js> = globals.get::<_, Object<'js>>("Array")?.get("isArray")?;
        let boolean: Object<'js> = globals.get::<_, Object<'js>>("Boolean")?.get("prototype")?;
        let boolean_value: Function<'js> = boolean.get("valueOf")?;
        Ok(Self {
            plain: class(Object::new(ctx.clone())?.as_value()),
            array: class(rquickjs::Array::new(ctx.clone())?.as_value()),
            string: wrapped(Local::text(ctx, b"")?.to_value())?,
            number: wrapped(Value::new_int(ctx.clone(), 0))?,
            boolean: wrapped(Value::new_bool(ctx.clone(), false))?,
            big_int: wrapped(Value::new_big_int(ctx.clone(), 0)?)?,
            raw: class(&raw.call((0,))?),
            is_array: Persistent::save(ctx, is_array),
            boolean_value: Persistent::save(ctx, boolean_value),
        })
    }

    /// Whether an object is an array, or a proxy of one.
    fn is_array<'js>(&self, ctx: &Ctx<'js>, object: &Local<'_, 'js>) -> Result<bool> {
        if !object.is_proxy() {
            return Ok(object.class_id() == self.array);
        }
        self.is_array.clone().restore(ctx)?.call((object.to_value(),))
    }
}

fn stringify<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let ctx = call.ctx();
    let [value, replacer, space] = [0, 1, 2].map(|index| call.arg(index).to_value());
    ENGINE.with(|engine| {
        let engine = engine.get().expect("set before the script runs");
        let settings = Settings::new(ctx, engine, &replacer, &space)?;
        let text = Serializer::new(ctx, engine, settings)?.serialize(&value)?;
        Ok(Local::new(ctx, &text))
    })
}

/// Objects nested deeper than this are an error, as in Node, where the limit depends on the stack.
const MAX_DEPTH: usize = 5000;

struct Serializer<'a, 'js> {
    ctx: &'a Ctx<'js>,
    engine: &'a Engine,
    settings: Settings<'a, 'js>,
    out: Vec<u8>,
    /// The objects that the current value is in.
    frames: Vec<Frame<'a, 'js>>,
    /// The object whose only property is the outermost value, if there is a replacer to see it.
    wrapper: Option<Object<'js>>,
    to_json: LocalAtom<'a, 'js>,
    length: LocalAtom<'a, 'js>,
    keys: KeyCache<'a, 'js>,
}

/// An object or array, of which a part has been written.
struct Frame<'a, 'js> {
    object: Local<'a, 'js>,
    rest: Rest<'a, 'js>,
    is_empty: bool,
}

/// The properties that have not been written.
enum Rest<'a, 'js> {
    Keys(LocalKeys<'a, 'js>),
    /// The position in the property list of the replacer.
    Listed(usize),
    Indices {
        next: u64,
        end: u64,
    },
}

/// A property of the innermost object.
enum Key<'a, 'js> {
    Name(LocalAtom<'a, 'js>),
    Index(u64),
}

impl<'a, 'js> Key<'a, 'js> {
    fn to_value(&self, ctx: &'a Ctx<'js>) -> Result<Value<'js>> {
        let text = match self {
            Key::Name(name) => name.to_text()?,
            Key::Index(index) => Local::text(ctx, index.to_string().as_bytes())?,
        };
        Ok(text.to_value())
    }
}

impl<'a, 'js> Serializer<'a, 'js> {
    fn new(ctx: &'a Ctx<'js>, engine: &'a Engine, settings: Settings<'a, 'js>) -> Result<Self> {
        Ok(Self {
            ctx,
            engine,
            settings,
            out: Vec::new(),
            frames: Vec::new(),
            wrapper: None,
            to_json: LocalAtom::new(ctx, "toJSON")?,
            length: LocalAtom::new(ctx, "length")?,
            keys: KeyCache::default(),
        })
    }

    /// The text of a value, or `undefined` if it has none.
    fn serialize(mut self, value: &Value<'js>) -> Result<Value<'js>> {
        if self.settings.replacer.is_some() {
            let wrapper = Object::new(self.ctx.clone())?;
            let property = Property::from(value.clone()).writable().enumerable().configurable();
            wrapper.prop("", property)?;
            self.wrapper = Some(wrapper);
        }
        let key = Key::Name(LocalAtom::new(self.ctx, "")?);
        let Some(value) = self.prepare(Local::new(self.ctx, value), &key)? else {
            return Ok(Value::new_undefined(self.ctx.clone()));
        };
        self.write(value)?;
        while !self.frames.is_empty() {
            self.write_next()?;
        }
        Ok(Local::text(self.ctx, &self.out)?.to_value())
    }

    /// Writes the next property of the innermost object, or its end.
    fn write_next(&mut self) -> Result<()> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let Some(key) = frame.next_key(&self.settings) else {
            self.end_object();
            return Ok(());
        };
        let value = match &key {
            Key::Name(name) => frame.object.get(name)?,
            Key::Index(index) => element(self.ctx, &frame.object, *index)?,
        };
        let Some(value) = self.prepare(value, &key)? else {
            if let Key::Index(_) = key {
                self.write_key(&key)?;
                self.out.extend_from_slice(b"null");
            }
            return Ok(());
        };
        self.write_key(&key)?;
        self.write(value)
    }

    /// Calls `toJSON` and the replacer. Returns `None` for a value without a text, such as a function.
    #[inline]
    fn prepare(
        &self,
        mut value: Local<'a, 'js>,
        key: &Key<'a, 'js>,
    ) -> Result<Option<Local<'a, 'js>>> {
        let mut method = None;
        if let Kind::Object | Kind::BigInt = value.kind() {
            let found = value.get(&self.to_json)?;
            method = (found.kind() == Kind::Object && found.is_function()).then_some(found);
        }
        if method.is_some() || self.settings.replacer.is_some() {
            value = self.replaced(value, method, key)?;
        }
        let has_text = match value.kind() {
            Kind::Undefined | Kind::Symbol | Kind::Internal => false,
            Kind::Object => !value.is_function(),
            _ => true,
        };
        Ok(has_text.then_some(value))
    }

    /// Calls the method `toJSON`, if there is one, and the replacer.
    #[inline(never)]
    fn replaced(
        &self,
        mut value: Local<'a, 'js>,
        method: Option<Local<'a, 'js>>,
        key: &Key<'a, 'js>,
    ) -> Result<Local<'a, 'js>> {
        if let Some(method) = method {
            let method: Function<'js> = method.to_value().get()?;
            let result: Value<'js> =
                method.call((This(value.to_value()), key.to_value(self.ctx)?))?;
            value = Local::new(self.ctx, &result);
        }
        if let Some(replacer) = &self.settings.replacer {
            let wrapper = || self.wrapper.clone().map(Object::into_value);
            let holder = self.frames.last().map(|frame| frame.object.to_value()).or_else(wrapper);
            let result: Value<'js> =
                replacer.call((This(holder), key.to_value(self.ctx)?, value.to_value()))?;
            value = Local::new(self.ctx, &result);
        }
        Ok(value)
    }

    /// Writes a prepared value, or the start of an object.
    fn write(&mut self, value: Local<'a, 'js>) -> Result<()> {
        match value.kind() {
            Kind::String => value.with_text(|text| text::quote(text, &mut self.out))?,
            Kind::Int(number) => self.out.extend_from_slice(number.to_string().as_bytes()),
            Kind::Float(number) if number.is_finite() => {
                value.with_text(|text| self.out.extend_from_slice(text))?;
            }
            Kind::Bool(true) => self.out.extend_from_slice(b"true"),
            Kind::Bool(false) => self.out.extend_from_slice(b"false"),
            Kind::Object => return self.write_object(value),
            Kind::BigInt => {
                let text = "Do not know how to serialize a BigInt";
                return Err(Exception::throw_type(self.ctx, text));
            }
            _ => self.out.extend_from_slice(b"null"),
        }
        Ok(())
    }

    fn write_object(&mut self, object: Local<'a, 'js>) -> Result<()> {
        let engine = self.engine;
        let class = object.class_id();
        let is_plain = class == engine.plain || class == engine.array;
        if !is_plain && let Some(primitive) = self.unwrapped(&object)? {
            return self.write(Local::new(self.ctx, &primitive));
        }
        if class == engine.raw {
            let raw = object.get(&LocalAtom::new(self.ctx, "rawJSON")?)?;
            return Ok(raw.with_text(|text| self.out.extend_from_slice(text))?);
        }
        if self.frames.iter().any(|frame| frame.object.is_same_object(&object)) {
            return Err(Exception::throw_type(self.ctx, "Converting circular structure to JSON"));
        }
        if self.frames.len() >= MAX_DEPTH {
            return Err(Exception::throw_range(self.ctx, "Maximum call stack size exceeded"));
        }
        let rest = if class == engine.array || (!is_plain && engine.is_array(self.ctx, &object)?) {
            Rest::Indices { next: 0, end: to_length(self.ctx, object.get(&self.length)?)? }
        } else if self.settings.property_list.is_some() {
            Rest::Listed(0)
        } else {
            Rest::Keys(object.keys()?)
        };
        self.out.push(if let Rest::Indices { .. } = rest { b'[' } else { b'{' });
        self.frames.push(Frame { object, rest, is_empty: true });
        Ok(())
    }

    /// The primitive value that an object stands for, if it does.
    fn unwrapped(&self, object: &Local<'a, 'js>) -> Result<Option<Value<'js>>> {
        let (ctx, engine, class) = (self.ctx, self.engine, object.class_id());
        let value = object.to_value();
        let primitive = if class == engine.string {
            Coerced::<rquickjs::String<'js>>::from_js(ctx, value)?.0.into_value()
        } else if class == engine.number {
            Value::new_float(ctx.clone(), Coerced::<f64>::from_js(ctx, value)?.0)
        } else if class == engine.boolean {
            engine.boolean_value.clone().restore(ctx)?.call((This(value),))?
        } else if class == engine.big_int {
            // An error, whatever the number is.
            Value::new_big_int(ctx.clone(), 0)?
        } else {
            return Ok(None);
        };
        Ok(Some(primitive))
    }

    fn end_object(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        if !frame.is_empty {
            self.write_line_break();
        }
        self.out.push(if let Rest::Indices { .. } = frame.rest { b']' } else { b'}' });
    }

    /// Writes what comes before the value of a property: a comma, the indentation, and the key.
    fn write_key(&mut self, key: &Key<'a, 'js>) -> Result<()> {
        if let Some(frame) = self.frames.last_mut() {
            if !frame.is_empty {
                self.out.push(b',');
            }
            frame.is_empty = false;
        }
        self.write_line_break();
        if let Key::Name(name) = key {
            self.out.extend_from_slice(self.keys.quoted(name)?);
            self.out.push(b':');
            if !self.settings.gap.is_empty() {
                self.out.push(b' ');
            }
        }
        Ok(())
    }

    fn write_line_break(&mut self) {
        if self.settings.gap.is_empty() {
            return;
        }
        self.out.push(b'\n');
        for _ in &self.frames {
            self.out.extend_from_slice(&self.settings.gap);
        }
    }
}

impl<'a, 'js> Frame<'a, 'js> {
    fn next_key(&mut self, settings: &Settings<'a, 'js>) -> Option<Key<'a, 'js>> {
        match &mut self.rest {
            Rest::Keys(keys) => keys.next().map(Key::Name),
            Rest::Listed(next) => {
                *next += 1;
                settings.property_list.as_ref()?.get(*next - 1).cloned().map(Key::Name)
            }
            Rest::Indices { next, end } if *next < *end => {
                *next += 1;
                Some(Key::Index(*next - 1))
            }
            Rest::Indices { .. } => None,
        }
    }
}

/// The property `length` as a number of elements.
fn to_length<'js>(ctx: &Ctx<'js>, length: Local<'_, 'js>) -> Result<u64> {
    const MAX_LENGTH: f64 = 9_007_199_254_740_991.0;
    let length = match length.kind() {
        Kind::Int(length) => f64::from(length),
        _ => Coerced::<f64>::from_js(ctx, length.to_value())?.0,
    };
    // NaN becomes zero.
    Ok(length.clamp(0.0, MAX_LENGTH) as u64)
}

/// An element of an array, or of a proxy of one.
fn element<'a, 'js>(
    ctx: &'a Ctx<'js>,
    object: &Local<'a, 'js>,
    index: u64,
) -> Result<Local<'a, 'js>> {
    Ok(match u32::try_from(index) {
        Ok(index) => object.element(index)?,
        Err(_) => object.get(&LocalAtom::new(ctx, &index.to_string())?)?,
    })
}

/// Quoted keys by name. Objects of one kind have the same keys, so a small table finds most of them.
struct KeyCache<'a, 'js> {
    entries: Vec<Option<(LocalAtom<'a, 'js>, Vec<u8>)>>,
}

const KEY_CACHE_SIZE: usize = 64;

impl Default for KeyCache<'_, '_> {
    fn default() -> Self {
        Self { entries: std::iter::repeat_with(|| None).take(KEY_CACHE_SIZE).collect() }
    }
}

impl<'a, 'js> KeyCache<'a, 'js> {
    fn quoted(&mut self, name: &LocalAtom<'a, 'js>) -> Result<&[u8]> {
        let entry = &mut self.entries[name.number() as usize % KEY_CACHE_SIZE];
        // The entry owns its atom, so no other name gets its number.
        if entry.as_ref().is_none_or(|(known, _)| known != name) {
            let mut quoted = entry.take().map_or_else(Vec::new, |(_, text)| text);
            quoted.clear();
            name.to_text()?.with_text(|text| text::quote(text, &mut quoted))?;
            *entry = Some((name.clone(), quoted));
        }
        Ok(entry.as_ref().map_or(&[], |(_, quoted)| quoted))
    }
}
