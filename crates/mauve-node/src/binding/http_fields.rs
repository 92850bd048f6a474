//! Serializes the header fields of an outgoing message, and finds those that determine its framing.
//! Collects the fields of an incoming message.

use std::collections::HashMap;

use rquickjs::convert::Coerced;
use rquickjs::{Array, Ctx, IntoJs, Object, Result, Value};

use super::define;
use crate::host::text::Text;
use crate::http::is_token;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "collectFields", collect)?;
    object.set("singleFields", SINGLE.to_vec())
}

/// Which fields a head has, as bits. `CLOSE` and `CHUNKED` are values of their fields.
pub(super) mod found {
    pub const CONNECTION: u32 = 1;
    pub const CLOSE: u32 = 2;
    pub const TRANSFER_ENCODING: u32 = 4;
    pub const CHUNKED: u32 = 8;
    pub const CONTENT_LENGTH: u32 = 16;
    pub const DATE: u32 = 32;
    pub const EXPECT: u32 = 64;
    pub const TRAILER: u32 = 128;
    pub const KEEP_ALIVE: u32 = 256;
}

/// Why a field is invalid.
const INVALID_NAME: i32 = -1;
const UNDEFINED_VALUE: i32 = -2;
const INVALID_VALUE: i32 = -3;

pub(super) struct Invalid<'js> {
    pub reason: i32,
    pub name: Value<'js>,
    pub value: Value<'js>,
}

type Added<'js> = Result<std::result::Result<(), Invalid<'js>>>;

/// The serialized fields of a message.
pub(super) struct Fields<'js> {
    pub text: String,
    pub found: u32,
    /// The value of `Content-Length`.
    pub length: Value<'js>,
    validates: bool,
    unique: Vec<String>,
    /// Whether the length of the body is known and not 0.
    pub has_length: bool,
}

impl<'js> Fields<'js> {
    /// `is_stored` fields are already valid. The values of `unique` ones are joined.
    pub fn new(ctx: &Ctx<'js>, text: String, is_stored: bool, unique: Vec<String>) -> Self {
        let length = Value::new_undefined(ctx.clone());
        Self { text, found: 0, length, validates: !is_stored, unique, has_length: false }
    }

    /// Adds the fields of an object, of a list `[name, value, name, value, …]`, of a list
    /// `[[name, value], …]`, or if `is_stored` of an object whose values are `[name, value]`. Values that
    /// are arrays become one line per element, except those of `cookie` and of unique names.
    pub fn add_all(&mut self, headers: Value<'js>, is_stored: bool) -> Added<'js> {
        if let Some(list) = headers.as_array() {
            let is_nested = !list.is_empty() && list.get::<Value<'_>>(0)?.is_array();
            let step = if is_nested { 1 } else { 2 };
            for index in (0..list.len()).step_by(step) {
                let (name, value) = if is_nested {
                    let pair: Array<'_> = list.get(index)?;
                    (pair.get(0)?, pair.get(1)?)
                } else {
                    (list.get(index)?, list.get(index + 1)?)
                };
                if let Err(invalid) = self.add(name, value)? {
                    return Ok(Err(invalid));
                }
            }
        } else if let Some(object) = headers.as_object() {
            for entry in object.props::<Value<'_>, Value<'_>>() {
                let (mut name, mut value) = entry?;
                if is_stored {
                    let pair: Array<'_> = value.get()?;
                    (name, value) = (pair.get(0)?, pair.get(1)?);
                }
                if let Err(invalid) = self.add(name, value)? {
                    return Ok(Err(invalid));
                }
            }
        }
        Ok(Ok(()))
    }

    fn add(&mut self, name: Value<'js>, value: Value<'js>) -> Added<'js> {
        let valid = name.as_string().and_then(|name| name.to_string().ok());
        let valid = valid.filter(|name| !self.validates || is_token(name));
        let Some(text) = valid else {
            return Ok(Err(Invalid { reason: INVALID_NAME, name, value }));
        };
        let Some(list) = value.as_array() else { return self.line(&text, name, value) };
        let is_cookie = list.len() > 1 && text.eq_ignore_ascii_case("cookie");
        if is_cookie || self.unique.iter().any(|unique| text.eq_ignore_ascii_case(unique)) {
            let parts: Vec<Coerced<String>> = list.iter().collect::<Result<_>>()?;
            let parts: Vec<String> = parts.into_iter().map(|part| part.0).collect();
            let joined = parts.join("; ").into_js(name.ctx())?;
            return self.line(&text, name, joined);
        }
        for each in list.iter::<Value<'_>>() {
            if let Err(invalid) = self.line(&text, name.clone(), each?)? {
                return Ok(Err(invalid));
            }
        }
        Ok(Ok(()))
    }

    fn line(&mut self, name: &str, name_value: Value<'js>, value: Value<'js>) -> Added<'js> {
        let invalid = |reason, value| Ok(Err(Invalid { reason, name: name_value, value }));
        if self.validates && value.is_undefined() {
            return invalid(UNDEFINED_VALUE, value);
        }
        let mut text = match value.as_string().map(rquickjs::String::to_string) {
            Some(Ok(text)) => text,
            // A lone surrogate.
            Some(Err(_)) => return invalid(INVALID_VALUE, value),
            None => value.get::<Coerced<String>>()?.0,
        };
        if self.validates && !text.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~')) {
            let is_valid = |c: char| matches!(c, '\t' | ' '..='~' | '\u{80}'..='\u{ff}');
            if !text.chars().all(is_valid) {
                return invalid(INVALID_VALUE, value);
            }
        }
        // The head is encoded as UTF-8 together with the body. Node keeps the bytes of this field
        // only.
        if self.has_length && name.eq_ignore_ascii_case("content-disposition") {
            let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
            text = String::from_utf8_lossy(&bytes).into_owned();
        }
        self.record(name, &text, value);
        for part in [name, ": ", &text, "\r\n"] {
            self.text.push_str(part);
        }
        Ok(Ok(()))
    }

    fn record(&mut self, name: &str, text: &str, value: Value<'js>) {
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
                self.length = value;
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

/// Of these fields only the first value is used. The values of other fields are joined.
const SINGLE: [&str; 18] = [
    "age",
    "authorization",
    "content-length",
    "content-type",
    "etag",
    "expires",
    "from",
    "host",
    "if-modified-since",
    "if-unmodified-since",
    "last-modified",
    "location",
    "max-forwards",
    "proxy-authorization",
    "referer",
    "retry-after",
    "server",
    "user-agent",
];

/// Returns the object `headers` for fields `name NUL value NUL name NUL value`: the first `count` names and
/// values.
fn collect<'js>(ctx: Ctx<'js>, fields: Text, count: f64, joins_all: bool) -> Result<Object<'js>> {
    let mut all: Vec<(String, String)> = Vec::new();
    // The positions in `all`. A search would take quadratic time, and the peer chooses the fields.
    let mut positions: HashMap<String, usize> = HashMap::new();
    let mut cookies: Vec<&str> = Vec::new();
    let mut parts = fields.0.split('\0');
    let mut left = count;
    while left > 0.0
        && let (Some(name), Some(value)) = (parts.next(), parts.next())
    {
        left -= 2.0;
        let name = name.to_ascii_lowercase();
        let is_cookie = name == "set-cookie";
        if is_cookie {
            cookies.push(value);
        }
        match positions.get(&name).map(|at| &mut all[*at].1) {
            _ if is_cookie && cookies.len() > 1 => {}
            None => {
                positions.insert(name.clone(), all.len());
                all.push((name, value.to_owned()));
            }
            Some(joined) if name == "cookie" => joined.extend(["; ", value]),
            Some(_) if !joins_all && SINGLE.contains(&name.as_str()) => {}
            Some(joined) => joined.extend([", ", value]),
        }
    }
    let headers = Object::new(ctx)?;
    for (name, value) in all {
        if name == "set-cookie" {
            headers.set(name, std::mem::take(&mut cookies))?;
        } else {
            headers.set(name, value)?;
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
