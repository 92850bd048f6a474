//! Serializes the header fields of an outgoing message, and finds those that determine its framing.
//! Collects the fields of an incoming message.

use mauve_quickjs::{Kind, Local, LocalAtom, NativeCall, native_function};
use rquickjs::{Ctx, Object, Result};

use crate::binding::define;
use crate::host::text::Text;
use crate::http::outgoing::found;
use crate::http::{self, is_token};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "collectFields", collect)?;
    object.set("headerKey", native_function(object.ctx(), c"headerKey", 2, header_key)?)?;
    object.set("singleFields", http::SINGLE.to_vec())
}

/// `headerKey(name, value)` returns the lower-case name of a valid field, or `undefined` for one that is
/// invalid, or whose value is neither ASCII nor a small integer.
fn header_key<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let (ctx, name, value) = (call.ctx(), call.arg(0), call.arg(1));
    let is_valid = match value.kind() {
        Kind::Int(_) => true,
        Kind::String => value.with_text(is_plain)?,
        _ => false,
    };
    if !is_valid || name.kind() != Kind::String {
        return Ok(Local::undefined(ctx));
    }
    name.with_text(|text| match std::str::from_utf8(text) {
        Ok(text) if is_token(text) => {
            Local::text(ctx, text.to_ascii_lowercase().as_bytes()).map_err(Into::into)
        }
        _ => Ok(Local::undefined(ctx)),
    })?
}

/// Whether a value of a field has only visible ASCII characters, spaces and tabs.
fn is_plain(value: &[u8]) -> bool {
    value.iter().all(|byte| matches!(byte, b'\t' | b' '..=b'~'))
}

/// Why a field is invalid.
const INVALID_NAME: i32 = -1;
const UNDEFINED_VALUE: i32 = -2;
const INVALID_VALUE: i32 = -3;

pub(super) struct Invalid<'a, 'js> {
    pub reason: i32,
    pub name: Local<'a, 'js>,
    pub value: Local<'a, 'js>,
}

type Added<'a, 'js> = Result<std::result::Result<(), Invalid<'a, 'js>>>;

/// The serialized fields of a message.
pub(super) struct Fields<'a, 'js> {
    pub text: Vec<u8>,
    pub found: u32,
    /// The value of `Content-Length`.
    pub length: Option<Local<'a, 'js>>,
    validates: bool,
    unique: Vec<String>,
    /// Whether the length of the body is known and not 0.
    pub has_length: bool,
}

impl<'a, 'js> Fields<'a, 'js> {
    /// `is_stored` fields are already valid. The values of `unique` ones are joined.
    pub fn new(text: Vec<u8>, is_stored: bool, unique: Vec<String>) -> Self {
        Self { text, found: 0, length: None, validates: !is_stored, unique, has_length: false }
    }

    /// Adds the fields of an object, of a list `[name, value, name, value, …]`, of a list
    /// `[[name, value], …]`, or if `is_stored` of an object whose values are `[name, value]`. Values that
    /// are arrays become one line per element, except those of `cookie` and of unique names.
    pub fn add_all(&mut self, headers: &Local<'a, 'js>, is_stored: bool) -> Added<'a, 'js> {
        if headers.is_array() {
            let count = length(headers)?;
            let is_nested = count > 0 && headers.element(0)?.is_array();
            let step = if is_nested { 1 } else { 2 };
            for index in (0..count).step_by(step) {
                let (name, value) = if is_nested {
                    let pair = headers.element(index)?;
                    (pair.element(0)?, pair.element(1)?)
                } else {
                    (headers.element(index)?, headers.element(index + 1)?)
                };
                if let Err(invalid) = self.add(&name, &value)? {
                    return Ok(Err(invalid));
                }
            }
        } else if headers.kind() == Kind::Object {
            for key in headers.keys()? {
                let value = headers.get(&key)?;
                let added = if is_stored {
                    self.add(&value.element(0)?, &value.element(1)?)?
                } else {
                    self.add(&key.to_text()?, &value)?
                };
                if let Err(invalid) = added {
                    return Ok(Err(invalid));
                }
            }
        }
        Ok(Ok(()))
    }

    fn add(&mut self, name: &Local<'a, 'js>, value: &Local<'a, 'js>) -> Added<'a, 'js> {
        let invalid =
            Ok(Err(Invalid { reason: INVALID_NAME, name: name.clone(), value: value.clone() }));
        if name.kind() != Kind::String {
            return invalid;
        }
        name.with_text(|text| match std::str::from_utf8(text) {
            Ok(text) if !self.validates || is_token(text) => self.lines(text, name, value),
            _ => invalid,
        })?
    }

    /// Adds a line for a value, or several for an array.
    fn lines(
        &mut self,
        text: &str,
        name: &Local<'a, 'js>,
        value: &Local<'a, 'js>,
    ) -> Added<'a, 'js> {
        if !value.is_array() {
            return self.line(text, name, value);
        }
        let values = (0..length(value)?).map(|index| value.element(index));
        let is_joined = values.len() > 1 && text.eq_ignore_ascii_case("cookie")
            || self.unique.iter().any(|unique| text.eq_ignore_ascii_case(unique));
        if is_joined {
            let mut joined = Vec::new();
            for (index, each) in values.enumerate() {
                joined.extend_from_slice(if index > 0 { b"; " } else { b"" });
                each?.with_text(|text| joined.extend_from_slice(text))?;
            }
            return self.line(text, name, &Local::text(name.ctx(), &joined)?);
        }
        for each in values {
            if let Err(invalid) = self.line(text, name, &each?)? {
                return Ok(Err(invalid));
            }
        }
        Ok(Ok(()))
    }

    fn line(
        &mut self,
        name: &str,
        name_value: &Local<'a, 'js>,
        value: &Local<'a, 'js>,
    ) -> Added<'a, 'js> {
        let invalid =
            |reason| Ok(Err(Invalid { reason, name: name_value.clone(), value: value.clone() }));
        if self.validates && value.kind() == Kind::Undefined {
            return invalid(UNDEFINED_VALUE);
        }
        let is_valid = if let Kind::Int(number) = value.kind() {
            self.push_line(name, &number.to_string(), value);
            true
        } else {
            value.with_text(|bytes| {
                let is_plain = is_plain(bytes);
                // A lone surrogate is not UTF-8.
                let Ok(text) = std::str::from_utf8(bytes) else { return false };
                let is_valid = |c: char| matches!(c, '\t' | ' '..='~' | '\u{80}'..='\u{ff}');
                if self.validates && !is_plain && !text.chars().all(is_valid) {
                    return false;
                }
                self.push_line(name, text, value);
                true
            })?
        };
        if is_valid { Ok(Ok(())) } else { invalid(INVALID_VALUE) }
    }

    fn push_line(&mut self, name: &str, text: &str, value: &Local<'a, 'js>) {
        self.record(name, text, value);
        self.text.extend_from_slice(name.as_bytes());
        self.text.extend_from_slice(b": ");
        // The head is encoded as UTF-8 together with the body. Node keeps the bytes of this field
        // only.
        if self.has_length && name.eq_ignore_ascii_case("content-disposition") {
            let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
            self.text.extend_from_slice(String::from_utf8_lossy(&bytes).as_bytes());
        } else {
            self.text.extend_from_slice(text.as_bytes());
        }
        self.text.extend_from_slice(b"\r\n");
    }

    fn record(&mut self, name: &str, text: &str, value: &Local<'a, 'js>) {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        self.found |= match name.len() {
            4 if is("date") => found::DATE,
            6 if is("expect") => found::EXPECT,
            7 if is("trailer") => found::TRAILER,
            10 if is("connection") && has_word(text, "close") => found::CONNECTION | found::CLOSE,
            10 if is("connection") => found::CONNECTION,
            10 if is("keep-alive") => found::KEEP_ALIVE,
            14 if is("content-length") => {
                self.has_length = text.parse::<f64>().is_ok_and(|length| length != 0.0);
                self.length = Some(value.clone());
                found::CONTENT_LENGTH
            }
            17 if is("transfer-encoding") && has_word(text, "chunked") => {
                found::TRANSFER_ENCODING | found::CHUNKED
            }
            17 if is("transfer-encoding") => found::TRANSFER_ENCODING,
            _ => 0,
        };
    }
}

/// The length of an array.
fn length(array: &Local<'_, '_>) -> Result<u32> {
    // The length of an array is between 0 and 2³² - 1.
    Ok(array.get(&LocalAtom::new(array.ctx(), "length")?)?.to_number()? as u32)
}

/// Returns the object `headers` for fields, see [`http::collect`].
fn collect<'js>(ctx: Ctx<'js>, fields: Text, count: f64, joins_all: bool) -> Result<Object<'js>> {
    let headers = Object::new(ctx)?;
    for (name, value) in http::collect(&fields.0, count, joins_all) {
        match value {
            http::FieldValue::Joined(text) => headers.set(name, text)?,
            http::FieldValue::List(texts) => headers.set(name, texts)?,
        }
    }
    Ok(headers)
}

/// Whether a text contains a word, in any case.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(|c| !is_part(c)).any(|part| part.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::has_word;

    #[test]
    fn a_word_is_found_in_any_case_but_not_as_a_part() {
        assert!(has_word("keep-alive, Close", "close"));
        assert!(!has_word("closed", "close"));
    }
}
