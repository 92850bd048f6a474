//! JSON objects whose members keep their order.

use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;

/// An object, as text without the last brace.
#[derive(Clone, Debug)]
pub struct Object(String);

impl Object {
    pub fn new() -> Self {
        Self("{".to_owned())
    }

    /// Adds a member.
    pub fn with(mut self, name: &str, value: impl Serialize) -> Self {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0 += &text(name);
        self.0.push(':');
        self.0 += &text(value);
        self
    }

    /// Adds a member, if its value is known.
    pub fn with_known(self, name: &str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// The text of the object.
    pub fn finish(mut self) -> String {
        self.0.push('}');
        self.0
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw = RawValue::from_string(self.clone().finish()).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// The value as JSON. A number that is not finite is null.
pub fn text(value: impl Serialize) -> String {
    serde_json::to_string(&value).expect("strings, numbers and lists have a form in JSON")
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
