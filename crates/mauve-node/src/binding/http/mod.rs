//! Runs HTTP parsers on the bytes of streams and buffers, and calls back for each event.
//!
//! JavaScript identifies a parser by a number. A parser that consumes a stream gets the bytes
//! directly; only bodies are copied into buffers. `internal/http/parser` has the arguments of the
//! callback.

mod fields;
mod outgoing;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use rquickjs::function::{Args, IntoArgs};
use rquickjs::{ArrayBuffer, Ctx, Function, IntoJs, Object, Result, TypedArray, Value};

use super::define;
use super::stream::{self, Callback, EOF};
use crate::host::{current, views};
use crate::http::{BodyKind, Event, METHODS, ParseError, Parser, Role, flag, is_token};

type SharedParser = Rc<RefCell<Parser>>;

thread_local! {
    static PARSERS: RefCell<HashMap<u64, SharedParser>> = RefCell::default();
    static LAST: Cell<u64> = const { Cell::new(0) };
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "createParser", create)?;
    define(object, "execute", execute)?;
    define(object, "readStart", read_start)?;
    define(object, "finish", finish)?;
    define(object, "isWithinMessage", |id: u64| {
        find(id).is_some_and(|parser| parser.borrow().is_within_message())
    })?;
    define(object, "close", close)?;
    define(object, "isToken", |text: String| is_token(&text))?;
    object.set("methods", METHODS.iter().map(|method| method.name).collect::<Vec<_>>())?;
    let http = METHODS.iter().filter(|method| method.http);
    object.set("httpMethods", http.map(|method| method.name).collect::<Vec<_>>())?;
    let flags = Object::new(object.ctx().clone())?;
    for (name, bit) in [
        ("HOST", u32::from(flag::HOST)),
        ("EXPECT", u32::from(flag::EXPECT)),
        ("KEEP_ALIVE", KEEP_ALIVE),
        ("UPGRADE", UPGRADE),
        ("NO_BODY", NO_BODY),
    ] {
        flags.set(name, bit)?;
    }
    object.set("flags", flags)?;
    fields::fill(object)?;
    outgoing::fill(object)
}

/// The connection is persistent.
const KEEP_ALIVE: u32 = 1 << 16;
/// The message requests another protocol.
const UPGRADE: u32 = 1 << 17;
/// The message has no body. It is complete after the callback, which is not called again for it.
const NO_BODY: u32 = 1 << 18;

/// The first argument of the callback. Negative numbers are errors of the stream.
const HEAD: i32 = 0;
const BODY: i32 = 1;
const COMPLETE: i32 = 2;
const UPGRADED: i32 = 3;
const INVALID: i32 = 4;
const PARTIAL: i32 = 5;

/// Zero fields stand for no limit.
fn create(is_request: bool, max_header_size: usize, max_fields: usize) -> u64 {
    let role = if is_request { Role::Requests } else { Role::Responses };
    let max_fields = if max_fields == 0 { usize::MAX } else { max_fields };
    let parser = Rc::new(RefCell::new(Parser::new(role, max_header_size, max_fields)));
    let id = LAST.get() + 1;
    LAST.set(id);
    PARSERS.with_borrow_mut(|parsers| parsers.insert(id, parser));
    id
}

fn find(id: u64) -> Option<SharedParser> {
    PARSERS.with_borrow(|parsers| parsers.get(&id).cloned())
}

/// Removes a parser. If it runs, it ignores the rest of its input.
fn close(id: u64) {
    if let Some(parser) = PARSERS.with_borrow_mut(|parsers| parsers.remove(&id)) {
        parser.borrow_mut().close();
    }
}

/// Parses a buffer.
fn execute<'js>(
    ctx: Ctx<'js>,
    id: u64,
    view: TypedArray<'js, u8>,
    callback: Function<'js>,
) -> Result<()> {
    let Some(parser) = find(id) else { return Ok(()) };
    let bytes = views::range(&view, 0, usize::MAX);
    Run { ctx, callback, parser, drains: false }.parse(&bytes)
}

/// Reads from a stream into a parser.
fn read_start(stream: u64, parser: u64, callback: Callback) -> i32 {
    let Some(parser) = find(parser) else { return super::number(mauve::Errno::EBADF) };
    stream::code(stream::read_into(stream, move |data| {
        current().call_back_with(&callback, |ctx, callback| {
            let run = |parser| Run { ctx: ctx.clone(), callback, parser, drains: true };
            match data {
                Ok(Some(bytes)) => run(parser.clone()).parse(bytes),
                Ok(None) => run(parser.clone()).call((EOF,)).map(drop),
                Err(error) => run(parser.clone()).call((super::number(error),)).map(drop),
            }
        });
    }))
}

/// The connection has ended.
fn finish<'js>(ctx: Ctx<'js>, id: u64, callback: Function<'js>) -> Result<()> {
    let Some(parser) = find(id) else { return Ok(()) };
    let result = parser.borrow_mut().finish();
    let run = Run { ctx, callback, parser, drains: false };
    match result {
        Ok(true) => run.call((COMPLETE,)).map(drop),
        Ok(false) => Ok(()),
        Err(error) => run.fail(error, &[]),
    }
}

/// A parser and the callback for its events.
struct Run<'js> {
    ctx: Ctx<'js>,
    callback: Function<'js>,
    parser: SharedParser,
    /// Whether the queues are drained after each part of a body and after fields that Node reports by
    /// themselves. It does so for a stream.
    drains: bool,
}

impl<'js> Run<'js> {
    /// Calls back for each event. An exception of the callback ends the parser.
    fn parse(&self, bytes: &[u8]) -> Result<()> {
        let result = self.events(bytes);
        if result.is_err() {
            self.parser.borrow_mut().close();
        }
        result
    }

    fn events(&self, bytes: &[u8]) -> Result<()> {
        let mut at = 0;
        let mut is_first = true;
        loop {
            let event = self.parser.borrow_mut().next(bytes, &mut at);
            match event {
                Ok(Event::NeedInput) => {
                    let is_partial = is_first || self.parser.borrow().is_within_head();
                    return if is_partial { self.call((PARTIAL,)).map(drop) } else { Ok(()) };
                }
                Ok(Event::Head) => {
                    if self.parser.borrow_mut().reports_head_fields() && self.is_closed_by_drain() {
                        return Ok(());
                    }
                    if let Err(error) = self.head(at)? {
                        return self.fail(error, bytes);
                    }
                }
                Ok(Event::Body(range)) => {
                    let part = ArrayBuffer::new_copy(self.ctx.clone(), &bytes[range])?;
                    self.call((BODY, part))?;
                    self.drain();
                }
                Ok(Event::Complete) => {
                    if self.parser.borrow_mut().reports_trailers() && self.is_closed_by_drain() {
                        return Ok(());
                    }
                    let trailers = self.fields()?;
                    self.call((COMPLETE, trailers))?;
                }
                Ok(Event::Upgraded) => {
                    let rest = ArrayBuffer::new_copy(self.ctx.clone(), &bytes[at..])?;
                    return self.call((UPGRADED, rest)).map(drop);
                }
                Err(error) => return self.fail(error, bytes),
            }
            is_first = false;
        }
    }

    /// Drains the queues, as Node does after it has called back for a part of a message.
    fn drain(&self) {
        if self.drains {
            current().drain_within(&self.ctx);
        }
    }

    /// Drains the queues. Returns whether that has closed the parser.
    fn is_closed_by_drain(&self) -> bool {
        self.drain();
        self.parser.borrow().is_closed()
    }

    fn head(&self, at: usize) -> Result<std::result::Result<(), ParseError>> {
        let fields = self.fields()?;
        let (args, is_empty) = {
            let parser = self.parser.borrow();
            let head = &parser.head;
            let is_empty = parser.has_empty_body();
            let bits = [
                (head.has(flag::HOST), u32::from(flag::HOST)),
                (head.has(flag::EXPECT), u32::from(flag::EXPECT)),
                (parser.is_persistent(), KEEP_ALIVE),
                (parser.is_upgrade(), UPGRADE),
                (is_empty, NO_BODY),
            ];
            let flags: u32 = bits.iter().filter(|(is, _)| *is).map(|(_, bit)| bit).sum();
            let code = if parser.is_request() { head.method } else { usize::from(head.status) };
            let version = u32::from(head.major) * 10 + u32::from(head.minor);
            let text = latin1(&self.ctx, &head.text)?;
            ((HEAD, flags, code, text, fields, version), is_empty)
        };
        let kind: i32 = self.call(args)?.as_int().unwrap_or_default();
        let kind = match kind {
            0 => BodyKind::Normal,
            1 => BodyKind::Absent,
            _ => BodyKind::Upgraded,
        };
        let mut parser = self.parser.borrow_mut();
        let begun = parser.begin_body(kind, at);
        if is_empty {
            parser.skip_complete();
        }
        Ok(begun)
    }

    /// The fields of the head or the trailers, separated by NUL; `undefined` if there are none.
    fn fields(&self) -> Result<Value<'js>> {
        let parser = self.parser.borrow();
        match parser.head.fields.split_last() {
            Some((_, fields)) => latin1(&self.ctx, fields),
            None => Ok(Value::new_undefined(self.ctx.clone())),
        }
    }

    fn fail(&self, error: ParseError, bytes: &[u8]) -> Result<()> {
        let packet = ArrayBuffer::new_copy(self.ctx.clone(), bytes)?;
        self.call((INVALID, error.code, error.reason, error.at, packet)).map(drop)
    }

    fn call(&self, args: impl IntoArgs<'js>) -> Result<Value<'js>> {
        let mut list = Args::new(self.ctx.clone(), args.num_args());
        args.into_args(&mut list)?;
        self.callback.call_arg(list)
    }
}

/// A string whose characters are the bytes.
fn latin1<'js>(ctx: &Ctx<'js>, bytes: &[u8]) -> Result<Value<'js>> {
    match std::str::from_utf8(bytes) {
        Ok(text) if bytes.is_ascii() => text.into_js(ctx),
        _ => bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into_js(ctx),
    }
}
