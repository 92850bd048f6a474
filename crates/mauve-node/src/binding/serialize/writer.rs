//! Writes a value. The tags are those of V8's `ValueSerializer`, whose version is 15.

use std::collections::HashMap;

use mauve_quickjs::{Local, SharedMemory};
use rquickjs::{Ctx, Object, Result, TypedArray, Value};

use super::{Class, MAX_DEPTH, SHARED, Tools, too_deep};
use crate::host::text::Units;
use crate::host::views;

/// Serializes a value. The buffers of `transferred` are replaced by their positions. With `has_host_views`, views
/// have the form of `v8.serialize`.
pub(super) fn serialize<'js>(
    ctx: &Ctx<'js>,
    value: Value<'js>,
    transferred: &[Value<'js>],
    has_host_views: bool,
) -> Result<Vec<u8>> {
    let mut writer = Writer {
        tools: Tools::new(ctx)?,
        out: vec![0xff, 15],
        seen: HashMap::new(),
        kept: Vec::new(),
        transferred: HashMap::new(),
        has_host_views,
        depth: 0,
    };
    for (index, buffer) in transferred.iter().enumerate() {
        writer.transferred.insert(Local::new(ctx, buffer).identity(), index);
    }
    writer.value(value)?;
    Ok(writer.out)
}

struct Writer<'js> {
    tools: Tools<'js>,
    out: Vec<u8>,
    /// The numbers of the objects that have been written.
    seen: HashMap<usize, u32>,
    /// Keeps these objects, so that no other gets the identity of one of them.
    kept: Vec<Value<'js>>,
    transferred: HashMap<usize, usize>,
    has_host_views: bool,
    depth: usize,
}

impl<'js> Writer<'js> {
    fn value(&mut self, value: Value<'js>) -> Result<()> {
        if value.is_undefined() {
            self.out.push(b'_');
        } else if value.is_null() {
            self.out.push(b'0');
        } else if let Some(is) = value.as_bool() {
            self.out.push(if is { b'T' } else { b'F' });
        } else if let Some(number) = value.as_number() {
            self.number(number);
        } else if value.is_string() {
            self.text(value.get()?);
        } else if value.is_big_int() {
            self.out.push(b'Z');
            self.big_int(value)?;
        } else if value.is_object() && !value.is_function() {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return too_deep(&self.tools.ctx);
            }
            self.object(value)?;
            self.depth -= 1;
        } else {
            self.tools.call::<()>("refuse", (value,))?;
        }
        Ok(())
    }

    fn varint(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.out.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.out.push(number as u8);
    }

    fn number(&mut self, number: f64) {
        let integer = number as i32;
        if f64::from(integer) == number && (integer != 0 || number.is_sign_positive()) {
            self.out.push(b'I');
            self.varint(u64::from((integer << 1 ^ integer >> 31) as u32));
        } else {
            self.out.push(b'N');
            self.double(number);
        }
    }

    fn double(&mut self, number: f64) {
        self.out.extend(number.to_le_bytes());
    }

    fn text(&mut self, Units(units): Units) {
        if units.iter().all(|unit| *unit <= 0xff) {
            self.out.push(b'"');
            self.varint(units.len() as u64);
            self.out.extend(units.iter().map(|unit| *unit as u8));
            return;
        }
        let size = units.len() as u64 * 2;
        let digits = (64 - size.leading_zeros() as usize).div_ceil(7);
        // The code units are aligned.
        if (self.out.len() + 1 + digits) % 2 == 1 {
            self.out.push(0);
        }
        self.out.push(b'c');
        self.varint(size);
        self.out.extend(units.iter().flat_map(|unit| unit.to_le_bytes()));
    }

    /// The sign and the digits, of which there are whole words.
    fn big_int(&mut self, value: Value<'js>) -> Result<()> {
        let hex: String = self.tools.call("bigIntToHex", (value,))?;
        let (sign, digits) = hex.strip_prefix('-').map_or((0, &hex[..]), |digits| (1, digits));
        let mut bytes: Vec<u8> = digits
            .as_bytes()
            .rchunks(2)
            .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | hex_digit(*digit)))
            .collect();
        if bytes == [0] {
            bytes.clear();
        }
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        self.varint(((bytes.len() as u64) << 1) | sign);
        self.out.extend(bytes);
        Ok(())
    }

    fn object(&mut self, value: Value<'js>) -> Result<()> {
        let identity = Local::new(&self.tools.ctx, &value).identity();
        if let Some(index) = self.seen.get(&identity).copied() {
            self.out.push(b'^');
            self.varint(index.into());
            return Ok(());
        }
        let class = self.tools.class(&value);
        if class == Class::View && !self.has_host_views {
            // The buffer of a view comes first.
            let buffer: Value<'js> = self.tools.call("bufferOf", (value.clone(),))?;
            self.object(buffer)?;
        }
        self.seen.insert(identity, self.seen.len() as u32);
        self.kept.push(value.clone());
        match class {
            Class::Plain => self.plain(value),
            Class::Array => self.array(value),
            Class::Date => {
                let time = self.tools.call("timeOf", (value,))?;
                self.out.push(b'D');
                self.double(time);
                Ok(())
            }
            Class::RegExp => {
                let (source, flags): (Units, u32) =
                    pair(self.tools.call("regExpParts", (value,))?)?;
                self.out.push(b'R');
                self.text(source);
                self.varint(flags.into());
                Ok(())
            }
            Class::Map => self.list(value, "entriesOf", b';', b':'),
            Class::Set => self.list(value, "valuesOf", b'\'', b','),
            Class::Buffer => self.buffer(&value, identity),
            Class::Error => self.error(value),
            Class::View => self.view(value),
            Class::Boxed => self.boxed(value),
            Class::SharedBuffer if !self.has_host_views => self.shared(value),
            Class::SharedBuffer | Class::Refused => {
                // Only `process.env` has a replacement.
                let replacement = self.tools.call("refuse", (value,))?;
                self.plain(replacement)
            }
        }
    }

    fn plain(&mut self, value: Value<'js>) -> Result<()> {
        // Objects of the platform have a kind, and a value that stands for them.
        let host: Option<Vec<Value<'js>>> = self.tools.call("hostParts", (value.clone(),))?;
        if let Some([kind, inner]) = host.as_deref() {
            self.out.push(b'\\');
            self.varint(kind.as_number().unwrap_or_default() as u64);
            return self.value(inner.clone());
        }
        let object: Object<'js> = value.get()?;
        self.out.push(b'o');
        let count = self.properties(&object)?;
        self.out.push(b'{');
        self.varint(count);
        Ok(())
    }

    /// Writes the enumerable properties. Returns their number.
    fn properties(&mut self, object: &Object<'js>) -> Result<u64> {
        let keys: Vec<Value<'js>> = self.tools.call("keysOf", (object.clone(),))?;
        let mut count = 0;
        for key in keys {
            // A getter may have removed it.
            if !object.contains_key(key.clone())? {
                continue;
            }
            let value: Value<'js> = object.get(key.clone())?;
            self.value(key)?;
            self.value(value)?;
            count += 1;
        }
        Ok(count)
    }

    fn array(&mut self, value: Value<'js>) -> Result<()> {
        let object: Object<'js> = value.get()?;
        let length: u32 = object.get("length")?;
        // A position of a sparse array is empty.
        let is_sparse: bool = self.tools.call("isSparse", (value.clone(),))?;
        self.out.push(if is_sparse { b'a' } else { b'A' });
        self.varint(length.into());
        let count = if is_sparse {
            self.properties(&object)?
        } else {
            for index in 0..length {
                if object.contains_key(index)? {
                    let element = object.get(index)?;
                    self.value(element)?;
                } else {
                    self.out.push(b'-');
                }
            }
            let keys: Vec<Value<'js>> = self.tools.call("namesOf", (value,))?;
            for key in &keys {
                self.value(key.clone())?;
                let item = object.get(key.clone())?;
                self.value(item)?;
            }
            keys.len() as u64
        };
        self.out.push(if is_sparse { b'@' } else { b'$' });
        self.varint(count);
        self.varint(length.into());
        Ok(())
    }

    fn list(&mut self, value: Value<'js>, parts: &str, begin: u8, end: u8) -> Result<()> {
        let items: Vec<Value<'js>> = self.tools.call(parts, (value,))?;
        self.out.push(begin);
        let count = items.len() as u64;
        for item in items {
            self.value(item)?;
        }
        self.out.push(end);
        self.varint(count);
        Ok(())
    }

    fn buffer(&mut self, value: &Value<'js>, identity: usize) -> Result<()> {
        if let Some(index) = self.transferred.get(&identity).copied() {
            self.out.push(b't');
            self.varint(index as u64);
            return Ok(());
        }
        let view: TypedArray<'js, u8> = self.tools.call("bytesOf", (value.clone(),))?;
        let mut bytes = Vec::new();
        views::append(&view, &mut bytes);
        self.out.push(b'B');
        self.varint(bytes.len() as u64);
        self.out.extend(bytes);
        Ok(())
    }

    fn shared(&mut self, value: Value<'js>) -> Result<()> {
        let is_growable: bool = value.get::<Object<'js>>()?.get("growable")?;
        let Some(memory) = SharedMemory::of(&value).filter(|_| !is_growable) else {
            return self.tools.call("refuse", (value,));
        };
        let index = SHARED.with_borrow_mut(|shared| {
            shared.push(memory);
            shared.len() - 1
        });
        self.out.push(b'u');
        self.varint(index as u64);
        Ok(())
    }

    fn view(&mut self, value: Value<'js>) -> Result<()> {
        // The tag, the position and the length in bytes, the number of `v8.serialize`, and the bytes.
        let parts: Object<'js> = self.tools.call("viewParts", (value,))?;
        if self.has_host_views {
            let view: TypedArray<'js, u8> = parts.get("bytes")?;
            let mut bytes = Vec::new();
            views::append(&view, &mut bytes);
            self.out.push(b'\\');
            self.varint(parts.get::<_, u32>("index")?.into());
            self.varint(bytes.len() as u64);
            self.out.extend(bytes);
            return Ok(());
        }
        self.out.extend([b'V', parts.get("tag")?]);
        self.varint(parts.get::<_, f64>("offset")? as u64);
        self.varint(parts.get::<_, f64>("size")? as u64);
        self.varint(0);
        Ok(())
    }

    fn error(&mut self, value: Value<'js>) -> Result<()> {
        let parts: Object<'js> = self.tools.call("errorParts", (value,))?;
        self.out.push(b'r');
        if let Some(tag) = parts.get::<_, Option<u8>>("tag")? {
            self.out.push(tag);
        }
        if let Some(message) = parts.get::<_, Option<Units>>("message")? {
            self.out.push(b'm');
            self.text(message);
        }
        if let Some(stack) = parts.get::<_, Option<Units>>("stack")? {
            self.out.push(b's');
            self.text(stack);
        }
        if parts.contains_key("cause")? {
            self.out.push(b'c');
            let cause = parts.get("cause")?;
            self.value(cause)?;
        }
        self.out.push(b'.');
        Ok(())
    }

    fn boxed(&mut self, value: Value<'js>) -> Result<()> {
        let value: Value<'js> = self.tools.call("unbox", (value,))?;
        if let Some(is) = value.as_bool() {
            self.out.push(if is { b'y' } else { b'x' });
        } else if let Some(number) = value.as_number() {
            self.out.push(b'n');
            self.double(number);
        } else if value.is_big_int() {
            self.out.push(b'z');
            self.big_int(value)?;
        } else {
            self.out.push(b's');
            self.text(value.get()?);
        }
        Ok(())
    }
}

fn pair<'js, A, B>(array: rquickjs::Array<'js>) -> Result<(A, B)>
where
    A: rquickjs::FromJs<'js>,
    B: rquickjs::FromJs<'js>,
{
    Ok((array.get(0)?, array.get(1)?))
}

fn hex_digit(digit: u8) -> u8 {
    char::from(digit).to_digit(16).unwrap_or_default() as u8
}
