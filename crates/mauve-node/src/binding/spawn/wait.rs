//! A process that the script waits for, on a loop of its own: nothing else of the script runs
//! meanwhile.

use std::time::Duration;

use mauve::process::ExitStatus;
use mauve::{Errno, Loop, Pipe, Process, RunMode, Timer};
use rquickjs::{Array, Ctx, Object, Result, TypedArray, Value};

use super::{Kind, Wish, place};
use crate::binding::{number, throw};
use crate::host::views::Bytes;

/// What is known of the process so far.
#[derive(Default)]
struct State {
    outputs: Vec<Vec<u8>>,
    exit: Option<ExitStatus>,
    /// Why it was killed: `ETIMEDOUT` or `ENOBUFS`.
    error: Option<Errno>,
    timer: Option<Timer<State>>,
}

/// How long and how much; zero and infinity for no limit.
#[derive(Clone, Copy)]
struct Limits {
    timeout: f64,
    bytes: f64,
    signal: i32,
}

pub(super) fn spawn_sync<'js>(
    ctx: Ctx<'js>,
    wish: Wish,
    inputs: Vec<Option<Bytes>>,
    timeout: f64,
    max_buffer: f64,
    signal: i32,
) -> Result<Object<'js>> {
    let limits = Limits { timeout, bytes: max_buffer, signal };
    let kinds = wish.places.clone();
    match run(&wish, inputs, limits) {
        Ok((pid, state)) => reply(&ctx, &kinds, pid, state),
        Err(error) => throw(&ctx, error),
    }
}

fn run(wish: &Wish, inputs: Vec<Option<Bytes>>, limits: Limits) -> mauve::Result<(i32, State)> {
    let lp: Loop<State> = Loop::new()?;
    let process = Process::new(&lp);
    let pipes: Vec<Option<Pipe<State>>> =
        wish.places.iter().map(|kind| matches!(kind, Kind::Pipe).then(|| Pipe::new(&lp))).collect();
    let places: Vec<_> = wish.places.iter().zip(&pipes).map(place).collect();
    process.spawn(&wish.program, &places, |state: &mut State, process, exit| {
        state.exit = Some(exit);
        process.close();
        if let Some(timer) = state.timer.take() {
            timer.close();
        }
    })?;
    let pid = process.pid();
    let mut state = State { outputs: vec![Vec::new(); pipes.len()], ..State::default() };
    if limits.timeout > 0.0 {
        let timer = Timer::new(&lp);
        let process = process.clone();
        let late = Duration::from_millis(limits.timeout as u64);
        timer.once(late, move |state: &mut State, _| {
            end(state, &process, limits, Errno::ETIMEDOUT)
        })?;
        state.timer = Some(timer);
    }
    let mut inputs = inputs.into_iter();
    for (index, pipe) in pipes.iter().enumerate() {
        let input = inputs.next().flatten();
        let Some(pipe) = pipe else { continue };
        feed(pipe, input);
        collect(pipe, index, process.clone(), limits)?;
    }
    lp.run_with(&mut state, RunMode::Default)?;
    Ok((pid, state))
}

/// Writes what the process is to read, and then the end of it.
fn feed(pipe: &Pipe<State>, input: Option<Bytes>) {
    let ended = |_: &mut State, _| {};
    if let Some(Bytes(bytes)) = input
        && !bytes.is_empty()
    {
        // A process that does not read its input is free not to.
        let _ = pipe.write(bytes, |_: &mut State, _| {});
    }
    let _ = pipe.shutdown(ended);
}

fn collect(
    pipe: &Pipe<State>,
    index: usize,
    process: Process<State>,
    limits: Limits,
) -> mauve::Result<()> {
    pipe.read_start(move |state: &mut State, pipe, read| match read {
        Ok(Some(bytes)) => {
            let output = &mut state.outputs[index];
            output.extend_from_slice(bytes);
            if output.len() as f64 > limits.bytes {
                end(state, &process, limits, Errno::ENOBUFS);
                pipe.close();
            }
        }
        Ok(None) | Err(_) => pipe.close(),
    })
}

fn end(state: &mut State, process: &Process<State>, limits: Limits, why: Errno) {
    state.error.get_or_insert(why);
    // Gone already: then its end is on its way.
    let _ = process.kill(limits.signal);
}

fn reply<'js>(ctx: &Ctx<'js>, kinds: &[Kind], pid: i32, state: State) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    object.set("pid", pid)?;
    let exit = state.exit.unwrap_or_default();
    object.set("status", exit.status as f64)?;
    object.set("signal", exit.signal)?;
    object.set("error", state.error.map_or(0, number))?;
    let outputs = Array::new(ctx.clone())?;
    for (index, (bytes, kind)) in state.outputs.into_iter().zip(kinds).enumerate() {
        match kind {
            Kind::Pipe => outputs.set(index, TypedArray::new(ctx.clone(), bytes)?)?,
            _ => outputs.set(index, Value::new_null(ctx.clone()))?,
        }
    }
    object.set("output", outputs)?;
    Ok(object)
}
