//! Reads a value that was serialized.

use rquickjs::{Array, Ctx, Exception, IntoJs, Object, Result, Value};

use super::{MAX_DEPTH, SHARED, Tools, buffer, too_deep};
use crate::host::text::Units;

pub(super) fn deserialize<'js>(
    ctx: &Ctx<'js>,
    bytes: Vec<u8>,
    transferred: Vec<Value<'js>>,
) -> Result<Value<'js>> {
    let tools = Tools::new(ctx)?;
    let mut reader = Reader { tools, bytes: &bytes, objects: Vec::new(), transferred, depth: 0 };
    let header = reader.bytes.split_at_checked(2).map(|(header, rest)| {
        reader.bytes = rest;
        header
    });
    if !matches!(header, Some([0xff, 13..=15])) {
        let text = "Unable to deserialize cloned data due to invalid or unsupported version.";
        return Err(Exception::throw_message(ctx, text));
    }
    reader.value()
}

struct Reader<'a, 'js> {
    tools: Tools<'js>,
    /// What has not been read.
    bytes: &'a [u8],
    /// The objects by their numbers.
    objects: Vec<Value<'js>>,
    transferred: Vec<Value<'js>>,
    depth: usize,
}

impl<'a, 'js> Reader<'a, 'js> {
    fn fail<T>(&self) -> Result<T> {
        Err(Exception::throw_message(&self.tools.ctx, "Unable to deserialize cloned data."))
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        match self.bytes.split_at_checked(count) {
            Some((taken, rest)) => {
                self.bytes = rest;
                Ok(taken)
            }
            None => self.fail(),
        }
    }

    fn varint(&mut self) -> Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        self.fail()
    }

    fn size(&mut self) -> Result<usize> {
        Ok(self.varint()? as usize)
    }

    fn double(&mut self) -> Result<f64> {
        let bytes = self.take(8)?;
        Ok(f64::from_le_bytes(bytes.try_into().expect("8 bytes")))
    }

    /// The next tag, after padding.
    fn tag(&mut self) -> Result<u8> {
        loop {
            let tag = self.byte()?;
            if tag != 0 {
                return Ok(tag);
            }
        }
    }

    /// Whether the next tag is `tag`, which is then read.
    fn skip(&mut self, tag: u8) -> bool {
        let rest = self.bytes.iter().position(|byte| *byte != 0).unwrap_or(self.bytes.len());
        let is_next = self.bytes.get(rest) == Some(&tag);
        if is_next {
            self.bytes = &self.bytes[rest + 1..];
        }
        is_next
    }

    fn value(&mut self) -> Result<Value<'js>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return too_deep(&self.tools.ctx);
        }
        let tag = self.tag()?;
        let mut value = self.tagged(tag)?;
        if matches!(tag, b'B' | b't' | b'u' | b'^') && self.skip(b'V') {
            value = self.view(value)?;
        }
        self.depth -= 1;
        Ok(value)
    }

    fn tagged(&mut self, tag: u8) -> Result<Value<'js>> {
        let ctx = self.tools.ctx.clone();
        match tag {
            b'_' => Ok(Value::new_undefined(ctx)),
            b'0' => Ok(Value::new_null(ctx)),
            b'T' => Ok(Value::new_bool(ctx, true)),
            b'F' => Ok(Value::new_bool(ctx, false)),
            b'I' => {
                let bits = self.varint()? as u32;
                Ok(Value::new_int(ctx, (bits >> 1) as i32 ^ -((bits & 1) as i32)))
            }
            b'U' => Ok(Value::new_number(ctx, self.varint()? as u32 as f64)),
            b'N' => Ok(Value::new_float(ctx, self.double()?)),
            b'Z' => self.big_int(),
            b'"' | b'c' | b'S' => self.text_after(tag)?.into_js(&ctx),
            b'^' => {
                let index = self.size()?;
                self.objects.get(index).cloned().map_or_else(|| self.fail(), Ok)
            }
            b'o' => {
                let object = Object::new(ctx)?;
                self.objects.push(object.clone().into_value());
                self.properties(&object, b'{')?;
                Ok(object.into_value())
            }
            b'A' | b'a' => self.array(tag),
            b'D' => {
                let time = self.double()?;
                self.made("makeDate", (time,))
            }
            b'R' => {
                let source = self.text()?;
                let flags = self.varint()? as u32;
                self.made("makeRegExp", (source, flags))
            }
            b';' => self.map(),
            b'\'' => self.set(),
            b'B' => {
                let size = self.size()?;
                let bytes = self.take(size)?.to_vec();
                let value = buffer(&ctx, bytes)?;
                self.objects.push(value.clone());
                Ok(value)
            }
            b't' => {
                let index = self.size()?;
                let Some(value) = self.transferred.get(index).cloned() else { return self.fail() };
                self.objects.push(value.clone());
                Ok(value)
            }
            b'r' => self.error(),
            b'y' | b'x' => self.made("box", (tag == b'y',)),
            b'n' => {
                let number = self.double()?;
                self.made("box", (number,))
            }
            b'z' => {
                let number = self.big_int()?;
                self.made("box", (number,))
            }
            b's' => {
                let text = self.text()?;
                self.made("box", (text,))
            }
            b'u' => {
                let index = self.size()?;
                let memory = SHARED.with_borrow(|shared| shared.get(index).cloned());
                let Some(memory) = memory else { return self.fail() };
                let value = memory.open(&ctx)?;
                self.objects.push(value.clone());
                Ok(value)
            }
            b'\\' => self.host_object(),
            _ => self.fail(),
        }
    }

    /// Makes an object without parts and gives it the next number.
    fn made(
        &mut self,
        name: &str,
        args: impl rquickjs::function::IntoArgs<'js>,
    ) -> Result<Value<'js>> {
        let value: Value<'js> = self.tools.call(name, args)?;
        self.objects.push(value.clone());
        Ok(value)
    }

    fn text(&mut self) -> Result<Units> {
        let tag = self.tag()?;
        self.text_after(tag)
    }

    fn text_after(&mut self, tag: u8) -> Result<Units> {
        let size = self.size()?;
        let bytes = self.take(size)?;
        match tag {
            b'"' => Ok(Units(bytes.iter().map(|byte| u16::from(*byte)).collect())),
            b'c' => {
                let units = bytes.chunks_exact(2);
                Ok(Units(units.map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect()))
            }
            b'S' => Ok(Units(String::from_utf8_lossy(bytes).encode_utf16().collect())),
            _ => self.fail(),
        }
    }

    fn big_int(&mut self) -> Result<Value<'js>> {
        let bits = self.varint()?;
        let digits = self.take((bits >> 1) as usize)?;
        let hex: String = digits.iter().rev().map(|byte| format!("{byte:02x}")).collect();
        self.tools.call("bigIntOfHex", (hex, bits & 1 == 1))
    }

    fn properties(&mut self, object: &Object<'js>, end: u8) -> Result<()> {
        while !self.skip(end) {
            let key = self.value()?;
            let value = self.value()?;
            if key
                .as_string()
                .is_some_and(|key| key.to_string().is_ok_and(|key| key == "__proto__"))
            {
                // Setting it would change the prototype.
                self.tools.call::<()>("defineProto", (object.clone(), value))?;
            } else {
                object.set(key, value)?;
            }
        }
        self.varint().map(drop)
    }

    fn array(&mut self, tag: u8) -> Result<Value<'js>> {
        let length = self.size()?;
        if tag == b'A' && length > self.bytes.len() {
            return self.fail();
        }
        let array = Array::new(self.tools.ctx.clone())?;
        self.objects.push(array.clone().into_value());
        let object = array.clone().into_object();
        object.set("length", length as f64)?;
        if tag == b'A' {
            for index in 0..length {
                if !self.skip(b'-') {
                    let element = self.value()?;
                    array.set(index, element)?;
                }
            }
        }
        self.properties(&object, if tag == b'A' { b'$' } else { b'@' })?;
        self.varint()?;
        Ok(object.into_value())
    }

    fn map(&mut self) -> Result<Value<'js>> {
        let map = self.made("makeMap", ())?;
        while !self.skip(b':') {
            let (key, value) = (self.value()?, self.value()?);
            self.tools.call::<()>("addEntry", (map.clone(), key, value))?;
        }
        self.varint()?;
        Ok(map)
    }

    fn set(&mut self) -> Result<Value<'js>> {
        let set = self.made("makeSet", ())?;
        while !self.skip(b',') {
            let value = self.value()?;
            self.tools.call::<()>("addValue", (set.clone(), value))?;
        }
        self.varint()?;
        Ok(set)
    }

    fn error(&mut self) -> Result<Value<'js>> {
        let prototype = self.bytes.first().copied().unwrap_or_default();
        let has_prototype = b"EFRSTU".contains(&prototype);
        if has_prototype {
            self.byte()?;
        }
        let error: Value<'js> =
            self.made("makeError", (has_prototype.then_some(u32::from(prototype)),))?;
        loop {
            let (name, value) = match self.byte()? {
                b'm' => ("message", self.text()?.into_js(&self.tools.ctx)?),
                b's' => ("stack", self.text()?.into_js(&self.tools.ctx)?),
                b'c' => ("cause", self.value()?),
                b'.' => return Ok(error),
                _ => return self.fail(),
            };
            self.tools.call::<()>("defineHidden", (error.clone(), name, value))?;
        }
    }

    fn view(&mut self, buffer: Value<'js>) -> Result<Value<'js>> {
        let tag = u32::from(self.byte()?);
        let (offset, size) = (self.varint()? as f64, self.varint()? as f64);
        self.varint()?;
        self.made("makeView", (tag, buffer, offset, size))
    }

    /// An object of the platform: of a message, its kind and a value; of `v8.serialize`, a view.
    fn host_object(&mut self) -> Result<Value<'js>> {
        let kind = self.varint()? as u32;
        // Its number comes before those of its parts.
        let index = self.objects.len();
        self.objects.push(Value::new_undefined(self.tools.ctx.clone()));
        let inner = if self.tools.call("isViewIndex", (kind,))? {
            let size = self.size()?;
            let bytes = self.take(size)?.to_vec();
            buffer(&self.tools.ctx, bytes)?
        } else {
            self.value()?
        };
        let value: Value<'js> = self.tools.call("makeHost", (kind, inner))?;
        self.objects[index] = value.clone();
        Ok(value)
    }
}
