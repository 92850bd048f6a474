//! Builds the head of an outgoing message: its own fields, and those that are added automatically.

use rquickjs::convert::Coerced;
use rquickjs::{Array, Ctx, IntoJs, Object, Result, Value};

use super::define;
use super::http_fields::{Fields, Invalid, found};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "buildHead", build)
}

/// The first element of the result for a `Trailer` field without chunked encoding, and for a head that is
/// sent before the body, because it has an `Expect` field.
const INVALID_TRAILER: i32 = -4;
const EXPECT: i32 = 0;

/// Returns the head and sets the properties of the message that it determines. Returns `[0, head]` for a head
/// that is sent before the body, and `[error, name, value]` for an invalid one.
///
/// `headers` is what [`Fields::add_all`] accepts. `date` is the value of the field `Date`.
fn build<'js>(
    ctx: Ctx<'js>,
    message: Object<'js>,
    first_line: String,
    headers: Value<'js>,
    is_stored: bool,
    unique: Option<Vec<String>>,
    date: Option<String>,
) -> Result<Value<'js>> {
    let mut fields = Fields::new(&ctx, first_line, is_stored, unique.unwrap_or_default());
    fields.has_length = is_set(&message, "_contentLength")?;
    if let Err(Invalid { reason, name, value }) = fields.add_all(headers, is_stored)? {
        return list(&ctx, [reason.into_js(&ctx)?, name, value]);
    }
    let Fields { mut text, found, length, .. } = fields;
    let head = Head { message, found };
    head.apply(length)?;
    if let Some(date) = date.filter(|_| !head.has(found::DATE)) {
        text.extend(["Date: ", &date, "\r\n"]);
    }
    // Responses with these status codes have no body.
    let status: Value<'js> = head.message.get("statusCode")?;
    if matches!(status.as_int(), Some(204 | 304)) && head.is("chunkedEncoding")? {
        head.set("chunkedEncoding", false)?;
        head.set("shouldKeepAlive", false)?;
    }
    if head.is("_removedConnection")? {
        head.set("_last", !head.is("shouldKeepAlive")?)?;
    } else if !head.has(found::CONNECTION) {
        head.connection(&mut text)?;
    }
    if !head.has(found::CONTENT_LENGTH | found::TRANSFER_ENCODING) {
        head.framing(&mut text)?;
    }
    if head.has(found::TRAILER) && !head.is("chunkedEncoding")? {
        return list(&ctx, [INVALID_TRAILER.into_js(&ctx)?]);
    }
    text.push_str("\r\n");
    let text = text.into_js(&ctx)?;
    if head.has(found::EXPECT) { list(&ctx, [EXPECT.into_js(&ctx)?, text]) } else { Ok(text) }
}

fn list<'js, const N: usize>(ctx: &Ctx<'js>, values: [Value<'js>; N]) -> Result<Value<'js>> {
    let array = Array::new(ctx.clone())?;
    for (index, value) in values.into_iter().enumerate() {
        array.set(index, value)?;
    }
    Ok(array.into_value())
}

/// Whether JavaScript considers a property true.
fn is_set(object: &Object<'_>, name: &str) -> Result<bool> {
    let value: Value<'_> = object.get(name)?;
    Ok(match value.as_bool() {
        Some(is) => is,
        None => value.get::<Coerced<bool>>()?.0,
    })
}

/// A message, and which fields it has.
struct Head<'js> {
    message: Object<'js>,
    found: u32,
}

impl<'js> Head<'js> {
    fn has(&self, bits: u32) -> bool {
        self.found & bits != 0
    }

    fn is(&self, name: &str) -> Result<bool> {
        is_set(&self.message, name)
    }

    fn set(&self, name: &str, value: impl IntoJs<'js>) -> Result<()> {
        self.message.set(name, value)
    }

    /// Sets the properties that the fields of the program determine.
    fn apply(&self, length: Value<'js>) -> Result<()> {
        if self.has(found::CONNECTION) {
            let name = if self.has(found::CLOSE) { "_last" } else { "shouldKeepAlive" };
            self.set(name, true)?;
        }
        if self.has(found::CHUNKED) {
            self.set("chunkedEncoding", true)?;
        }
        if self.has(found::CONTENT_LENGTH) {
            self.set("_contentLength", length.get::<Coerced<f64>>()?.0)?;
        }
        if self.has(found::KEEP_ALIVE) {
            self.set("_defaultKeepAlive", false)?;
        }
        for (bit, name) in [
            (found::CONNECTION, "_removedConnection"),
            (found::CONTENT_LENGTH, "_removedContLen"),
            (found::TRANSFER_ENCODING, "_removedTE"),
        ] {
            if self.has(bit) && self.is(name)? {
                self.set(name, false)?;
            }
        }
        Ok(())
    }

    /// Appends `Connection` and `Keep-Alive`.
    fn connection(&self, text: &mut String) -> Result<()> {
        let keeps_alive = self.is("shouldKeepAlive")?
            && (self.has(found::CONTENT_LENGTH)
                || self.is("useChunkedEncodingByDefault")?
                || self.is("agent")?);
        if !keeps_alive {
            self.set("_last", true)?;
        }
        if !keeps_alive || self.is("maxRequestsOnConnectionReached")? {
            text.push_str("Connection: close\r\n");
            return Ok(());
        }
        text.push_str("Connection: keep-alive\r\n");
        let connection: Option<Object<'js>> = self.message.get("_connection")?;
        let server: Option<Object<'js>> = connection.map(|it| it.get("server")).transpose()?;
        let (source, timeout, limit) = match &server {
            Some(server) => (server, "keepAliveTimeout", "maxRequestsPerSocket"),
            None => (&self.message, "_keepAliveTimeout", "_maxRequestsPerSocket"),
        };
        let timeout: Coerced<f64> = source.get(timeout)?;
        if timeout.0 == 0.0 || timeout.0.is_nan() || !self.is("_defaultKeepAlive")? {
            return Ok(());
        }
        let seconds = (timeout.0 / 1000.0).floor();
        let limit: Value<'js> = source.get(limit)?;
        let max = match limit.get::<Coerced<i32>>()?.0 {
            1.. => format!(", max={}", limit.get::<Coerced<String>>()?.0),
            _ => String::new(),
        };
        text.push_str(&format!("Keep-Alive: timeout={seconds}{max}\r\n"));
        Ok(())
    }

    /// Appends `Content-Length` or `Transfer-Encoding`, unless the message has no body or the end of the
    /// connection delimits it.
    fn framing(&self, text: &mut String) -> Result<()> {
        if !self.is("_hasBody")? {
            return self.set("chunkedEncoding", false);
        }
        if !self.is("useChunkedEncodingByDefault")? {
            return self.set("_last", true);
        }
        let length: Value<'js> = self.message.get("_contentLength")?;
        if !self.has(found::TRAILER) && length.is_number() && !self.is("_removedContLen")? {
            text.extend(["Content-Length: ", &length.get::<Coerced<String>>()?.0, "\r\n"]);
        } else if !self.is("_removedTE")? {
            self.set("chunkedEncoding", true)?;
            text.push_str("Transfer-Encoding: chunked\r\n");
        } else {
            self.set("_last", true)?;
        }
        Ok(())
    }
}
