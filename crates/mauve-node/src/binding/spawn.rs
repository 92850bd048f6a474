//! Other processes: those that run beside the script, and those it waits for.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CString;

use mauve::process::{ExitStatus, ProcessOptions};
use mauve::{Errno, Pipe, Process, Stdio};
use rquickjs::{Array, Ctx, FromJs, Function, IntoJs as _, Object, Persistent, Result, Value};

use super::stream::{self, Stream};
use super::{functions, throw};
use crate::host::current;

mod wait;

thread_local! {
    static PROCESSES: RefCell<HashMap<u32, Process>> = RefCell::default();
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "spawn" => spawn,
        "spawnSync" => wait::spawn_sync,
        "kill" => kill,
        "refer" => refer,
    });
    Ok(())
}

/// What is to be started, as the script describes it.
pub(super) struct Wish {
    pub program: ProcessOptions,
    pub places: Vec<Kind>,
}

/// A descriptor of the child.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Null,
    Pipe,
    Inherit(i32),
}

impl<'js> FromJs<'js> for Wish {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        let object = Object::from_js(ctx, value)?;
        let text = |text: String| CString::new(text).or_else(|_| throw(ctx, Errno::EINVAL));
        let texts = |list: Vec<String>| list.into_iter().map(text).collect::<Result<Vec<_>>>();
        let program = ProcessOptions {
            file: text(object.get("file")?)?,
            args: texts(object.get("args")?)?,
            env: object.get::<_, Option<Vec<String>>>("env")?.map(texts).transpose()?,
            cwd: object.get::<_, Option<String>>("cwd")?.map(text).transpose()?,
            uid: object.get("uid")?,
            gid: object.get("gid")?,
            detached: object.get("detached")?,
        };
        // -1 for nothing, -2 for a pipe, else a descriptor.
        let places = object.get::<_, Vec<i32>>("stdio")?;
        let kind = |number| match number {
            -1 => Kind::Null,
            -2 => Kind::Pipe,
            fd => Kind::Inherit(fd),
        };
        Ok(Self { program, places: places.into_iter().map(kind).collect() })
    }
}

/// Gives `[key, pid, pipes…]`; the callback gets the exit code and the signal's number.
fn spawn<'js>(
    ctx: Ctx<'js>,
    wish: Wish,
    callback: Persistent<Function<'static>>,
) -> Result<Array<'js>> {
    let lp = &current().lp;
    let process = Process::new(lp);
    let key = PROCESSES.with_borrow(|all| all.keys().max().map_or(1, |last| last + 1));
    let pipes: Vec<Option<Pipe>> =
        wish.places.iter().map(|kind| matches!(kind, Kind::Pipe).then(|| Pipe::new(lp))).collect();
    let places: Vec<Stdio<'_>> = wish.places.iter().zip(&pipes).map(place).collect();
    let ended = move |(): &mut (), process: &Process, exit: ExitStatus| {
        process.close();
        PROCESSES.with_borrow_mut(|all| all.remove(&key));
        current().call_back(&callback, |_, args| {
            args.push_arg(exit.status as f64)?;
            args.push_arg(exit.signal)
        });
    };
    if let Err(error) = process.spawn(&wish.program, &places, ended) {
        process.close();
        pipes.iter().flatten().for_each(Pipe::close);
        return throw(&ctx, error);
    }
    let reply = Array::new(ctx.clone())?;
    reply.set(0, key)?;
    reply.set(1, process.pid())?;
    for (place, pipe) in pipes.into_iter().enumerate() {
        let value = match pipe {
            Some(pipe) => stream::add(Stream::Pipe(pipe)).into_js(&ctx)?,
            None => Value::new_null(ctx.clone()),
        };
        reply.set(2 + place, value)?;
    }
    PROCESSES.with_borrow_mut(|all| all.insert(key, process));
    Ok(reply)
}

fn place<'a, S>((kind, pipe): (&Kind, &'a Option<Pipe<S>>)) -> Stdio<'a, S> {
    match (kind, pipe) {
        (Kind::Inherit(fd), _) => Stdio::Inherit(*fd),
        (_, Some(pipe)) => Stdio::Pipe(pipe),
        _ => Stdio::Null,
    }
}

fn kill(ctx: Ctx<'_>, key: u32, signal: i32) -> Result<()> {
    let sent = PROCESSES.with_borrow(|all| all.get(&key).map(|process| process.kill(signal)));
    sent.unwrap_or(Err(Errno::ESRCH)).or_else(|error| throw(&ctx, error))
}

fn refer(key: u32, on: bool) {
    PROCESSES.with_borrow(|all| {
        let Some(process) = all.get(&key) else { return };
        if on { process.ref_() } else { process.unref() }
    });
}
