//! The loops behind a beacon.

use std::mem::offset_of;
use std::time::Duration;

use mauve_core::probe::{self, LoopProbe};
use mauve_sys::parker;
use mauve_sys::process::while_stopped;
use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};

use super::memory::Memory;
use super::thread;

/// More loops than any process has: a list that is longer is no list.
const MOST_LOOPS: usize = 100_000;

/// How often it is tried to wake a loop.
const TRIES: usize = 3;

/// A longer answer is none.
const LONGEST_ANSWER: u64 = 256 << 20;

/// Where all loops of one copy of the engine are found.
pub struct Beacon {
    address: u64,
}

/// A loop that exists.
pub struct Loop {
    /// Of its probe.
    address: u64,
    /// What the program calls it.
    name: u64,
    /// The descriptor that wakes it, if it has one.
    waker: Option<i32>,
    /// Where the futex is that it sleeps on instead, sometimes.
    futex: Option<u64>,
    /// The thread that runs it, as the program knows it.
    pub thread: Option<u64>,
}

fn told(error: std::io::Error) -> String {
    format!("its memory cannot be read: {error}")
}

impl Beacon {
    pub fn read(memory: &Memory, address: u64) -> Result<Self, String> {
        let at = address + offset_of!(probe::ProbeRoot, version) as u64;
        match memory.read_number(at).map_err(told)? {
            probe::VERSION => Ok(Self { address }),
            other => Err(format!(
                "the library in this process speaks version {other} of this protocol, and this \
                 command version {}",
                probe::VERSION
            )),
        }
    }

    /// Poses a question to all loops; they see it when they are woken.
    pub fn ask(&self, memory: &Memory) -> Result<u64, String> {
        let at = self.address + offset_of!(probe::ProbeRoot, query) as u64;
        let question = memory.read_number(at).map_err(told)?.wrapping_add(1);
        let written = memory.write_number(at, question);
        written.map_err(|error| format!("its memory cannot be written to: {error}"))?;
        Ok(question)
    }

    /// The loops of this process, the oldest first.
    pub fn loops(&self, memory: &Memory) -> Result<Vec<Loop>, String> {
        let own = u64::from(memory.own_number());
        let first = self.address + offset_of!(probe::ProbeRoot, first) as u64;
        let mut next = memory.read_number(first).map_err(told)?;
        let mut loops = Vec::new();
        for _ in 0..MOST_LOOPS {
            if next == 0 {
                break;
            }
            let field = |offset| memory.read_number(next + offset as u64).map_err(told);
            // A forked child has the memory of its parent's loops, and not the loops.
            let here = field(offset_of!(LoopProbe, process))? == own;
            if field(offset_of!(LoopProbe, in_use))? != 0 && here {
                let thread = field(offset_of!(LoopProbe, thread))?;
                let waker = field(offset_of!(LoopProbe, waker))?;
                let futex = field(offset_of!(LoopProbe, futex))?;
                loops.push(Loop {
                    address: next,
                    name: field(offset_of!(LoopProbe, name))?,
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
        if self.name == 0 { "loop".to_owned() } else { format!("loop {:#x}", self.name) }
    }

    /// Wakes the loop. It goes back to sleep when it has answered.
    pub fn wake(&self, memory: &Memory) -> Result<(), String> {
        // Meanwhile it may go over from the one to the other.
        for _ in 0..TRIES {
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
        let asleep = memory.read_number(self.address + offset_of!(LoopProbe, asleep) as u64);
        let state = self.futex.and_then(|address| memory.read_half(address).ok());
        asleep.is_ok_and(|asleep| asleep != 0) && state == Some(parker::PARKED)
    }

    /// Changes the futex, if the loop sleeps on it. Returns whether it does.
    ///
    /// The kernel does not notice that. But a thread that was stopped compares the futex again before
    /// it sleeps on; and while it is stopped, the loop cannot be closed.
    fn unpark(&self, memory: &Memory) -> Result<bool, String> {
        let thread = self.thread.and_then(|number| thread::number_here(memory.process, number));
        let (thread, address) = thread.zip(self.futex).ok_or("its thread is gone")?;
        let unparked = while_stopped(thread, || {
            self.is_parked(memory) && memory.write_half(address, parker::RUNNING).is_ok()
        });
        unparked.map_err(|error| format!("its thread cannot be stopped: {error}"))
    }

    fn write_to_waker(&self, process: u32) -> Result<(), String> {
        let waker = self.waker.ok_or("it has no descriptor to be woken by")?;
        let pid = i32::try_from(process).ok().and_then(Pid::from_raw).ok_or("no process")?;
        let told = |error: rustix::io::Errno| std::io::Error::from(error).to_string();
        let process = pidfd_open(pid, PidfdFlags::empty()).map_err(told)?;
        let fd = pidfd_getfd(process, waker, PidfdGetfdFlags::empty()).map_err(told)?;
        rustix::io::write(fd, &1u64.to_ne_bytes()).map_err(told)?;
        Ok(())
    }

    /// The answer to `question`, once there is one.
    pub fn answer(&self, memory: &Memory, question: u64) -> Result<Option<String>, String> {
        let field = |offset: usize| memory.read_number(self.address + offset as u64).map_err(told);
        if field(offset_of!(LoopProbe, reported))? != question {
            return Ok(None);
        }
        let (at, length) =
            (field(offset_of!(LoopProbe, text))?, field(offset_of!(LoopProbe, length))?);
        if length > LONGEST_ANSWER {
            return Err(format!("its answer has {length} bytes"));
        }
        let text = memory.read(at, length as usize).map_err(told)?;
        Ok(Some(String::from_utf8_lossy(&text).into_owned()))
    }

    /// For how long the loop's thread has not waited for events, in words.
    pub fn awake_for(&self, memory: &Memory) -> String {
        let woke =
            memory.read_number(self.address + offset_of!(LoopProbe, woke) as u64).unwrap_or(0);
        let now = mauve::hrtime() / 1_000_000;
        match now.checked_sub(woke).filter(|_| woke != 0) {
            Some(ms) => format!(" since {:.1} s", Duration::from_millis(ms).as_secs_f64()),
            None => String::new(),
        }
    }
}
