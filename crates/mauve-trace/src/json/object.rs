//! Writes JSON. There is no reader: the tests have one.

use std::fmt::Write as _;

/// A value that has a form in JSON.
pub trait Json {
    /// Appends the value.
    fn write(&self, out: &mut String);

    fn is_null(&self) -> bool {
        false
    }
}

/// An object, as text without the last brace.
#[derive(Clone, Debug)]
pub struct Object(String);

impl Object {
    pub fn new() -> Self {
        Self("{".to_owned())
    }

    /// Adds a member. The name must not need an escape.
    pub fn with(mut self, name: &str, value: impl Json) -> Self {
        self.begin(name);
        value.write(&mut self.0);
        self
    }

    /// Adds a member, unless its value is null.
    pub fn with_known(self, name: &str, value: impl Json) -> Self {
        if value.is_null() { self } else { self.with(name, value) }
    }

    fn begin(&mut self, name: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        write_text(name, &mut self.0);
        self.0.push(':');
    }

    /// The text of the object.
    pub fn finish(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

impl Json for Object {
    fn write(&self, out: &mut String) {
        out.push_str(&self.0);
        out.push('}');
    }
}

impl<T: Json + ?Sized> Json for &T {
    fn write(&self, out: &mut String) {
        (**self).write(out);
    }

    fn is_null(&self) -> bool {
        (**self).is_null()
    }
}

impl<T: Json> Json for Option<T> {
    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }

    fn is_null(&self) -> bool {
        self.is_none()
    }
}

impl<T: Json> Json for [T] {
    fn write(&self, out: &mut String) {
        out.push('[');
        for (index, value) in self.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            value.write(out);
        }
        out.push(']');
    }
}

impl<T: Json> Json for Vec<T> {
    fn write(&self, out: &mut String) {
        self.as_slice().write(out);
    }
}

impl<T: Json, const N: usize> Json for [T; N] {
    fn write(&self, out: &mut String) {
        self.as_slice().write(out);
    }
}

impl Json for str {
    fn write(&self, out: &mut String) {
        write_text(self, out);
    }
}

impl Json for String {
    fn write(&self, out: &mut String) {
        write_text(self, out);
    }
}

impl Json for bool {
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

/// A number that is not finite has no form in JSON.
impl Json for f64 {
    fn write(&self, out: &mut String) {
        if self.is_finite() {
            let _ = write!(out, "{self}");
        } else {
            out.push_str("null");
        }
    }
}

macro_rules! whole_numbers {
    ($($number:ty)*) => {$(
        impl Json for $number {
            fn write(&self, out: &mut String) {
                let _ = write!(out, "{self}");
            }
        }
    )*};
}

whole_numbers!(i32 i64 u32 u64 usize u128);

/// Appends a string with its quotes.
pub fn write_text(text: &str, out: &mut String) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c < ' ' || c == '"' || c == '\\') {
        out.push_str(&rest[..at]);
        // The characters of the pattern are one byte long.
        match rest.as_bytes()[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            control => {
                let _ = write!(out, "\\u{control:04x}");
            }
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn parsed(object: Object) -> Value {
        serde_json::from_str(&object.finish()).expect("JSON")
    }

    #[test]
    fn a_string_keeps_all_its_characters() {
        let mut text: String = (0..0x100).filter_map(char::from_u32).collect();
        text.push_str("\u{2028}\u{2029}\u{ffff}\u{1f7e3} </script>");
        assert_eq!(parsed(Object::new().with("text", &text)), json!({"text": text}));
    }

    #[test]
    fn numbers_are_exact() {
        let object = Object::new()
            .with("large", u64::MAX)
            .with("small", i64::MIN)
            .with("share", 12.5)
            .with("none", f64::NAN);
        assert_eq!(
            parsed(object),
            json!({"large": u64::MAX, "small": i64::MIN, "share": 12.5, "none": null})
        );
    }

    #[test]
    fn lists_and_objects_nest() {
        let inner = Object::new().with("on", true);
        let object = Object::new()
            .with("empty", Vec::<u32>::new())
            .with("list", vec![Some(1_u32), None])
            .with("inner", [&inner, &inner])
            .with("nothing", Object::new());
        let inner = json!({"on": true});
        assert_eq!(
            parsed(object),
            json!({"empty": [], "list": [1, null], "inner": [inner, inner], "nothing": {}})
        );
    }

    #[test]
    fn unknown_values_are_left_out() {
        let object = Object::new().with_known("fd", None::<i32>).with_known("kind", Some("tcp"));
        assert_eq!(parsed(object), json!({"kind": "tcp"}));
    }
}
