//! The recorder: writes events to the ring of the calling thread.
//!
//! A thread creates its ring with its first event, except for a wake-up: that may come from a signal
//! handler, so it goes to the ring of the [wake-ups](crate::wakeups) of the process. A forked child
//! records into files of its own. If a file cannot be created, for example because the disk is full, the
//! trace goes on without that thread, and the reader says so.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use mauve_core::HandleId;
use mauve_core::trace::{self, CallbackName, Event};
use mauve_sys::{Errno, Published, SharedMemory, fork, module_of, thread};

use crate::layout::{process as at, ring};
use crate::record::{Record, RecordKind};
use crate::ring::Writer;
use crate::{Name, sampler, simulation, wakeups, watchdog};

/// The variable with the directory that a program records into.
pub const VARIABLE: &str = "MAUVE_TRACE";

/// Makes the loops of this process traceable, and starts a trace if [`VARIABLE`] is set, or a
/// [simulation]. Hosts call this before they create a loop; calls after the first have no effect.
pub fn install() {
    static INSTALLED: fork::Once = fork::Once::new();
    INSTALLED.call_once(|| {
        trace::set_recorder(&Rings);
        if let Some(directory) = mauve_sys::os::process::secure_variable(VARIABLE) {
            request(&directory);
        }
        watchdog::start_by_environment();
        simulation::start_by_environment();
    });
}

fn request(directory: &std::ffi::OsStr) {
    let requested = directory.to_str().is_some_and(trace::request);
    if !requested {
        eprintln!("mauve: {VARIABLE}: the path is too long, or not UTF-8");
    }
}

/// Registered names by their numbers. A forked child registers its own.
static NAMES: fork::PerProcess<Mutex<HashMap<u64, String>>> = fork::PerProcess::new();

/// Registers a name that is not a function of C: the function, its file and its line. The same name
/// always has the same number.
pub fn register_name(function: &str, file: &str, line: u32) -> CallbackName {
    let file = Some(file.to_owned()).filter(|file| !file.is_empty());
    let name = Name { function: function.to_owned(), file, line: Some(line) };
    let text = name.to_lines();
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    // Addresses of functions and locations are never this large.
    let number = hasher.finish() | 1 << 63;
    let mut names = lock_names();
    if let Entry::Vacant(entry) = names.entry(number) {
        if let Current::Open(session) = &*lock_current() {
            session.define(number, at::TEXT, &text);
        }
        entry.insert(text);
    }
    CallbackName::Registered(number)
}

/// A registered name.
pub fn registered_name(number: u64) -> Option<Name> {
    lock_names().get(&number).map(|text| Name::from_lines(text))
}

fn lock_names() -> MutexGuard<'static, HashMap<u64, String>> {
    NAMES.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

/// The session of this process. A forked child has its own.
static CURRENT: fork::PerProcess<Mutex<Current>> = fork::PerProcess::new();

#[derive(Default)]
enum Current {
    /// No session was opened in this process. The state of a forked child.
    #[default]
    Unopened,
    Open(Arc<Session>),
    /// The reader has ended it, or it could not be opened.
    Ended,
}

fn lock_current() -> MutexGuard<'static, Current> {
    let current = CURRENT.get_or_init(Mutex::default);
    current.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One trace of one process.
pub(crate) struct Session {
    directory: PathBuf,
    /// Distinguishes the files of this session from others of the same process id.
    stamp: u64,
    generation: u64,
    memory: SharedMemory,
}

impl Session {
    /// Opens a session, and starts its sampler.
    fn open(directory: &Path) -> Option<Arc<Self>> {
        let stamp = trace::now();
        let path = directory.join(format!("{}-{stamp:x}.process", std::process::id()));
        let memory = SharedMemory::create(&path, at::WORDS);
        let memory = memory.inspect_err(|error| report_failure(directory, *error)).ok()?;
        let words = memory.words();
        let wall = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        words[at::PID].store(std::process::id().into(), Ordering::Relaxed);
        words[at::MONOTONIC].store(stamp, Ordering::Relaxed);
        words[at::REALTIME].store(wall.as_nanos() as u64, Ordering::Relaxed);
        let mut command = std::fs::read("/proc/self/cmdline").unwrap_or_default();
        command.pop();
        command.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b' ');
        command.truncate(at::COMMAND_WORDS * 8 - 1);
        store_bytes(words, at::COMMAND, &command);
        words[at::MAGIC_AT].store(at::MAGIC, Ordering::Release);
        let directory = directory.to_owned();
        let session = Self { directory, stamp, generation: fork::generation(), memory };
        for (number, text) in lock_names().iter() {
            session.define(*number, at::TEXT, text);
        }
        session.open_wakeups();
        let session = Arc::new(session);
        sampler::start(session.clone());
        Some(session)
    }

    /// Whether the session goes on, and is of this process.
    #[inline]
    pub fn is_live(&self) -> bool {
        self.generation == fork::generation() && self.word(at::STOP).load(Ordering::Relaxed) == 0
    }

    /// Notes that a stack had generated code whose name is not known.
    pub fn note_unnamed_code(&self) {
        self.word(at::UNNAMED_CODE).store(1, Ordering::Relaxed);
    }

    /// Replaces the ring of wake-ups by one of this session.
    fn open_wakeups(&self) {
        let name = format!("{}-{:x}.wakeups", std::process::id(), self.stamp);
        let ring = wakeups::Writer::create(&self.directory.join(name));
        WAKEUPS.replace(ring.inspect_err(|error| self.count_error(*error)).ok().map(Box::new));
    }

    /// Counts a ring that could not be created.
    fn count_error(&self, error: Errno) {
        self.word(at::THREADS_LOST).fetch_add(1, Ordering::Relaxed);
        let code = u64::from(error.raw().unsigned_abs());
        self.word(at::ERROR).store(code, Ordering::Relaxed);
    }

    fn word(&self, at: usize) -> &AtomicU64 {
        &self.memory.words()[at]
    }

    /// Writes a name for the reader. Counts it if there is no space left.
    pub fn define(&self, number: u64, kind: u32, text: &str) {
        let length = 2 + text.len().div_ceil(8);
        let used = self.word(at::NAMES_USED).fetch_add(length as u64, Ordering::Relaxed) as usize;
        if used + length > at::NAMES_WORDS {
            self.word(at::NAMES_LOST).fetch_add(1, Ordering::Relaxed);
            return;
        }
        let begin = at::NAMES + used;
        self.word(begin + 1).store(number, Ordering::Relaxed);
        store_bytes(self.memory.words(), begin + 2, text.as_bytes());
        self.word(begin).store(at::name_header(kind, text.len()), Ordering::Release);
    }

    pub fn create_ring(&self) -> Option<Writer> {
        let tid = thread::current_tid();
        // One thread may have several rings in a session, if another trace was started in between.
        let name = format!("{}-{:x}-{tid}-{:x}.ring", std::process::id(), self.stamp, trace::now());
        match Writer::create(&self.directory.join(name), ring::CAPACITY) {
            Ok(writer) => Some(writer),
            Err(error) => {
                self.count_error(error);
                None
            }
        }
    }
}

/// Creates a file whose name says why this process records nothing. A full disk has space for it.
fn report_failure(directory: &Path, error: Errno) {
    let name = format!("{}-{}.error", std::process::id(), error.raw().unsigned_abs());
    // Without it, the reader finds no records and no reason.
    let _ = std::fs::File::create(directory.join(name));
}

fn store_bytes(words: &[AtomicU64], at: usize, bytes: &[u8]) {
    for (word, chunk) in words[at..].iter().zip(bytes.chunks(8)) {
        let mut padded = [0; 8];
        padded[..chunk.len()].copy_from_slice(chunk);
        word.store(u64::from_ne_bytes(padded), Ordering::Relaxed);
    }
}

/// How many names a thread remembers as defined.
const KNOWN_NAMES: usize = 256;

/// What a thread needs to record.
struct ThreadState {
    session: Arc<Session>,
    /// `None` if the ring could not be created.
    ring: Option<Writer>,
    /// Names that were defined, by their hash. A name that was displaced is defined again.
    known: Box<[u64; KNOWN_NAMES]>,
}

thread_local! {
    static STATE: RefCell<Option<ThreadState>> = const { RefCell::new(None) };
    /// Whether the thread has used `STATE`. The first use allocates.
    static HAS_STATE: Cell<bool> = const { Cell::new(false) };
}

/// The ring of wake-ups of the current session.
static WAKEUPS: Published<wakeups::Writer> = Published::new();

/// Records into rings.
struct Rings;

impl trace::Recorder for Rings {
    fn start(&self, directory: &str) -> bool {
        let session = Session::open(Path::new(directory));
        let started = session.is_some();
        let current = session.map_or(Current::Ended, Current::Open);
        if let Current::Open(last) = std::mem::replace(&mut *lock_current(), current) {
            // Its reader was killed, and has not ended it. Threads attach to the new session then.
            last.word(at::STOP).store(1, Ordering::Relaxed);
        }
        started
    }

    #[inline]
    fn record(&self, time: u64, lp: u16, event: Event) {
        // Fails while the thread exits, and if a signal handler interrupts this function.
        let _ = STATE.try_with(|state| {
            if let Ok(mut state) = state.try_borrow_mut() {
                write(&mut state, time, lp, event);
            }
        });
    }

    fn record_wakeup(&self, time: u64, lp: u16, handle: HandleId) {
        let kind = RecordKind::Wakeup as u8;
        let record = Record { time, kind, lp, id: handle.to_bits(), ..Record::default() };
        if !HAS_STATE.get() || !push_to_own_ring(record) {
            // Without a ring, the disk is full, and the reader says so.
            let _ = WAKEUPS.with(|ring| ring.push(record));
        }
    }
}

/// Writes a record to the ring of the calling thread. Returns false if it has none, or if a signal
/// handler has interrupted a write to it.
fn push_to_own_ring(record: Record) -> bool {
    let pushed = STATE.try_with(|state| {
        let state = state.try_borrow_mut().ok()?;
        let state = state.as_ref().filter(|state| state.session.is_live())?;
        state.ring.as_ref()?.push(record);
        Some(())
    });
    matches!(pushed, Ok(Some(())))
}

#[inline]
fn write(state: &mut Option<ThreadState>, time: u64, lp: u16, event: Event) {
    let usable = state.as_ref().is_some_and(|state| state.session.is_live());
    if !usable && !attach(state) {
        return;
    }
    let Some(ThreadState { session, ring: Some(ring), known }) = state else { return };
    let mut record = encode(event);
    if let Some(name) = name_of(&event) {
        record.value = define(session, known, name);
    }
    record.time = time;
    record.lp = lp;
    ring.push(record);
}

/// Connects the thread to the current session. Returns false if there is none any more.
#[cold]
fn attach(state: &mut Option<ThreadState>) -> bool {
    *state = None;
    let Some(session) = live_session() else {
        trace::stop();
        return false;
    };
    let ring = session.create_ring();
    HAS_STATE.set(true);
    *state = Some(ThreadState { session, ring, known: Box::new([0; KNOWN_NAMES]) });
    true
}

/// The current session, unless the reader has ended it. A forked child opens its own.
fn live_session() -> Option<Arc<Session>> {
    let mut current = lock_current();
    let session = match std::mem::replace(&mut *current, Current::Ended) {
        Current::Open(session) => session,
        Current::Unopened => Session::open(Path::new(&trace::directory()))?,
        Current::Ended => return None,
    };
    if session.word(at::STOP).load(Ordering::Relaxed) != 0 {
        return None;
    }
    *current = Current::Open(session.clone());
    Some(session)
}

fn name_of(event: &Event) -> Option<CallbackName> {
    match event {
        Event::CallbackBegin { name, .. } | Event::JobName(_, name) => Some(*name),
        _ => None,
    }
}

/// The number of a name. Defines the name if this thread has not done so.
#[inline]
fn define(session: &Session, known: &mut [u64; KNOWN_NAMES], name: CallbackName) -> u64 {
    let number = match name {
        CallbackName::Unknown => return 0,
        CallbackName::Registered(number) => return number,
        CallbackName::Function(address) => address,
        CallbackName::Location(location) => std::ptr::from_ref(location) as u64,
    };
    let hash = (number >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
    let slot = &mut known[hash as usize % KNOWN_NAMES];
    if *slot != number {
        *slot = number;
        define_new(session, number, name);
    }
    number
}

#[cold]
fn define_new(session: &Session, number: u64, name: CallbackName) {
    match name {
        CallbackName::Function(address) => {
            if let Some(code) = module_of(address) {
                let text = format!("{:x} {}", code.offset, code.path.display());
                session.define(number, at::FUNCTION, &text);
            }
        }
        CallbackName::Location(location) => {
            let text = format!("closure\n{}\n{}", location.file(), location.line());
            session.define(number, at::TEXT, &text);
        }
        CallbackName::Unknown | CallbackName::Registered(_) => {}
    }
}

#[inline]
fn encode(event: Event) -> Record {
    let record = |kind: RecordKind| Record { kind: kind as u8, ..Record::default() };
    match event {
        Event::LoopOpen { uv_loop } => Record { value: uv_loop, ..record(RecordKind::LoopOpen) },
        Event::LoopClose => record(RecordKind::LoopClose),
        Event::RunBegin(mode) => Record { small: mode as u8, ..record(RecordKind::RunBegin) },
        Event::RunEnd { alive, counters } => Record {
            small: alive.into(),
            number: counters.events as u32,
            value: counters.events_waiting,
            ..record(RecordKind::RunEnd)
        },
        Event::Phase(phase) => Record { small: phase as u8, ..record(RecordKind::Phase) },
        Event::WaitBegin { counters, timeout } => Record {
            id: counters.iterations,
            number: counters.events as u32,
            value: counters.events_waiting << 32 | u64::from(timeout.unwrap_or(u32::MAX)),
            ..record(RecordKind::WaitBegin)
        },
        Event::WaitEnd { events } => {
            Record { number: events as u32, ..record(RecordKind::WaitEnd) }
        }
        Event::CallbackBegin { kind, token, late, name: _ } => Record {
            small: kind as u8,
            number: late,
            id: token.0,
            ..record(RecordKind::CallbackBegin)
        },
        Event::CallbackEnd => record(RecordKind::CallbackEnd),
        Event::HandleOpen { id, token, earlier } => Record {
            small: id.kind() as u8,
            number: earlier.into(),
            id: token.0,
            value: id.to_bits(),
            ..record(RecordKind::HandleOpen)
        },
        Event::HandleFd { token, fd } => {
            // Handles of Windows have 32 significant bits, too.
            Record { number: fd as u32, id: token.0, ..record(RecordKind::HandleFd) }
        }
        Event::HandleClosing(token) => Record { id: token.0, ..record(RecordKind::HandleClosing) },
        Event::Submit(request) => Record { id: request.to_bits(), ..record(RecordKind::Submit) },
        Event::JobBegin(request) => {
            Record { id: request.to_bits(), ..record(RecordKind::JobBegin) }
        }
        Event::JobEnd(request) => Record { id: request.to_bits(), ..record(RecordKind::JobEnd) },
        Event::JobName(request, _) => {
            Record { id: request.to_bits(), ..record(RecordKind::JobName) }
        }
        Event::Completed(request) => {
            Record { id: request.to_bits(), ..record(RecordKind::Completed) }
        }
        Event::Decision { key, choice, options } => Record {
            small: key.kind as u8,
            number: key.ordinal,
            id: u64::from(options) << 32 | u64::from(choice),
            value: key.lp.into(),
            ..record(RecordKind::Decision)
        },
    }
}
