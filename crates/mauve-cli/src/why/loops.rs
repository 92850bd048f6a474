//! The loops of another process, found through the engine's [`ProbeRoot`].

use std::ffi::OsStr;
use std::mem::offset_of;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::time::Duration;

use mauve_core::probe::{LoopProbe, ProbeRoot, VERSION};
use mauve_core::trace::{RECORDING, REQUESTED};
use mauve_sys::parker;
use mauve_sys::process::with_stopped_thread;
use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};

use super::memory::Memory;
use super::thread;
use crate::trace::is_abandoned;

/// The maximum length of the list of loops. A longer list is corrupt.
const MAX_LOOPS: usize = 100_000;

/// The number of attempts to wake a loop.
const ATTEMPTS: usize = 3;

/// The maximum size of a report. A longer report is corrupt.
const MAX_REPORT: u64 = 256 << 20;

/// The size of the path of a trace in a [`ProbeRoot`].
const DIRECTORY: usize = offset_of!(ProbeRoot, trace_directory).abs_diff(size_of::<ProbeRoot>());

/// The probe root of one copy of the engine, in the memory of another process.
pub struct Root {
    address: u64,
}

/// A loop of another process.
pub struct Loop {
    /// The address of its probe.
    address: u64,
    /// The address of the program's `uv_loop_t`, or 0.
    uv_loop: u64,
    /// The descriptor of its waker, if it has one.
    waker: Option<i32>,
    /// The address of the futex that it parks on, if it has one.
    futex: Option<u64>,
    /// The id of the thread that runs it, in the program's namespace.
    pub thread: Option<u64>,
}

fn cannot_read(error: std::io::Error) -> String {
    format!("cannot read its memory: {error}")
}

impl Root {
    pub fn read(memory: &Memory, address: u64) -> Result<Self, String> {
        let at = address + offset_of!(ProbeRoot, version) as u64;
        match memory.read_u64(at).map_err(cannot_read)? {
            VERSION => Ok(Self { address }),
            other => Err(format!(
                "the library in this process has version {other} of the probe protocol, this \
                 command has version {VERSION}"
            )),
        }
    }

    /// Sends a query to all loops, and returns its number. A loop reads it when it wakes up.
    pub fn query(&self, memory: &Memory) -> Result<u64, String> {
        let at = self.address + offset_of!(ProbeRoot, query) as u64;
        let query = memory.read_u64(at).map_err(cannot_read)?.wrapping_add(1);
        let written = memory.write_u64(at, query);
        written.map_err(|error| format!("cannot write to its memory: {error}"))?;
        Ok(query)
    }

    /// Requests a trace into a directory, see [`mauve_core::trace`].
    pub fn start_trace(&self, memory: &Memory, directory: &Path) -> Result<(), String> {
        let trace = self.address + offset_of!(ProbeRoot, trace) as u64;
        let state = memory.read_u64(trace).map_err(cannot_read)?;
        if state & (REQUESTED | RECORDING) != 0 && !self.is_abandoned(memory)? {
            return Err(format!("process {} is being traced already", memory.process));
        }
        let cannot_write = |error| format!("cannot write to its memory: {error}");
        let mut path = directory.as_os_str().as_bytes().to_vec();
        path.resize(path.len().next_multiple_of(8) + 8, 0);
        for (word, at) in path.chunks(8).zip(0u64..) {
            let word = u64::from_ne_bytes(word.try_into().expect("a multiple of eight"));
            let begin = self.address + offset_of!(ProbeRoot, trace_directory) as u64;
            memory.write_u64(begin + 8 * at, word).map_err(cannot_write)?;
        }
        memory.write_u64(trace, state & !RECORDING | REQUESTED).map_err(cannot_write)
    }

    /// Whether the command that has started the current trace was killed.
    fn is_abandoned(&self, memory: &Memory) -> Result<bool, String> {
        let begin = self.address + offset_of!(ProbeRoot, trace_directory) as u64;
        let mut path = memory.read(begin, DIRECTORY).map_err(cannot_read)?;
        path.truncate(path.iter().position(|byte| *byte == 0).unwrap_or(DIRECTORY));
        // As the process sees it, which may be in a container.
        let mut seen = format!("/proc/{}/root", memory.process).into_bytes();
        seen.append(&mut path);
        Ok(is_abandoned(Path::new(OsStr::from_bytes(&seen))))
    }

    /// Ends a trace. The process may have exited.
    pub fn stop_trace(&self, memory: &Memory) {
        let trace = self.address + offset_of!(ProbeRoot, trace) as u64;
        if let Ok(state) = memory.read_u64(trace) {
            let _ = memory.write_u64(trace, state & !(REQUESTED | RECORDING));
        }
    }

    /// Whether the process has refused to start a trace.
    pub fn refused_trace(&self, memory: &Memory) -> bool {
        let trace = self.address + offset_of!(ProbeRoot, trace) as u64;
        memory.read_u64(trace).is_ok_and(|state| state & (REQUESTED | RECORDING) == 0)
    }

    /// Whether the process still exists.
    pub fn exists(&self, memory: &Memory) -> bool {
        memory.read_u64(self.address).is_ok()
    }

    /// The loops of this process, the oldest first.
    pub fn loops(&self, memory: &Memory) -> Result<Vec<Loop>, String> {
        let own = u64::from(memory.own_pid());
        let first = self.address + offset_of!(ProbeRoot, first) as u64;
        let mut next = memory.read_u64(first).map_err(cannot_read)?;
        let mut loops = Vec::new();
        for _ in 0..MAX_LOOPS {
            if next == 0 {
                break;
            }
            let field = |offset| memory.read_u64(next + offset as u64).map_err(cannot_read);
            // A forked child has copies of its parent's probes, but does not run those loops.
            let is_own = field(offset_of!(LoopProbe, process))? == own;
            if field(offset_of!(LoopProbe, in_use))? != 0 && is_own {
                let thread = field(offset_of!(LoopProbe, thread))?;
                let waker = field(offset_of!(LoopProbe, waker))?;
                let futex = field(offset_of!(LoopProbe, futex))?;
                loops.push(Loop {
                    address: next,
                    uv_loop: field(offset_of!(LoopProbe, uv_loop))?,
                    waker: waker.checked_sub(1).and_then(|fd| i32::try_from(fd).ok()),
                    futex: (futex != 0).then_some(futex),
                    thread: (thread != 0).then_some(thread),
                });
            }
            next = field(offset_of!(LoopProbe, next))?;
        }
        loops.reverse();
        Ok(loops)
    }
}

impl Loop {
    pub fn title(&self) -> String {
        if self.uv_loop == 0 { "loop".to_owned() } else { format!("loop {:#x}", self.uv_loop) }
    }

    /// Wakes the loop. It sleeps again after it has written its report.
    pub fn wake(&self, memory: &Memory) -> Result<(), String> {
        // The loop may change between the futex and the descriptor in the meantime.
        for _ in 0..ATTEMPTS {
            if self.is_parked(memory) {
                if self.unpark(memory)? {
                    break;
                }
            } else {
                self.write_to_waker(memory.process)?;
                if !self.is_parked(memory) {
                    break;
                }
            }
        }
        Ok(())
    }

    fn is_parked(&self, memory: &Memory) -> bool {
        let asleep = memory.read_u64(self.address + offset_of!(LoopProbe, asleep) as u64);
        let state = self.futex.and_then(|address| memory.read_u32(address).ok());
        asleep.is_ok_and(|asleep| asleep != 0) && state == Some(parker::PARKED)
    }

    /// Unparks the loop by writing to its futex, if it is parked. Returns whether it was.
    ///
    /// A write from outside wakes no waiter. Stopping and resuming the thread restarts its futex
    /// wait, which then compares the new value. The loop cannot be closed while its thread is
    /// stopped.
    fn unpark(&self, memory: &Memory) -> Result<bool, String> {
        let thread = self.thread.and_then(|id| thread::outer_id(memory.process, id));
        let (thread, address) = thread.zip(self.futex).ok_or("its thread has exited")?;
        let unparked = with_stopped_thread(thread, || {
            self.is_parked(memory) && memory.write_u32(address, parker::RUNNING).is_ok()
        });
        unparked.map_err(|error| format!("cannot stop its thread: {error}"))
    }

    fn write_to_waker(&self, process: u32) -> Result<(), String> {
        let waker = self.waker.ok_or("it has no waker descriptor")?;
        let pid = i32::try_from(process).ok().and_then(Pid::from_raw).ok_or("invalid pid")?;
        let message = |error: rustix::io::Errno| std::io::Error::from(error).to_string();
        let process = pidfd_open(pid, PidfdFlags::empty()).map_err(message)?;
        let fd = pidfd_getfd(process, waker, PidfdGetfdFlags::empty()).map_err(message)?;
        rustix::io::write(fd, &1u64.to_ne_bytes()).map_err(message)?;
        Ok(())
    }

    /// The report for `query`, or `None` if the loop has not written it yet.
    pub fn report(&self, memory: &Memory, query: u64) -> Result<Option<String>, String> {
        let field =
            |offset: usize| memory.read_u64(self.address + offset as u64).map_err(cannot_read);
        if field(offset_of!(LoopProbe, reported))? != query {
            return Ok(None);
        }
        let (at, length) =
            (field(offset_of!(LoopProbe, text))?, field(offset_of!(LoopProbe, length))?);
        if length > MAX_REPORT {
            return Err(format!("its report has {length} bytes"));
        }
        let text = memory.read(at, length as usize).map_err(cannot_read)?;
        Ok(Some(String::from_utf8_lossy(&text).into_owned()))
    }

    /// The time since the loop's thread last waited for events. None if it waits, or if no thread runs it.
    pub fn awake_for(&self, memory: &Memory) -> Option<Duration> {
        let field = |offset: usize| memory.read_u64(self.address + offset as u64).ok();
        let (thread, asleep) =
            (field(offset_of!(LoopProbe, thread))?, field(offset_of!(LoopProbe, asleep))?);
        let woke = field(offset_of!(LoopProbe, woke))?;
        let now = mauve_sys::clock::hrtime() / 1_000_000;
        let runs = thread != 0 && asleep == 0 && woke != 0;
        now.checked_sub(woke).filter(|_| runs).map(Duration::from_millis)
    }
}
