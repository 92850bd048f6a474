//! `end` of a response, for the most frequent case: its head and a short string or buffer are written at once.
//! And the listener that writes the data of a request to its response, for a short buffer.

use std::cell::Cell;
use std::io::Write as _;

use mauve_quickjs::{Kind, Local, NativeCall, SavedAtom, SavedValue, native_function};
use rquickjs::{Ctx, Function, Object, Persistent, Result, TypedArray, Value};

use super::{define, names, stream, timers};
use crate::host::views;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "createEnd", create)?;
    define(object, "createPipeListener", create_pipe_listener)
}

thread_local! {
    static STATE: Cell<Option<&'static State>> = const { Cell::new(None) };
    static PIPE: Cell<Option<&'static PipeState>> = const { Cell::new(None) };
}

struct State {
    names: Names,
    /// The same function in JavaScript.
    general: SavedValue,
    process: SavedValue,
    /// `onFinish(message)` is called when the message is written.
    on_finish: SavedValue,
}

names! {
    chunked_encoding: "chunkedEncoding",
    connection_state: "_writableState",
    consumer: "_consumer",
    content_length: "_contentLength",
    cork: "cork",
    corked: "corked",
    data: "data",
    dest: "dest",
    destroyed: "destroyed",
    emit: "emit",
    end_state: "endState",
    events: "_events",
    events_count: "_eventsCount",
    finished: "finished",
    handle: "handle",
    has_body: "_hasBody",
    header: "_header",
    header_sent: "_headerSent",
    high_water_mark: "highWaterMark",
    http_message: "_httpMessage",
    id: "id",
    idle_timer: "_idleTimer",
    implicit_header: "_implicitHeader",
    is_plain: "_isPlain",
    length: "length",
    message: "message",
    on_chunk_pending: "onChunkPending",
    on_chunk_written: "onChunkWritten",
    on_written: "onWritten",
    original_write: "originalWrite",
    socket: "socket",
    socket_handle: "_handle",
    strict: "strictContentLength",
    trailer: "_trailer",
    write: "write",
}

fn create<'js>(
    ctx: Ctx<'js>,
    general: Value<'js>,
    on_finish: Value<'js>,
    process: Value<'js>,
) -> Result<Function<'js>> {
    let saved = |value: &Value<'js>| SavedValue::new(&Local::new(&ctx, value));
    STATE.set(Some(Box::leak(Box::new(State {
        names: Names::new(&ctx)?,
        general: saved(&general),
        process: saved(&process),
        on_finish: saved(&on_finish),
    }))));
    native_function(&ctx, c"end", 3, end)
}

fn end<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let (this, state) = (call.this(), state());
    if state.end_at_once(call, &this)? {
        return Ok(this);
    }
    call.forward(&state.general.get(call.ctx())?, &this, 0)
}

fn state() -> &'static State {
    STATE.get().expect("set by createEnd")
}

/// What the listener of 'data' of a pipe needs.
struct PipeState {
    /// The same function in JavaScript.
    general: SavedValue,
    /// The listener itself, and the original method `write` of the destination.
    listener: SavedValue,
    write: SavedValue,
    /// Symbols of `internal/http/incoming`.
    reader: SavedAtom,
    initialized: SavedAtom,
}

fn create_pipe_listener<'js>(
    ctx: Ctx<'js>,
    general: Value<'js>,
    write: Value<'js>,
    reader: Value<'js>,
    initialized: Value<'js>,
) -> Result<Function<'js>> {
    let saved = |value: &Value<'js>| SavedValue::new(&Local::new(&ctx, value));
    let name = |value: &Value<'js>| SavedAtom::of(&Local::new(&ctx, value));
    let listener = native_function(&ctx, c"onData", 1, on_data)?;
    PIPE.set(Some(Box::leak(Box::new(PipeState {
        general: saved(&general),
        listener: saved(listener.as_value()),
        write: saved(&write),
        reader: name(&reader)?,
        initialized: name(&initialized)?,
    }))));
    Ok(listener)
}

fn on_data<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let (ctx, source) = (call.ctx(), call.this());
    let pipe = PIPE.get().expect("set by createPipeListener");
    if let Some(dest) = pipe.idle_destination(&source)?
        && state().write_at_once(&dest, &call.arg(0))?
    {
        return Ok(Local::undefined(ctx));
    }
    call.forward(&pipe.general.get(ctx)?, &source, 0)
}

impl PipeState {
    /// The destination, if only the pipe reads the source, and nothing runs until the next tick.
    fn idle_destination<'a, 'js>(&self, source: &Local<'a, 'js>) -> Result<Option<Local<'a, 'js>>> {
        let (ctx, names) = (source.ctx(), &state().names);
        if timers::has_pending() || is(source, &self.initialized)? {
            return Ok(None);
        }
        let listener = source.get_saved(&names.events)?.get_saved(&names.data)?;
        if !listener.is_same_object(&self.listener.get(ctx)?) {
            return Ok(None);
        }
        let dest = source.get_saved(&self.reader)?.get_saved(&names.dest)?;
        let write = dest.get_saved(&names.write)?;
        Ok(write.is_same_object(&self.write.get(ctx)?).then_some(dest))
    }
}

/// Fits into an empty send buffer of a socket.
const MAX_SINGLE_WRITE: usize = 16 * 1024;

impl State {
    /// Ends the message, and returns true, if nothing else is to be done.
    fn end_at_once<'a, 'js>(
        &self,
        call: &NativeCall<'a, 'js>,
        message: &Local<'a, 'js>,
    ) -> Result<bool> {
        let (ctx, names, body) = (call.ctx(), &self.names, call.arg(0));
        let view: Option<TypedArray<'js, u8>> = match body.kind() {
            Kind::Object => body.to_value().get().ok(),
            _ => None,
        };
        if message.kind() != Kind::Object
            || (view.is_none() && !matches!(body.kind(), Kind::String | Kind::Undefined))
            || call.arg(1).kind() != Kind::Undefined
            || call.arg(2).kind() != Kind::Undefined
            || is(message, &names.finished)?
            || is(message, &names.destroyed)?
            || is(message, &names.strict)?
            || !is(message, &names.is_plain)?
        {
            return Ok(false);
        }
        let socket = message.get_saved(&names.socket)?;
        let Some((consumer, handle)) = self.writable_handle(message, &socket)? else {
            return Ok(false);
        };
        let size = match &view {
            Some(view) => view.len(),
            None if body.kind() == Kind::String => body.with_text(<[u8]>::len)?,
            None => 0,
        };
        if size > MAX_SINGLE_WRITE {
            return Ok(false);
        }
        if message.get_saved(&names.header)?.kind() != Kind::String {
            message.set_saved(&names.content_length, Local::number(ctx, size as f64))?;
            let built = message.get_saved(&names.implicit_header)?.call(message, &[]);
            if built.is_err() {
                // As in Node, where the socket is corked first.
                let thrown = ctx.catch();
                socket.get_saved(&names.cork)?.call(&socket, &[])?;
                return Err(ctx.throw(thrown));
            }
        }
        let has_body = is(message, &names.has_body)?;
        let is_chunked = has_body && is(message, &names.chunked_encoding)?;
        let append = |bytes: &mut Vec<u8>| match &view {
            _ if !has_body || size == 0 => Ok(()),
            Some(view) => {
                views::append(view, bytes);
                Ok(())
            }
            None => crate::host::text::encode(&body, false, bytes),
        };
        let framing = if is_chunked { Framing::LastChunk } else { Framing::Length };
        let Some(bytes) = self.encode(message, append, size, framing)? else {
            return Ok(false);
        };
        message.set_saved(&names.header_sent, Local::boolean(ctx, true))?;
        message.set_saved(&names.finished, Local::boolean(ctx, true))?;
        // A socket writes one message at a time.
        consumer.set_saved(&names.message, message.clone())?;
        let id = handle.get_saved(&names.id)?.to_number()? as u64;
        let on_written = consumer.get_saved(&names.on_written)?;
        let callback: Function<'js> = on_written.to_value().get()?;
        let sent = match bytes.is_empty() {
            true => 0,
            false => stream::send(id, &bytes, || Persistent::save(ctx, callback)),
        };
        match sent {
            0 => {
                timers::schedule(&self.process.get(ctx)?, &self.on_finish.get(ctx)?, message)?;
            }
            error @ ..0 => {
                let error = Local::number(ctx, f64::from(error));
                timers::schedule(&self.process.get(ctx)?, &on_written, &error)?;
            }
            _ => {}
        }
        if message.get_saved(&names.events_count)?.kind() != Kind::Int(0) {
            let event = Local::text(ctx, b"prefinish")?;
            message.get_saved(&names.emit)?.call(message, &[&event])?;
        }
        Ok(true)
    }

    /// Writes a part of the body, and returns true, if nothing else is to be done. The stream of the socket would be
    /// corked until the next tick, which the caller knows to be the next thing that runs.
    fn write_at_once<'a, 'js>(
        &self,
        message: &Local<'a, 'js>,
        chunk: &Local<'a, 'js>,
    ) -> Result<bool> {
        let (ctx, names) = (message.ctx(), &self.names);
        if is(message, &names.finished)?
            || is(message, &names.destroyed)?
            || is(message, &names.strict)?
            || !is(message, &names.is_plain)?
        {
            return Ok(false);
        }
        let socket = message.get_saved(&names.socket)?;
        let Some((consumer, handle)) = self.writable_handle(message, &socket)? else {
            return Ok(false);
        };
        let Ok(view) = chunk.to_value().get::<TypedArray<'js, u8>>() else { return Ok(false) };
        if message.get_saved(&names.header)?.kind() != Kind::String {
            message.get_saved(&names.implicit_header)?.call(message, &[])?;
        }
        let framing = match is(message, &names.chunked_encoding)? {
            true => Framing::Chunk,
            false => Framing::Length,
        };
        let append = |bytes: &mut Vec<u8>| {
            views::append(&view, bytes);
            Ok(())
        };
        if view.is_empty() || !is(message, &names.has_body)? {
            return Ok(false);
        }
        let Some(bytes) = self.encode(message, append, view.len(), framing)? else {
            return Ok(false);
        };
        let state = socket.get_saved(&names.connection_state)?;
        let mark = state.get_saved(&names.high_water_mark)?.to_number()?;
        if bytes.len() > MAX_SINGLE_WRITE || bytes.len() as f64 >= mark {
            return Ok(false);
        }
        let id = handle.get_saved(&names.id)?.to_number()? as u64;
        let callback: Function<'js> =
            consumer.get_saved(&names.on_chunk_written)?.to_value().get()?;
        match stream::send(id, &bytes, || Persistent::save(ctx, callback)) {
            0 => {}
            // The stream reports the error.
            ..0 => return Ok(false),
            _ => {
                let size = Local::number(ctx, bytes.len() as f64);
                consumer.get_saved(&names.on_chunk_pending)?.call(&consumer, &[&size])?;
            }
        }
        message.set_saved(&names.header_sent, Local::boolean(ctx, true))?;
        Ok(true)
    }

    /// The consumer of the socket and its handle, if the socket sends this message, and a write may bypass
    /// the stream.
    fn writable_handle<'a, 'js>(
        &self,
        message: &Local<'a, 'js>,
        socket: &Local<'a, 'js>,
    ) -> Result<Option<(Local<'a, 'js>, Local<'a, 'js>)>> {
        let names = &self.names;
        if socket.kind() != Kind::Object {
            return Ok(None);
        }
        let consumer = socket.get_saved(&names.consumer)?;
        if consumer.kind() != Kind::Object {
            return Ok(None);
        }
        let handle = consumer.get_saved(&names.handle)?;
        let state = socket.get_saved(&names.connection_state)?;
        let write = socket.get_saved(&names.write)?;
        let is_free = handle.is_same_object(&socket.get_saved(&names.socket_handle)?)
            && message.is_same_object(&socket.get_saved(&names.http_message)?)
            && write.is_same_object(&consumer.get_saved(&names.original_write)?)
            && socket.get_saved(&names.idle_timer)?.kind() == Kind::Null
            && state.get_saved(&names.length)?.kind() == Kind::Int(0)
            && state.get_saved(&names.corked)?.kind() == Kind::Int(0)
            && state.get_saved(&names.end_state)?.kind() == Kind::Int(0);
        Ok(is_free.then_some((consumer, handle)))
    }

    /// The bytes of the head, if it has not been sent, and of a part of the body. Returns `None` if those of the
    /// message are not ASCII: then the encoding depends on what is written together.
    fn encode(
        &self,
        message: &Local<'_, '_>,
        append: impl FnOnce(&mut Vec<u8>) -> Result<()>,
        size: usize,
        framing: Framing,
    ) -> Result<Option<Vec<u8>>> {
        let names = &self.names;
        let mut bytes = Vec::with_capacity(512 + size);
        if !is(message, &names.header_sent)? {
            let head = message.get_saved(&names.header)?;
            if head.kind() != Kind::String {
                return Ok(None);
            }
            head.with_text(|head| bytes.extend_from_slice(head))?;
            if !bytes.is_ascii() {
                return Ok(None);
            }
        }
        let is_chunk = framing != Framing::Length && size > 0;
        if is_chunk {
            write!(bytes, "{size:x}\r\n").expect("writing to a vector cannot fail");
        }
        append(&mut bytes)?;
        if is_chunk {
            bytes.extend_from_slice(b"\r\n");
        }
        if framing == Framing::LastChunk {
            bytes.extend_from_slice(b"0\r\n");
            let start = bytes.len();
            message
                .get_saved(&names.trailer)?
                .with_text(|trailer| bytes.extend_from_slice(trailer))?;
            if !bytes[start..].is_ascii() {
                return Ok(None);
            }
            bytes.extend_from_slice(b"\r\n");
        }
        Ok(Some(bytes))
    }
}

/// How the length of a part of a body is sent.
#[derive(Clone, Copy, PartialEq)]
enum Framing {
    /// In a header, or not at all.
    Length,
    Chunk,
    /// The part is followed by the chunk that ends the body.
    LastChunk,
}

/// Whether JavaScript considers a property true.
fn is(object: &Local<'_, '_>, name: &SavedAtom) -> Result<bool> {
    Ok(object.get_saved(name)?.is_truthy())
}
