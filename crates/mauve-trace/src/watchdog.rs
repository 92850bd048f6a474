//! The watchdog: reports a callback that runs too long while it still runs.
//!
//! A thread checks the current callback of each loop, which the loops publish in their probes while
//! a watchdog is on. A callback above the limit is reported on stderr, and again whenever the time
//! has doubled: what it is for, its function, how long it runs, and the stack of its thread. A thread
//! in a system call that a signal would interrupt, such as a sleep, is not interrupted: its report names
//! the call and has no stack.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::time::{Duration, Instant};

use mauve_core::probe::{self, LoopProbe};
use mauve_core::trace::{self, CallbackKind, CallbackName};
use mauve_sys::thread::{self, Activity};
use mauve_sys::{clock, fork, module_of};

use crate::generated::{GeneratedCode, script_frame};
use crate::recorder::registered_name;
use crate::stack::{self, Frame};
use crate::symbols::Symbols;

/// The variable with the limit for all loops of a program, in milliseconds.
pub const VARIABLE: &str = "MAUVE_WATCHDOG";

/// The state of the watchdog. A forked child starts its own.
static WATCHDOG: fork::PerProcess<Mutex<Watchdog>> = fork::PerProcess::new();

/// The reports that are captured and not printed.
static PENDING: fork::PerProcess<AtomicUsize> = fork::PerProcess::new();

/// How long the exit of the process waits for reports: reading the symbols of Node takes a tenth of a second.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Default)]
struct Watchdog {
    /// The limit for loops without their own.
    default: Option<Duration>,
    /// The limits of loops.
    limits: ByProbe<Duration>,
    /// What provides the stacks of interpreted code.
    inner: ByProbe<Arc<InnerStack>>,
    running: bool,
}

/// Values by the address of a probe. A process has few loops, and each type of hash map is 2 kB of code.
struct ByProbe<V>(Vec<(usize, V)>);

impl<V> Default for ByProbe<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V: Clone> ByProbe<V> {
    fn get(&self, of: &LoopProbe) -> Option<V> {
        let address = std::ptr::from_ref(of).addr();
        self.0.iter().find(|(known, _)| *known == address).map(|(_, value)| value.clone())
    }

    fn insert(&mut self, of: &LoopProbe, value: V) {
        let address = std::ptr::from_ref(of).addr();
        match self.0.iter_mut().find(|(known, _)| *known == address) {
            Some((_, old)) => *old = value,
            None => self.0.push((address, value)),
        }
    }
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
    fn request(&self, timeout: Duration) -> Vec<String> {
        let mut answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        *answer = None;
        self.requested.store(true, Ordering::Relaxed);
        let waited = self.answered.wait_timeout_while(answer, timeout, |answer| answer.is_none());
        let (mut answer, _) = waited.unwrap_or_else(PoisonError::into_inner);
        self.requested.store(false, Ordering::Relaxed);
        answer.take().unwrap_or_default()
    }
}

/// The functions that the interpreter of a loop's host runs, the innermost first.
pub(crate) fn inner_stack(of: &LoopProbe, timeout: Duration) -> Vec<String> {
    let inner = lock().inner.get(of);
    inner.map(|inner| inner.request(timeout)).unwrap_or_default()
}

/// Makes reports of a loop contain the functions that the interpreter of a host runs.
pub fn provide_inner_stack(of: &'static LoopProbe) -> Arc<InnerStack> {
    let inner = Arc::<InnerStack>::default();
    lock().inner.insert(of, inner.clone());
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
    watchdog.limits.insert(of, limit);
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
        Ok(_) => {
            watchdog.running = true;
            static REGISTERED: Once = Once::new();
            REGISTERED.call_once(|| mauve_sys::os::process::at_exit(wait_for_reports));
        }
        Err(error) => eprintln!("mauve: the watchdog cannot start: {error}"),
    }
}

/// Waits until the captured reports are printed: the thread that prints them ends with the process.
extern "C" fn wait_for_reports() {
    let Some(pending) = PENDING.get() else { return };
    let begin = Instant::now();
    while pending.load(Ordering::Acquire) > 0 && begin.elapsed() < EXIT_TIMEOUT {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The main function of the watchdog's thread.
fn run() {
    // The signals of the program are for its own threads.
    mauve_sys::signal::block_all();
    // Another thread prints, because reading the symbols of Node may take longer than the callback.
    let reports = Arc::<Reports>::default();
    let captured = reports.clone();
    let builder = std::thread::Builder::new().name("mauve-reports".to_owned());
    if let Err(error) = builder.spawn(move || print(&captured)) {
        eprintln!("mauve: the watchdog cannot start: {error}");
        return;
    }
    // When the callback began that was reported last, and when to report it again.
    let mut reported = ByProbe::<(u64, Duration)>::default();
    loop {
        clock::system_sleep(interval());
        // The names of V8's functions are read as they come.
        drop(GeneratedCode::current());
        for of in probe::loops() {
            let Some(limit) = limit_of(of) else { continue };
            let Some((since, kind, token, name)) = of.current_callback() else { continue };
            let elapsed = Duration::from_nanos(trace::now().saturating_sub(since));
            let (last, next) = reported.get(of).unwrap_or((0, limit));
            let next = if last == since { next } else { limit };
            if elapsed >= next {
                let mut after = next;
                while after <= elapsed {
                    after *= 2;
                }
                reported.insert(of, (since, after));
                let report = Report::capture(of, since, kind, token.0, name, elapsed);
                PENDING.get_or_init(AtomicUsize::default).fetch_add(1, Ordering::Relaxed);
                reports.send(report);
            }
        }
    }
}

/// Prints reports, after it has read the symbols of the program.
fn print(reports: &Reports) {
    let mut symbols = Symbols::default();
    if let Ok(program) = std::env::current_exe() {
        symbols.name(&program, 0);
    }
    loop {
        for report in reports.receive() {
            report.print(&mut symbols);
            PENDING.get_or_init(AtomicUsize::default).fetch_sub(1, Ordering::Release);
        }
    }
}

/// Captured reports, for the thread that prints them. Less code than a channel of the standard library, whose
/// three kinds are all linked in.
#[derive(Default)]
struct Reports {
    captured: Mutex<Vec<Report>>,
    arrived: Condvar,
}

impl Reports {
    fn send(&self, report: Report) {
        self.captured.lock().unwrap_or_else(PoisonError::into_inner).push(report);
        self.arrived.notify_one();
    }

    /// Waits for reports, in the order in which they were captured.
    fn receive(&self) -> Vec<Report> {
        let captured = self.captured.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.arrived.wait_while(captured, |captured| captured.is_empty());
        std::mem::take(&mut *waited.unwrap_or_else(PoisonError::into_inner))
    }
}

/// A quarter of the smallest limit.
fn interval() -> Duration {
    let watchdog = lock();
    let limits = watchdog.limits.0.iter().map(|(_, limit)| *limit).chain(watchdog.default);
    let limit = limits.min().unwrap_or(Duration::from_secs(1));
    (limit / 4).clamp(Duration::from_millis(1), Duration::from_millis(100))
}

fn limit_of(of: &LoopProbe) -> Option<Duration> {
    let watchdog = lock();
    watchdog.limits.get(of).or(watchdog.default)
}

/// A callback that runs too long, and what its thread did.
struct Report {
    kind: CallbackKind,
    token: u64,
    name: CallbackName,
    elapsed: Duration,
    uv_loop: u64,
    thread: u64,
    /// The functions that an interpreter runs.
    functions: Vec<String>,
    system_call: Option<String>,
    frames: Vec<Frame>,
}

impl Report {
    fn capture(
        of: &LoopProbe,
        since: u64,
        kind: CallbackKind,
        token: u64,
        name: CallbackName,
        elapsed: Duration,
    ) -> Self {
        let thread = of.callback_thread.load(Ordering::Relaxed);
        let functions = inner_stack(of, INNER_TIMEOUT);
        let activity = u32::try_from(thread).map_or(Activity::Unknown, thread::activity_of);
        // The stack may be of the next callback, or of the wait that followed.
        let is_same = of.current_callback().is_some_and(|(now, ..)| now == since);
        let (system_call, frames) = match activity {
            Activity::SystemCall { name, frames } if is_same => (Some(name), frames),
            Activity::Computes(frames) if is_same => (None, frames),
            _ => (None, Vec::new()),
        };
        let frames = stack::frames(&frames, &GeneratedCode::current());
        let uv_loop = of.uv_loop.load(Ordering::Relaxed);
        Self { kind, token, name, elapsed, uv_loop, thread, functions, system_call, frames }
    }

    fn print(self, symbols: &mut Symbols) {
        let mut text = format!("mauve: a {} callback blocks the loop", self.kind.name());
        if self.uv_loop != 0 {
            let _ = write!(text, " {:#x}", self.uv_loop);
        }
        let name = describe(self.name, symbols);
        let _ = write!(text, " for {} ms: {name}", self.elapsed.as_millis());
        if self.token != 0 {
            let _ = write!(text, ", for {:#x}", self.token);
        }
        let system_call = self.system_call.map(|name| format!(", in {name}")).unwrap_or_default();
        eprintln!("{text}, thread {}{system_call}", self.thread);
        for function in &self.functions {
            eprintln!("    {}", script_frame(function));
        }
        if !self.functions.is_empty() {
            // The native frames are those of the interpreter.
            return;
        }
        for frame in self.frames {
            match frame {
                Frame::Script(name) => eprintln!("    {name}"),
                Frame::Native(code) => eprintln!("    {}", symbols.name(&code.path, code.offset)),
                Frame::Unknown => eprintln!("    generated code"),
            }
        }
    }
}

fn describe(name: CallbackName, symbols: &mut Symbols) -> String {
    match name {
        CallbackName::Unknown => "a function without a name".to_owned(),
        CallbackName::Function(address) => code_name(address, symbols),
        CallbackName::Location(location) => {
            format!("closure ({}:{})", location.file(), location.line())
        }
        CallbackName::Registered(number) => registered_name(number).unwrap_or_default().to_string(),
    }
}

fn code_name(address: u64, symbols: &mut Symbols) -> String {
    match module_of(address) {
        Some(code) => symbols.name(&code.path, code.offset).to_string(),
        None => format!("{address:#x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_waits_until_captured_reports_are_printed() {
        let pending = PENDING.get_or_init(AtomicUsize::default);
        pending.fetch_add(1, Ordering::Relaxed);
        let printed = Arc::<AtomicBool>::default();
        let of_thread = printed.clone();
        let printing = std::thread::spawn(move || {
            std::thread::yield_now();
            of_thread.store(true, Ordering::Relaxed);
            pending.fetch_sub(1, Ordering::Release);
        });
        wait_for_reports();
        assert!(printed.load(Ordering::Relaxed));
        printing.join().expect("it ends");
    }
}
