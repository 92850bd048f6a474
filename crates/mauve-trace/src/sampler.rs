//! The sampler: captures the stacks of callbacks that run long while a trace is recorded.
//!
//! A thread checks the current callback of each loop, as the watchdog does. The stack of one that runs longer
//! than [`INTERVAL`] is captured, and again after each interval. The samples go to a ring of the
//! thread, and the names of their frames to the process file.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use mauve_core::probe::{self, LoopProbe};
use mauve_core::trace;
use mauve_sys::clock;
use mauve_sys::thread::{self, Activity};

use crate::generated::{GeneratedCode, script_frame};
use crate::layout::process as at;
use crate::record::{Record, RecordKind};
use crate::recorder::Session;
use crate::ring::Writer;
use crate::stack::{self, Frame};
use crate::watchdog;

/// How long a callback runs until its stack is captured, and the time between two captures.
const INTERVAL: Duration = Duration::from_millis(1);

/// How long to wait for the functions that an interpreter runs.
const INNER_TIMEOUT: Duration = Duration::from_millis(20);

/// After how many intervals the names of V8's functions are read. There are thousands when a program or a
/// worker of Node starts, and reading them may take longer than a callback.
const NAMES_EVERY: u32 = 16;

/// Starts the sampler of a session. It ends with the session.
pub(crate) fn start(session: Arc<Session>) {
    let builder = std::thread::Builder::new().name("mauve-sampler".to_owned());
    // Without the thread, the trace has no samples.
    let _ = builder.spawn(move || run(session));
}

fn run(session: Arc<Session>) {
    // The signals of the program are for its own threads.
    mauve_sys::signal::block_all();
    let Some(ring) = session.create_ring() else { return };
    let mut sampler = Sampler { session, ring, known: HashSet::new() };
    for interval in 0_u32.. {
        if !sampler.session.is_live() {
            break;
        }
        clock::system_sleep(INTERVAL);
        if interval.is_multiple_of(NAMES_EVERY) {
            drop(GeneratedCode::current());
        }
        for of in probe::loops() {
            sampler.check(of);
        }
    }
}

struct Sampler {
    session: Arc<Session>,
    ring: Writer,
    /// The names that were defined.
    known: HashSet<u64>,
}

impl Sampler {
    /// Captures the stack of the loop's current callback, if that runs long.
    fn check(&mut self, of: &'static LoopProbe) {
        let Some((since, ..)) = of.current_callback() else { return };
        if Duration::from_nanos(trace::now().saturating_sub(since)) < INTERVAL {
            return;
        }
        let inner = watchdog::inner_stack(of, INNER_TIMEOUT);
        let thread = of.callback_thread.load(Ordering::Relaxed);
        let activity = match u32::try_from(thread) {
            Ok(thread) if inner.is_empty() => thread::activity_of(thread),
            _ => Activity::Computes(Vec::new()),
        };
        // The stack may be of the next callback, or of the wait that followed.
        let time = trace::now();
        if of.current_callback().is_none_or(|(now, ..)| now != since) {
            return;
        }
        let frames = if inner.is_empty() { self.frames(activity) } else { self.inner(&inner) };
        let lp = of.number.load(Ordering::Relaxed) as u16;
        let record = |kind: RecordKind| Record { time, lp, kind: kind as u8, ..Record::default() };
        if !frames.is_empty() {
            self.ring.push(Record { id: since, ..record(RecordKind::Sample) });
        }
        for value in frames {
            self.ring.push(Record { value, ..record(RecordKind::Frame) });
        }
    }

    /// The numbers of the names of functions that an interpreter runs.
    fn inner(&mut self, functions: &[String]) -> Vec<u64> {
        let name = |function: &String| {
            let name = script_frame(function);
            // Functions of the engine have no file.
            let kind = if name.line.is_some() { at::SCRIPT } else { at::TEXT };
            self.define(kind, &name.to_lines())
        };
        functions.iter().map(name).collect()
    }

    fn frames(&mut self, activity: Activity) -> Vec<u64> {
        let (mut numbers, addresses) = match activity {
            Activity::Computes(addresses) => (Vec::new(), addresses),
            Activity::SystemCall { name, frames } => (vec![self.define(at::TEXT, &name)], frames),
            Activity::Unknown => return Vec::new(),
        };
        for frame in stack::frames(&addresses, &GeneratedCode::current()) {
            numbers.push(match frame {
                Frame::Script(name) => self.define(at::SCRIPT, &name.to_lines()),
                Frame::Native(code) => {
                    self.define(at::CODE, &format!("{:x} {}", code.offset, code.path.display()))
                }
                Frame::Unknown => {
                    self.session.note_unnamed_code();
                    continue;
                }
            });
        }
        numbers
    }

    /// The number of a name. Defines it if that was not done.
    fn define(&mut self, kind: u32, text: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        (kind, text).hash(&mut hasher);
        // Addresses of functions and locations are never this large.
        let number = hasher.finish() | 1 << 63;
        if self.known.insert(number) {
            self.session.define(number, kind, text);
        }
        number
    }
}
