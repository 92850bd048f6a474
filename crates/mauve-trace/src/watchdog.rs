//! The watchdog: reports a callback that runs too long while it still runs.
//!
//! A thread checks the current callback of each loop, which the loops publish in their probes while
//! a watchdog is on. A callback above the limit is reported on stderr, and again whenever the time
//! has doubled: what it is for, its function, how long it runs, and the stack of its thread.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mauve_core::probe::{self, LoopProbe};
use mauve_core::trace::{self, CallbackKind, CallbackName};
use mauve_sys::{clock, fork, module_of, thread};

use crate::recorder::registered_name;
use crate::symbols::Symbols;

/// The variable with the limit for all loops of a program, in milliseconds.
pub const VARIABLE: &str = "MAUVE_WATCHDOG";

/// The state of the watchdog. A forked child starts its own.
static WATCHDOG: fork::PerProcess<Mutex<Watchdog>> = fork::PerProcess::new();

#[derive(Default)]
struct Watchdog {
    /// The limit for loops without their own.
    default: Option<Duration>,
    /// The limits of loops, by the address of their probes.
    limits: HashMap<usize, Duration>,
    running: bool,
}

/// Reports callbacks of all loops of this process that run longer than `limit`.
pub fn watch_all(limit: Duration) {
    let mut watchdog = lock();
    watchdog.default = Some(limit);
    start(watchdog);
}

/// Reports callbacks of one loop that run longer than `limit`.
pub fn watch(of: &'static LoopProbe, limit: Duration) {
    let mut watchdog = lock();
    watchdog.limits.insert(std::ptr::from_ref(of).addr(), limit);
    start(watchdog);
}

/// Starts the watchdog if [`VARIABLE`] is set.
pub(crate) fn start_by_environment() {
    let Some(value) = mauve_sys::os::process::secure_variable(VARIABLE) else { return };
    match value.to_str().and_then(|text| text.parse().ok()).filter(|ms: &u64| *ms > 0) {
        Some(limit) => watch_all(Duration::from_millis(limit)),
        None => eprintln!("mauve: {VARIABLE} must be a number of milliseconds"),
    }
}

fn lock() -> MutexGuard<'static, Watchdog> {
    WATCHDOG.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

fn start(mut watchdog: MutexGuard<'_, Watchdog>) {
    trace::watch();
    if watchdog.running {
        return;
    }
    let builder = std::thread::Builder::new().name("mauve-watchdog".to_owned());
    match builder.spawn(run) {
        Ok(_) => watchdog.running = true,
        Err(error) => eprintln!("mauve: the watchdog cannot start: {error}"),
    }
}

/// The main function of the watchdog's thread.
fn run() {
    // The signals of the program are for its own threads.
    mauve_sys::signal::block_all();
    let mut symbols = Symbols::default();
    // By probe: when the callback began that was reported last, and when to report it again.
    let mut reported: HashMap<usize, (u64, Duration)> = HashMap::new();
    loop {
        std::thread::sleep(interval());
        for of in probe::loops() {
            let key = std::ptr::from_ref(of).addr();
            let Some(limit) = limit_of(key) else { continue };
            let Some((since, kind, token, name)) = of.current_callback() else { continue };
            let elapsed = Duration::from_nanos(clock::hrtime().saturating_sub(since));
            let (last, next) = reported.get(&key).copied().unwrap_or((0, limit));
            let next = if last == since { next } else { limit };
            if elapsed >= next {
                let mut after = next;
                while after <= elapsed {
                    after *= 2;
                }
                reported.insert(key, (since, after));
                // The stack follows: finding the names in a large library takes a while.
                let tid = of.callback_thread.load(Ordering::Relaxed);
                eprint!("{}", report(of, kind, token.0, name, elapsed, &mut symbols));
                eprint!("{}", stack(tid, &mut symbols));
            }
        }
    }
}

/// A quarter of the smallest limit.
fn interval() -> Duration {
    let watchdog = lock();
    let limits = watchdog.limits.values().copied().chain(watchdog.default);
    let limit = limits.min().unwrap_or(Duration::from_secs(1));
    (limit / 4).clamp(Duration::from_millis(1), Duration::from_millis(100))
}

fn limit_of(key: usize) -> Option<Duration> {
    let watchdog = lock();
    watchdog.limits.get(&key).copied().or(watchdog.default)
}

fn report(
    of: &LoopProbe,
    kind: CallbackKind,
    token: u64,
    name: CallbackName,
    elapsed: Duration,
    symbols: &mut Symbols,
) -> String {
    let tid = of.callback_thread.load(Ordering::Relaxed);
    let mut text = format!("mauve: a {} callback blocks the loop", kind.name());
    let uv_loop = of.uv_loop.load(Ordering::Relaxed);
    if uv_loop != 0 {
        let _ = write!(text, " {uv_loop:#x}");
    }
    let _ = write!(text, " for {} ms: {}", elapsed.as_millis(), describe(name, symbols));
    if token != 0 {
        let _ = write!(text, ", for {token:#x}");
    }
    let _ = writeln!(text, ", thread {tid}");
    text
}

/// The stack of a thread, one frame per line.
fn stack(tid: u64, symbols: &mut Symbols) -> String {
    let mut text = String::new();
    let frames = u32::try_from(tid).ok().and_then(thread::backtrace_of).unwrap_or_default();
    let mut frames: Vec<String> =
        frames.iter().map(|frame| code_name(frame.saturating_sub(1), symbols)).collect();
    // The handler of the signal and the function that called it.
    let handler = frames.iter().position(|frame| frame.contains("on_signal"));
    frames.drain(..handler.map_or(0, |handler| (handler + 2).min(frames.len())));
    for frame in frames {
        let _ = writeln!(text, "    {frame}");
    }
    text
}

fn describe(name: CallbackName, symbols: &mut Symbols) -> String {
    match name {
        CallbackName::Unknown => "a function without a name".to_owned(),
        CallbackName::Function(address) => code_name(address, symbols),
        CallbackName::Place(place) => format!("closure ({}:{})", place.file(), place.line()),
        CallbackName::Registered(number) => {
            let text = registered_name(number).unwrap_or_default();
            let mut lines = text.lines();
            let function = lines.next().unwrap_or_default();
            match (lines.next(), lines.next()) {
                (Some(file), Some("0") | None) => format!("{function} ({file})"),
                (Some(file), Some(line)) => format!("{function} ({file}:{line})"),
                _ => function.to_owned(),
            }
        }
    }
}

fn code_name(address: u64, symbols: &mut Symbols) -> String {
    match module_of(address) {
        Some(code) => symbols.name(&code.path, code.offset).to_string(),
        None => format!("{address:#x}"),
    }
}
