//! The watchdog: reports a callback that runs too long while it still runs.
//!
//! A thread checks the current callback of each loop, which the loops publish in their probes while
//! a watchdog is on. A callback above the limit is reported on stderr, and again whenever the time
//! has doubled: what it is for, its function, how long it runs, and the stack of its thread. A thread
//! in a system call that a signal would interrupt, such as a sleep, is not interrupted: its report names
//! the call and has no stack.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mauve_core::probe::{self, LoopProbe};
use mauve_core::trace::{self, CallbackKind, CallbackName};
use mauve_sys::thread::{self, Activity};
use mauve_sys::{clock, fork, module_of};

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
    /// What provides the stacks of interpreted code, by the address of the probe.
    inner: HashMap<usize, Arc<InnerStack>>,
    running: bool,
}

/// How long to wait for the stack of interpreted code. A native function may run.
const INNER_TIMEOUT: Duration = Duration::from_millis(500);

/// A host that interprets code, such as JavaScript, provides the stack of that code here.
#[derive(Debug, Default)]
pub struct InnerStack {
    requested: AtomicBool,
    answer: Mutex<Option<Vec<String>>>,
    answered: Condvar,
}

impl InnerStack {
    /// Whether the watchdog waits for the stack. The interpreter calls this regularly.
    #[inline]
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::Relaxed)
    }

    /// Provides the functions that run, the innermost first.
    pub fn answer(&self, functions: Vec<String>) {
        self.requested.store(false, Ordering::Relaxed);
        *self.answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(functions);
        self.answered.notify_one();
    }

    /// The functions that run. None if there is no answer in time.
    fn request(&self) -> Vec<String> {
        let mut answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        *answer = None;
        self.requested.store(true, Ordering::Relaxed);
        let waited =
            self.answered.wait_timeout_while(answer, INNER_TIMEOUT, |answer| answer.is_none());
        let (mut answer, _) = waited.unwrap_or_else(PoisonError::into_inner);
        self.requested.store(false, Ordering::Relaxed);
        answer.take().unwrap_or_default()
    }
}

/// Whether the watchdog is on for a loop.
pub fn is_watched(of: &'static LoopProbe) -> bool {
    limit_of(std::ptr::from_ref(of).addr()).is_some()
}

/// Makes reports of a loop contain the functions that the interpreter of a host runs.
pub fn provide_inner_stack(of: &'static LoopProbe) -> Arc<InnerStack> {
    let inner = Arc::<InnerStack>::default();
    lock().inner.insert(std::ptr::from_ref(of).addr(), inner.clone());
    inner
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
                report(of, kind, token.0, name, elapsed, &mut symbols);
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

/// Prints the report. The stack is captured first, because finding names takes time.
fn report(
    of: &LoopProbe,
    kind: CallbackKind,
    token: u64,
    name: CallbackName,
    elapsed: Duration,
    symbols: &mut Symbols,
) {
    let tid = of.callback_thread.load(Ordering::Relaxed);
    let inner = lock().inner.get(&std::ptr::from_ref(of).addr()).cloned();
    let functions = inner.map(|inner| inner.request()).unwrap_or_default();
    let activity = u32::try_from(tid).map_or(Activity::Unknown, thread::activity_of);
    let mut text = format!("mauve: a {} callback blocks the loop", kind.name());
    let uv_loop = of.uv_loop.load(Ordering::Relaxed);
    if uv_loop != 0 {
        let _ = write!(text, " {uv_loop:#x}");
    }
    let _ = write!(text, " for {} ms: {}", elapsed.as_millis(), describe(name, symbols));
    if token != 0 {
        let _ = write!(text, ", for {token:#x}");
    }
    let (system_call, frames) = match activity {
        Activity::SystemCall { name, frames } => (format!(", in {name}"), frames),
        Activity::Computes(frames) => (String::new(), frames),
        Activity::Unknown => (String::new(), Vec::new()),
    };
    eprintln!("{text}, thread {tid}{system_call}");
    for function in functions {
        eprintln!("    {function}");
    }
    for frame in frames.into_iter().filter(|frame| *frame != 0) {
        eprintln!("    {}", code_name(frame.saturating_sub(1), symbols));
    }
}

fn describe(name: CallbackName, symbols: &mut Symbols) -> String {
    match name {
        CallbackName::Unknown => "a function without a name".to_owned(),
        CallbackName::Function(address) => code_name(address, symbols),
        CallbackName::Place(location) => {
            format!("closure ({}:{})", location.file(), location.line())
        }
        CallbackName::Registered(number) => {
            let text = registered_name(number).unwrap_or_default();
            let mut lines = text.lines();
            let function = lines.next().unwrap_or_default();
            match (lines.next().filter(|file| !file.is_empty()), lines.next()) {
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
