//! Builds the head of an outgoing message: its own fields, and those that are added automatically.

use std::cell::{Cell, RefCell};
use std::io::Write as _;

use mauve_quickjs::{Kind, Local, NativeCall, SavedAtom, SavedValue, native_function};
use rquickjs::convert::Coerced;
use rquickjs::{Array, Ctx, Function, Object, Result, Value};

use super::http_fields::{Fields, Invalid, found};
use super::{define, names};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    let names: &Names = Box::leak(Box::new(Names::new(object.ctx())?));
    NAMES.set(Some(names));
    object.set("buildHead", native_function(object.ctx(), c"buildHead", 6, build_head)?)?;
    define(object, "createWriteHead", create_write_head)?;
    define(object, "setDate", |date: String| DATE.set(date))
}

thread_local! {
    static NAMES: Cell<Option<&'static Names>> = const { Cell::new(None) };
}

names! {
    agent: "agent",
    chunked_encoding: "chunkedEncoding",
    connection: "_connection",
    content_length: "_contentLength",
    default_keep_alive: "_defaultKeepAlive",
    has_body: "_hasBody",
    header: "_header",
    keep_alive_timeout: "_keepAliveTimeout",
    last: "_last",
    max_requests: "_maxRequestsPerSocket",
    max_requests_reached: "maxRequestsOnConnectionReached",
    removed_connection: "_removedConnection",
    removed_length: "_removedContLen",
    removed_transfer_encoding: "_removedTE",
    server: "server",
    server_keep_alive_timeout: "keepAliveTimeout",
    server_max_requests: "maxRequestsPerSocket",
    header_sent: "_headerSent",
    send_date: "sendDate",
    should_keep_alive: "shouldKeepAlive",
    status_code: "statusCode",
    status_message: "statusMessage",
    store_header: "_storeHeader",
    uses_chunked_encoding: "useChunkedEncodingByDefault",
}

/// The first element of the result for a `Trailer` field without chunked encoding, and for a head that is
/// sent before the body, because it has an `Expect` field.
const INVALID_TRAILER: i32 = -4;
const EXPECT: i32 = 0;

/// `buildHead(message, firstLine, headers, isStored, unique, hasDate)` sets the head and the properties of the
/// message that it determines. Returns `[0]` for a head that is sent before the body, and
/// `[error, name, value]` for an invalid one.
///
/// `headers` is what [`Fields::add_all`] accepts. `unique` is a list of names or `undefined`.
fn build_head<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let names = NAMES.get().expect("set by fill");
    let ctx = call.ctx();
    let is_stored = call.arg(3).is_truthy();
    let unique = call.arg(4);
    let unique = if unique.kind() == Kind::Object { unique.to_value().get()? } else { vec![] };
    let mut text = Vec::with_capacity(TYPICAL_SIZE);
    call.arg(1).with_text(|line| text.extend_from_slice(line))?;
    let mut head = Head { message: call.arg(0), names, found: 0 };
    let mut fields = Fields::new(text, is_stored, unique);
    fields.has_length = head.is(&names.content_length)?;
    if let Err(Invalid { reason, name, value }) = fields.add_all(&call.arg(2), is_stored)? {
        return list(ctx, reason, &[name, value]);
    }
    let has_date = call.arg(5).is_truthy();
    head.found = fields.found;
    if !head.complete(fields, has_date)? {
        return list(ctx, INVALID_TRAILER, &[]);
    }
    if head.has(found::EXPECT) { list(ctx, EXPECT, &[]) } else { Ok(Local::undefined(ctx)) }
}

struct WriteHeadState {
    /// The function in JavaScript, and the functions and the table that it uses.
    general: SavedValue,
    store_header: SavedValue,
    phrases: SavedValue,
    /// Symbols.
    headers: SavedAtom,
    unique_headers: SavedAtom,
    expects_continue: SavedAtom,
}

thread_local! {
    static WRITE_HEAD: Cell<Option<&'static WriteHeadState>> = const { Cell::new(None) };
    /// The value of the field `Date`; empty when it has to be computed.
    static DATE: RefCell<String> = const { RefCell::new(String::new()) };
}

fn create_write_head<'js>(
    ctx: Ctx<'js>,
    general: Value<'js>,
    store_header: Value<'js>,
    phrases: Value<'js>,
    headers: Value<'js>,
    unique_headers: Value<'js>,
    expects_continue: Value<'js>,
) -> Result<Function<'js>> {
    let saved = |value: &Value<'js>| SavedValue::new(&Local::new(&ctx, value));
    let name = |value: &Value<'js>| SavedAtom::of(&Local::new(&ctx, value));
    WRITE_HEAD.set(Some(Box::leak(Box::new(WriteHeadState {
        general: saved(&general),
        store_header: saved(&store_header),
        phrases: saved(&phrases),
        headers: name(&headers)?,
        unique_headers: name(&unique_headers)?,
        expects_continue: name(&expects_continue)?,
    }))));
    native_function(&ctx, c"writeHead", 3, write_head)
}

/// `ServerResponse.prototype.writeHead`.
///
/// Fast path: a head with a usual status and without a reason phrase. Everything else is forwarded to the
/// same function in JavaScript, also what is invalid.
fn write_head<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let state = WRITE_HEAD.get().expect("set by createWriteHead");
    let this = call.this();
    if this.kind() == Kind::Object && state.write_usual(call, &this)? {
        return Ok(this);
    }
    call.forward(&state.general.get(call.ctx())?, &this, 0)
}

impl WriteHeadState {
    /// Returns false for what is not usual.
    fn write_usual<'a, 'js>(
        &self,
        call: &NativeCall<'a, 'js>,
        this: &Local<'a, 'js>,
    ) -> Result<bool> {
        let (ctx, names) = (call.ctx(), NAMES.get().expect("set by fill"));
        let mut fields = call.arg(1);
        let Kind::Int(status @ (200..=203 | 205..=303 | 305..=999)) = call.arg(0).kind() else {
            return Ok(false);
        };
        let has_usual_arguments = match fields.kind() {
            Kind::Undefined => true,
            Kind::Object => !fields.is_array(),
            _ => false,
        };
        if !has_usual_arguments
            || call.arg(2).kind() != Kind::Undefined
            || this.get_saved(&names.header)?.kind() != Kind::Null
            || this.get_saved(&names.status_message)?.kind() != Kind::Undefined
            || this.get_saved(&self.unique_headers)?.kind() != Kind::Null
            || this.get_saved(&self.expects_continue)?.kind() != Kind::Bool(false)
            || !this.get_saved(&names.store_header)?.is_same_object(&self.store_header.get(ctx)?)
        {
            return Ok(false);
        }
        let stored = this.get_saved(&self.headers)?;
        let is_stored = stored.kind() == Kind::Object;
        if is_stored {
            if fields.kind() != Kind::Undefined {
                return Ok(false);
            }
            fields = stored;
        }
        let has_date = this.get_saved(&names.send_date)?.is_truthy();
        let phrase = self.phrases.get(ctx)?.element(status as u32)?;
        if phrase.kind() != Kind::String || has_date && DATE.with_borrow(String::is_empty) {
            return Ok(false);
        }
        let mut text = Vec::with_capacity(TYPICAL_SIZE);
        text.extend_from_slice(b"HTTP/1.1 ");
        append_number(&mut text, f64::from(status));
        text.push(b' ');
        phrase.with_text(|phrase| text.extend_from_slice(phrase))?;
        text.extend_from_slice(b"\r\n");
        let mut head = Head { message: this.clone(), names, found: 0 };
        let mut fields_text = Fields::new(text, is_stored, Vec::new());
        fields_text.has_length = head.is(&names.content_length)?;
        let is_valid = fields_text.add_all(&fields, is_stored)?.is_ok();
        head.found = fields_text.found;
        if !is_valid || head.has(found::EXPECT | found::TRAILER) {
            return Ok(false);
        }
        if this.get_saved(&names.status_code)?.kind() != Kind::Int(status) {
            this.set_saved(&names.status_code, call.arg(0))?;
        }
        this.set_saved(&names.status_message, phrase)?;
        head.complete(fields_text, has_date)?;
        if this.get_saved(&names.header_sent)?.is_truthy() {
            head.set(&names.header_sent, false)?;
        }
        Ok(true)
    }
}

/// Most heads are shorter.
const TYPICAL_SIZE: usize = 512;

fn list<'a, 'js>(
    ctx: &'a Ctx<'js>,
    first: i32,
    others: &[Local<'a, 'js>],
) -> Result<Local<'a, 'js>> {
    let array = Array::new(ctx.clone())?;
    array.set(0, first)?;
    for (index, value) in others.iter().enumerate() {
        array.set(index + 1, value.to_value())?;
    }
    Ok(Local::new(ctx, array.as_value()))
}

/// A message, and which fields it has.
struct Head<'a, 'js> {
    message: Local<'a, 'js>,
    names: &'static Names,
    found: u32,
}

impl<'a, 'js> Head<'a, 'js> {
    fn has(&self, bits: u32) -> bool {
        self.found & bits != 0
    }

    fn get(&self, name: &SavedAtom) -> Result<Local<'a, 'js>> {
        Ok(self.message.get_saved(name)?)
    }

    fn is(&self, name: &SavedAtom) -> Result<bool> {
        Ok(self.get(name)?.is_truthy())
    }

    fn set(&self, name: &SavedAtom, value: bool) -> Result<()> {
        Ok(self.message.set_saved(name, Local::boolean(self.message.ctx(), value))?)
    }

    /// Adds the automatic fields to those of the program, and sets the head and the properties of the message.
    /// Returns false for a `Trailer` field without chunked encoding.
    fn complete(&self, fields: Fields<'a, 'js>, has_date: bool) -> Result<bool> {
        let names = self.names;
        let Fields { mut text, length, .. } = fields;
        self.apply(length)?;
        if has_date && !self.has(found::DATE) {
            text.extend_from_slice(b"Date: ");
            DATE.with_borrow(|date| text.extend_from_slice(date.as_bytes()));
            text.extend_from_slice(b"\r\n");
        }
        // Responses with these status codes have no body.
        let status = self.get(&names.status_code)?.kind();
        if matches!(status, Kind::Int(204 | 304)) && self.is(&names.chunked_encoding)? {
            self.set(&names.chunked_encoding, false)?;
            self.set(&names.should_keep_alive, false)?;
        }
        if self.is(&names.removed_connection)? {
            self.set(&names.last, !self.is(&names.should_keep_alive)?)?;
        } else if !self.has(found::CONNECTION) {
            self.connection(&mut text)?;
        }
        if !self.has(found::CONTENT_LENGTH | found::TRANSFER_ENCODING) {
            self.framing(&mut text)?;
        }
        if self.has(found::TRAILER) && !self.is(&names.chunked_encoding)? {
            return Ok(false);
        }
        text.extend_from_slice(b"\r\n");
        self.message.set_saved(&names.header, Local::text(self.message.ctx(), &text)?)?;
        Ok(true)
    }

    /// Sets the properties that the fields of the program determine.
    fn apply(&self, length: Option<Local<'a, 'js>>) -> Result<()> {
        let names = self.names;
        if self.has(found::CONNECTION) {
            let is_last = self.has(found::CLOSE);
            self.set(if is_last { &names.last } else { &names.should_keep_alive }, true)?;
        }
        if self.has(found::CHUNKED) {
            self.set(&names.chunked_encoding, true)?;
        }
        if let Some(length) = length {
            let number = Local::number(length.ctx(), length.to_number()?);
            self.message.set_saved(&names.content_length, number)?;
        }
        if self.has(found::KEEP_ALIVE) {
            self.set(&names.default_keep_alive, false)?;
        }
        for (bit, name) in [
            (found::CONNECTION, &names.removed_connection),
            (found::CONTENT_LENGTH, &names.removed_length),
            (found::TRANSFER_ENCODING, &names.removed_transfer_encoding),
        ] {
            if self.has(bit) && self.is(name)? {
                self.set(name, false)?;
            }
        }
        Ok(())
    }

    /// Appends `Connection` and `Keep-Alive`.
    fn connection(&self, text: &mut Vec<u8>) -> Result<()> {
        let names = self.names;
        let keeps_alive = self.is(&names.should_keep_alive)?
            && (self.has(found::CONTENT_LENGTH)
                || self.is(&names.uses_chunked_encoding)?
                || self.is(&names.agent)?);
        if !keeps_alive {
            self.set(&names.last, true)?;
        }
        if !keeps_alive || self.is(&names.max_requests_reached)? {
            text.extend_from_slice(b"Connection: close\r\n");
            return Ok(());
        }
        text.extend_from_slice(b"Connection: keep-alive\r\n");
        let connection = self.get(&names.connection)?;
        let server = match connection.kind() {
            Kind::Object => Some(connection.get_saved(&names.server)?),
            _ => None,
        };
        let (source, timeout, limit) = match &server {
            Some(it) => (it, &names.server_keep_alive_timeout, &names.server_max_requests),
            None => (&self.message, &names.keep_alive_timeout, &names.max_requests),
        };
        let timeout = source.get_saved(timeout)?.to_number()?;
        if timeout == 0.0 || timeout.is_nan() || !self.is(&names.default_keep_alive)? {
            return Ok(());
        }
        text.extend_from_slice(b"Keep-Alive: timeout=");
        append_number(text, (timeout / 1000.0).floor());
        let limit = source.get_saved(limit)?;
        // As an operand of `|`.
        if limit.kind() != Kind::Int(0) && limit.to_value().get::<Coerced<i32>>()?.0 > 0 {
            text.extend_from_slice(b", max=");
            limit.with_text(|limit| text.extend_from_slice(limit))?;
        }
        text.extend_from_slice(b"\r\n");
        Ok(())
    }

    /// Appends `Content-Length` or `Transfer-Encoding`, unless the message has no body or the end of the
    /// connection delimits it.
    fn framing(&self, text: &mut Vec<u8>) -> Result<()> {
        let names = self.names;
        if !self.is(&names.has_body)? {
            return self.set(&names.chunked_encoding, false);
        }
        if !self.is(&names.uses_chunked_encoding)? {
            return self.set(&names.last, true);
        }
        let length = self.get(&names.content_length)?;
        let is_number = matches!(length.kind(), Kind::Int(_) | Kind::Float(_));
        if !self.has(found::TRAILER) && is_number && !self.is(&names.removed_length)? {
            text.extend_from_slice(b"Content-Length: ");
            match length.kind() {
                Kind::Int(number) => append_number(text, f64::from(number)),
                _ => length.with_text(|length| text.extend_from_slice(length))?,
            }
            text.extend_from_slice(b"\r\n");
        } else if !self.is(&names.removed_transfer_encoding)? {
            self.set(&names.chunked_encoding, true)?;
            text.extend_from_slice(b"Transfer-Encoding: chunked\r\n");
        } else {
            self.set(&names.last, true)?;
        }
        Ok(())
    }
}

fn append_number(text: &mut Vec<u8>, number: f64) {
    let written = match number as i32 {
        integer if f64::from(integer) == number => write!(text, "{integer}"),
        _ => write!(text, "{number}"),
    };
    written.expect("writing to a vector cannot fail");
}
