//! Functions of `internal/http/incoming` that are called for each step of a message without a Readable.

use std::cell::Cell;

use mauve_quickjs::{Kind, Local, NativeCall, SavedAtom, SavedValue, native_function};
use rquickjs::{Ctx, Object, Result, Value};

use super::{define, names, timers};

thread_local! {
    static STATE: Cell<Option<&'static State>> = const { Cell::new(None) };
}

struct State {
    names: Names,
    initialized: SavedAtom,
    stage: SavedAtom,
    ended: SavedAtom,
    chunk: SavedAtom,
    did_read: SavedAtom,
    reader: SavedAtom,
    /// The methods that a plain message has, with their names.
    methods: [(SavedAtom, SavedValue); 4],
    /// The listener of 'readable' of all loops.
    on_readable: SavedValue,
    /// `resumeSocket(socket)`.
    resume_socket: SavedValue,
    /// `endLoop(message)` is called in the next tick after the end has been read.
    end_loop: SavedValue,
    process: SavedValue,
    /// Stages of a message.
    iterated: i32,
    ending: i32,
    close_emitted: i32,
}

names! {
    consumed: "_consumed",
    consumer: "_consumer",
    data: "data",
    destroyed: "destroyed",
    events: "_events",
    is_readable_scheduled: "isReadableScheduled",
    paused: "paused",
    read: "read",
    readable: "readable",
    resume: "resume",
    socket: "socket",
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "createBodyFunctions", create)
}

/// Creates `isPlain`, `readChunk` and `readNothing`. The argument has the fields of [`State`].
fn create<'js>(ctx: Ctx<'js>, options: Object<'js>) -> Result<Object<'js>> {
    let value = |name: &str| {
        Ok::<_, rquickjs::Error>(Local::new(&ctx, &options.get::<_, Value<'js>>(name)?))
    };
    let symbol = |name: &str| Ok::<_, rquickjs::Error>(SavedAtom::of(&value(name)?)?);
    let saved = |name: &str| Ok::<_, rquickjs::Error>(SavedValue::new(&value(name)?));
    let method = |name: &str| Ok::<_, rquickjs::Error>((SavedAtom::new(&ctx, name)?, saved(name)?));
    let stages: Object<'js> = options.get("Stage")?;
    STATE.set(Some(Box::leak(Box::new(State {
        names: Names::new(&ctx)?,
        initialized: symbol("kInitialized")?,
        stage: symbol("kStage")?,
        ended: symbol("kEnded")?,
        chunk: symbol("kChunk")?,
        did_read: symbol("kDidRead")?,
        reader: symbol("kReader")?,
        methods: [method("emit")?, method("read")?, method("push")?, method("_read")?],
        on_readable: saved("onReadable")?,
        resume_socket: saved("resumeSocket")?,
        end_loop: saved("endLoop")?,
        process: saved("process")?,
        iterated: stages.get("ITERATED")?,
        ending: stages.get("ENDING")?,
        close_emitted: stages.get("CLOSE_EMITTED")?,
    }))));
    let functions = Object::new(ctx.clone())?;
    functions.set("isPlain", native_function(&ctx, c"isPlain", 1, is_plain)?)?;
    functions.set("readChunk", native_function(&ctx, c"readChunk", 1, read_chunk)?)?;
    functions.set("readNothing", native_function(&ctx, c"readNothing", 1, read_nothing)?)?;
    Ok(functions)
}

/// Whether 'close' has been emitted, without a Readable.
pub(super) fn is_closed(message: &Local<'_, '_>) -> Result<bool> {
    let state = state();
    Ok(!message.get_saved(&state.initialized)?.is_truthy()
        && message.get_saved(&state.stage)?.kind() == Kind::Int(state.close_emitted))
}

fn state() -> &'static State {
    STATE.get().expect("set by createBodyFunctions")
}

/// `isPlain(message)`: whether programs can notice the steps of a Readable only by its events 'data', 'end'
/// and 'close'.
fn is_plain<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    Ok(Local::boolean(call.ctx(), state().is_plain(&call.arg(0))?))
}

/// `readChunk(message)`: `read()` for a loop. Returns the chunk or null.
fn read_chunk<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    state().read_chunk(&call.arg(0))
}

/// `readNothing(message)`: `read(0)` for a loop.
fn read_nothing<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let (ctx, message, state) = (call.ctx(), call.arg(0), state());
    if message.get_saved(&state.initialized)?.is_truthy() || !state.is_plain(&message)? {
        let read = message.get_saved(&state.names.read)?;
        return read.call(&message, &[&Local::number(ctx, 0.0)]);
    }
    let is_ended = message.get_saved(&state.ended)?.is_truthy();
    if is_ended && message.get_saved(&state.chunk)?.kind() == Kind::Null {
        return state.read_chunk(&message);
    }
    Ok(Local::undefined(ctx))
}

impl State {
    fn is_plain(&self, message: &Local<'_, '_>) -> Result<bool> {
        let (ctx, names) = (message.ctx(), &self.names);
        for (name, method) in &self.methods {
            if !message.get_saved(name)?.is_same_object(&method.get(ctx)?) {
                return Ok(false);
            }
        }
        let events = message.get_saved(&names.events)?;
        if events.kind() != Kind::Object {
            return Ok(true);
        }
        let has_none =
            |name| Ok::<_, rquickjs::Error>(events.get_saved(name)?.kind() == Kind::Undefined);
        let readable = events.get_saved(&names.readable)?;
        let is_unread = readable.kind() == Kind::Undefined
            || (readable.is_same_object(&self.on_readable.get(ctx)?) && has_none(&names.data)?);
        Ok(is_unread && has_none(&names.resume)?)
    }

    fn read_chunk<'a, 'js>(&self, message: &Local<'a, 'js>) -> Result<Local<'a, 'js>> {
        let (ctx, names) = (message.ctx(), &self.names);
        let null = || Local::null(ctx);
        let is_initialized = message.get_saved(&self.initialized)?.is_truthy();
        let stage = message.get_saved(&self.stage)?.kind().as_int().unwrap_or(0);
        if is_closed(message)? {
            return Ok(null());
        }
        if is_initialized || !self.is_plain(message)? {
            if message.get_saved(&names.destroyed)?.is_truthy() {
                return Ok(null());
            }
            return message.get_saved(&names.read)?.call(message, &[]);
        }
        if stage > self.iterated {
            return Ok(null());
        }
        let reader = message.get_saved(&self.reader)?;
        if reader.get_saved(&names.is_readable_scheduled)?.is_truthy() {
            reader.set_saved(&names.is_readable_scheduled, Local::boolean(ctx, false))?;
        }
        if message.get_saved(&self.ended)?.is_truthy() {
            message.set_saved(&self.stage, Local::number(ctx, f64::from(self.ending)))?;
            timers::schedule(&self.process.get(ctx)?, &self.end_loop.get(ctx)?, message)?;
        } else {
            self.start_reading(message)?;
        }
        let chunk = message.get_saved(&self.chunk)?;
        if chunk.kind() != Kind::Null {
            message.set_saved(&self.chunk, null())?;
            message.set_saved(&self.did_read, Local::boolean(ctx, true))?;
        }
        Ok(chunk)
    }

    /// Resumes the socket unless it is known that it reads.
    fn start_reading(&self, message: &Local<'_, '_>) -> Result<()> {
        let (ctx, names) = (message.ctx(), &self.names);
        if !message.get_saved(&names.consumed)?.is_truthy() {
            message.set_saved(&names.consumed, Local::boolean(ctx, true))?;
        }
        let socket = message.get_saved(&names.socket)?;
        if socket.kind() == Kind::Object {
            let consumer = socket.get_saved(&names.consumer)?;
            if consumer.kind() == Kind::Object
                && consumer.get_saved(&names.paused)?.kind() == Kind::Bool(false)
            {
                return Ok(());
            }
        }
        self.resume_socket.get(ctx)?.call(&Local::undefined(ctx), &[&socket]).map(drop)
    }
}
