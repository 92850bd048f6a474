//! Child processes: asynchronous (`spawn`) and synchronous (`spawnSync`).

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::CString;

use mauve::process::{ProcessExit, ProcessOptions};
use mauve::{Errno, Pipe, Process, ProcessStdio};
use rquickjs::{Array, Ctx, FromJs, Function, IntoJs as _, Object, Persistent, Result, Value};

use super::emitters::{self, Emitter, Label, Source};
use super::stream;
use super::{define, number, throw};
use crate::host::current;
use crate::host::text::Text;

mod sync;

thread_local! {
    static PROCESSES: RefCell<HashMap<u32, Process>> = RefCell::default();
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "spawn", spawn)?;
    define(object, "spawnSync", sync::spawn_sync)?;
    define(object, "kill", kill)?;
    define(object, "setRef", set_ref)?;
    Ok(())
}

/// The options of a child process.
pub(super) struct SpawnOptions {
    pub program: ProcessOptions,
    pub stdio: Vec<StdioKind>,
}

/// What a descriptor of the child is connected to.
#[derive(Clone, Copy)]
pub(super) enum StdioKind {
    Null,
    Pipe,
    Inherit(i32),
}

impl<'js> FromJs<'js> for SpawnOptions {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        let object = Object::from_js(ctx, value)?;
        let text = |Text(text): Text| CString::new(text).or_else(|_| throw(ctx, Errno::EINVAL));
        let texts = |list: Vec<Text>| list.into_iter().map(text).collect::<Result<Vec<_>>>();
        let program = ProcessOptions {
            file: text(object.get("file")?)?,
            args: texts(object.get("args")?)?,
            env: object.get::<_, Option<Vec<Text>>>("env")?.map(texts).transpose()?,
            cwd: object.get::<_, Option<Text>>("cwd")?.map(text).transpose()?,
            uid: object.get("uid")?,
            gid: object.get("gid")?,
            detached: object.get("detached")?,
            ..ProcessOptions::default()
        };
        // -1 is `/dev/null`, -2 is a pipe, other values are descriptors to inherit.
        let stdio = object.get::<_, Vec<i32>>("stdio")?;
        let kind = |number| match number {
            -1 => StdioKind::Null,
            -2 => StdioKind::Pipe,
            fd => StdioKind::Inherit(fd),
        };
        Ok(Self { program, stdio: stdio.into_iter().map(kind).collect() })
    }
}

/// Returns `[key, pid, pipes…]`. Calls back with the exit code and the number of the signal. If the
/// program cannot be executed, the key is 0, and the error is returned instead of the pid: the pipes may
/// be open without a peer.
fn spawn<'js>(
    ctx: Ctx<'js>,
    options: SpawnOptions,
    callback: Persistent<Function<'static>>,
    child: Option<Emitter>,
) -> Result<Array<'js>> {
    let lp = &current().lp;
    let process = Process::new(lp);
    let key = PROCESSES.with_borrow(|all| all.keys().max().map_or(1, |last| last + 1));
    let pipes: Vec<Option<Pipe>> = options
        .stdio
        .iter()
        .map(|kind| matches!(kind, StdioKind::Pipe).then(|| Pipe::new(lp)))
        .collect();
    let stdio: Vec<ProcessStdio<'_>> = options.stdio.iter().zip(&pipes).map(stdio_for).collect();
    let on_exit = move |(): &mut (), process: &Process, exit: ProcessExit| {
        process.close();
        PROCESSES.with_borrow_mut(|all| all.remove(&key));
        emitters::remove(Source::Process(key));
        current().call_back(&callback, |_, args| {
            args.push_arg(exit.status as f64)?;
            args.push_arg(exit.signal)
        });
    };
    let spawned = process.spawn(&options.program, &stdio, on_exit);
    let reply = Array::new(ctx.clone())?;
    match spawned {
        Ok(()) => {
            reply.set(0, key)?;
            reply.set(1, process.id())?;
            let pid = process.id().unwrap_or_default();
            emitters::add(Source::Process(key), Label::Process(pid), child);
            PROCESSES.with_borrow_mut(|all| all.insert(key, process));
        }
        Err(error) => {
            process.close();
            reply.set(0, 0)?;
            reply.set(1, number(error))?;
        }
    }
    for (index, pipe) in pipes.into_iter().enumerate() {
        let value = match pipe {
            Some(pipe) => stream::add(pipe.into()).into_js(&ctx)?,
            None => Value::new_null(ctx.clone()),
        };
        reply.set(2 + index, value)?;
    }
    Ok(reply)
}

fn stdio_for<'a, S>((kind, pipe): (&StdioKind, &'a Option<Pipe<S>>)) -> ProcessStdio<'a, S> {
    match (kind, pipe) {
        (StdioKind::Inherit(fd), _) => ProcessStdio::Inherit(*fd),
        (_, Some(pipe)) => ProcessStdio::Pipe(pipe),
        _ => ProcessStdio::Null,
    }
}

fn kill(ctx: Ctx<'_>, key: u32, signal: i32) -> Result<()> {
    let sent = PROCESSES.with_borrow(|all| all.get(&key).map(|process| process.signal(signal)));
    sent.unwrap_or(Err(Errno::ESRCH)).or_else(|error| throw(&ctx, error))
}

fn set_ref(key: u32, on: bool) {
    PROCESSES.with_borrow(|all| {
        let Some(process) = all.get(&key) else { return };
        if on { process.ref_() } else { process.unref() }
    });
}
