//! `spawnSync`: runs a child process on a separate loop, so that nothing else of the script runs.

use std::time::Duration;

use mauve::process::ProcessExit;
use mauve::{Errno, Loop, Pipe, Process, RunMode, Timer};
use rquickjs::{Array, Ctx, Object, Result, TypedArray, Value};

use super::{SpawnOptions, StdioKind, stdio_for};
use crate::binding::{number, throw};
use crate::host::views::Bytes;

/// The state of the loop: output and exit status of the process.
#[derive(Default)]
struct State {
    outputs: Vec<Vec<u8>>,
    exit: Option<ProcessExit>,
    /// Why the process was killed: `ETIMEDOUT` or `ENOBUFS`.
    error: Option<Errno>,
    timer: Option<Timer<State>>,
    pipes: Vec<Pipe<State>>,
}

/// Limits of the process. A timeout of zero and infinite bytes mean no limit.
#[derive(Clone, Copy)]
struct Limits {
    timeout: f64,
    bytes: f64,
    signal: i32,
}

pub(super) fn spawn_sync<'js>(
    ctx: Ctx<'js>,
    options: SpawnOptions,
    inputs: Vec<Option<Bytes>>,
    timeout: f64,
    max_buffer: f64,
    signal: i32,
) -> Result<Object<'js>> {
    let limits = Limits { timeout, bytes: max_buffer, signal };
    let kinds = options.stdio.clone();
    match run(&options, inputs, limits) {
        Ok((pid, state)) => reply(&ctx, &kinds, pid, state),
        Err(error) => throw(&ctx, error),
    }
}

fn run(
    options: &SpawnOptions,
    inputs: Vec<Option<Bytes>>,
    limits: Limits,
) -> mauve::Result<(u32, State)> {
    let lp: Loop<State> = Loop::new()?;
    let process = Process::new(&lp);
    let pipes: Vec<Option<Pipe<State>>> = options
        .stdio
        .iter()
        .map(|kind| matches!(kind, StdioKind::Pipe).then(|| Pipe::new(&lp)))
        .collect();
    let stdio: Vec<_> = options.stdio.iter().zip(&pipes).map(stdio_for).collect();
    process.spawn(&options.program, &stdio, |state: &mut State, process, exit| {
        state.exit = Some(exit);
        process.close();
        if let Some(timer) = state.timer.take() {
            timer.close();
        }
    })?;
    let pid = process.id().unwrap_or_default();
    let mut state = State { outputs: vec![Vec::new(); pipes.len()], ..State::default() };
    if limits.timeout > 0.0 {
        let timer = Timer::new(&lp);
        let process = process.clone();
        let timeout = Duration::from_millis(limits.timeout as u64);
        timer.once(timeout, move |state: &mut State, _| {
            kill(state, &process, limits, Errno::ETIMEDOUT)
        })?;
        state.timer = Some(timer);
    }
    let mut inputs = inputs.into_iter();
    for (index, pipe) in pipes.iter().enumerate() {
        let input = inputs.next().flatten();
        let Some(pipe) = pipe else { continue };
        write_input(pipe, input);
        collect_output(pipe, index, process.clone(), limits)?;
        state.pipes.push(pipe.clone());
    }
    lp.run_with(&mut state, RunMode::Default)?;
    Ok((pid, state))
}

/// Writes the input of the process and shuts the pipe down.
fn write_input(pipe: &Pipe<State>, input: Option<Bytes>) {
    if let Some(Bytes(bytes)) = input
        && !bytes.is_empty()
    {
        // An error is ignored: the process need not read its input.
        let _ = pipe.write(bytes);
    }
    let _ = pipe.shutdown();
}

fn collect_output(
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
                kill(state, &process, limits, Errno::ENOBUFS);
            }
        }
        Ok(None) | Err(_) => pipe.close(),
    })
}

/// Kills the process and closes its pipes: a grandchild could keep them open.
///
/// The signal is first: a process that writes must not end with SIGPIPE instead.
fn kill(state: &mut State, process: &Process<State>, limits: Limits, reason: Errno) {
    state.error.get_or_insert(reason);
    // Fails if the process has already exited; then its exit is reported anyway.
    let _ = process.signal(limits.signal);
    for pipe in state.pipes.drain(..) {
        pipe.close();
    }
}

fn reply<'js>(ctx: &Ctx<'js>, kinds: &[StdioKind], pid: u32, state: State) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    object.set("pid", pid)?;
    let exit = state.exit.unwrap_or_default();
    object.set("status", exit.status as f64)?;
    object.set("signal", exit.signal)?;
    object.set("error", state.error.map_or(0, number))?;
    let outputs = Array::new(ctx.clone())?;
    for (index, (bytes, kind)) in state.outputs.into_iter().zip(kinds).enumerate() {
        match kind {
            StdioKind::Pipe => outputs.set(index, TypedArray::new(ctx.clone(), bytes)?)?,
            _ => outputs.set(index, Value::new_null(ctx.clone()))?,
        }
    }
    object.set("output", outputs)?;
    Ok(object)
}
