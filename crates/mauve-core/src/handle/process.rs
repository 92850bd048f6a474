//! Process handles: children.
//!
//! The end of a child is announced by a descriptor that stands for it, so nobody's handling of
//! `SIGCHLD` is touched. Where there is no such descriptor (an old kernel, or all descriptors are
//! in use) the signal is watched for instead. Either way only our own children are waited for.
//! Ends are told after everything else that the poller has found, so a child's last words come
//! first.

use std::collections::VecDeque;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use mauve_sys::poller::{Driver, Interest};
use mauve_sys::process::{self, Command, Exit, PidFd, Place, SpawnError, Spawned};
use mauve_sys::signal::{self, Term};
use mauve_sys::{Errno, Result, net};

use crate::id::{HandleId, Kind, Token};
use crate::io::Source;
use crate::slab::{Entry, Life};
use crate::{Completion, Engine};

/// The state of one process handle.
pub(crate) struct Process {
    pid: i32,
    end: End,
    pub source: Source,
}

/// How the end of the child becomes known.
enum End {
    /// There is no child, or not any more, or it is the child of the process that we were forked
    /// from.
    Unknown,
    /// By its descriptor.
    Descriptor(PidFd),
    /// By the signal.
    Signal,
}

/// Children that may have exited.
#[derive(Default)]
pub(crate) struct ExitQueue {
    pub exited: VecDeque<HandleId>,
}

impl ExitQueue {
    pub fn is_pending(&self) -> bool {
        !self.exited.is_empty()
    }
}

/// What a descriptor of the child shall be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "uv_stdio_container_t")]
pub enum Stdio {
    /// Nothing; the null device for the first three.
    Ignore,
    /// A descriptor of ours.
    Inherit(RawFd),
    /// The other end of a pipe of ours.
    Pipe {
        /// A pipe that has no descriptor yet.
        stream: HandleId,
        /// Whether the child reads from it.
        readable: bool,
        /// Whether the child writes to it.
        writable: bool,
        /// Whether the child's end does not block.
        nonblocking: bool,
    },
}

/// A pipe to a child: both ends, before they go their ways.
struct Pipe {
    stream: HandleId,
    ours: OwnedFd,
    theirs: OwnedFd,
    readable: bool,
    writable: bool,
}

/// One process handle, lent for one operation.
pub struct ProcessMut<'a, D> {
    engine: &'a mut Engine<D>,
    id: HandleId,
}

impl<D: Driver> Engine<D> {
    /// Makes a process handle without a process.
    pub fn open_process(&mut self, token: Token) -> HandleId {
        let born = self.table.birth();
        let body = Process { pid: 0, end: End::Unknown, source: Source::new(-1) };
        self.table.processes.insert(token, born, body)
    }

    /// Lends a process handle.
    pub fn process(&mut self, id: HandleId) -> Option<ProcessMut<'_, D>> {
        self.table.processes.find(id)?;
        Some(ProcessMut { engine: self, id })
    }

    /// The next child whose end is to be told of.
    #[inline(never)]
    pub(crate) fn next_exit(&mut self) -> Option<Completion> {
        while let Some(id) = self.children.exited.pop_front() {
            let Some(entry) = self.table.processes.get_mut(id) else { continue };
            if entry.head.life() != Life::Active {
                continue;
            }
            let token = entry.head.token;
            if let Some(exit) = entry.body.ended() {
                self.process(id)?.end();
                return Some(Completion::Exit { token, exit });
            }
        }
        None
    }

    /// `SIGCHLD` was delivered: looks after the children that have no descriptor.
    pub(crate) fn look_after_children(&mut self) {
        let waiting = self.table.processes.iter();
        let waiting = waiting.filter(|(_, entry)| matches!(entry.body.end, End::Signal));
        let mut waiting: Vec<_> =
            waiting.map(|(id, _)| (self.table.processes.born(id.index()), id)).collect();
        waiting.sort_unstable_by_key(|(born, _)| *born);
        self.children.exited.extend(waiting.into_iter().map(|(_, id)| id));
    }

    /// In a forked child: the children are the parent's, and nothing will be heard of them.
    pub(crate) fn disown_children(&mut self) {
        for (id, _) in self.handles(true) {
            let Some(entry) = self.table.processes.get_mut(id) else { continue };
            entry.body.source = Source::new(-1);
            let end = std::mem::replace(&mut entry.body.end, End::Unknown);
            if let (End::Signal, Some(mailbox)) = (end, &mut self.signals.mailbox) {
                mailbox.unwatch(signal::CHILD, Term::Lasting);
            }
        }
        self.children.exited.clear();
    }

    fn make_pipes(&mut self, stdio: &[Stdio]) -> Result<Vec<Pipe>> {
        let mut pipes = Vec::new();
        for place in stdio {
            if let Stdio::Pipe { stream, readable, writable, nonblocking } = *place {
                if stream.kind() != Kind::Pipe {
                    return Err(Errno::EINVAL);
                }
                let [ours, theirs] = net::socket_pair(net::STREAM, 0, [true, nonblocking])?;
                pipes.push(Pipe { stream, ours, theirs, readable, writable });
            }
        }
        Ok(pipes)
    }

    /// Gives our ends to their streams: what the child reads from is written here.
    fn open_pipes(&mut self, pipes: Vec<Pipe>) -> Result<()> {
        for Pipe { stream, ours, readable, writable, .. } in pipes {
            let mut stream = self.stream(stream).ok_or(Errno::EINVAL)?;
            let adopted = stream.open(ours.as_raw_fd(), writable, readable)?;
            stream.adopt(ours, adopted)?;
        }
        Ok(())
    }
}

impl Process {
    /// How the child ended, if it has.
    fn ended(&self) -> Option<Exit> {
        match process::wait(self.pid) {
            Ok(exit) => exit,
            // Somebody else has waited for it. The kernel may still know.
            Err(error) => {
                let unknown = Exit { status: -i64::from(error.raw()), signal: 0 };
                match &self.end {
                    End::Descriptor(pidfd) => Some(pidfd.exit().unwrap_or(unknown)),
                    End::Signal | End::Unknown => Some(unknown),
                }
            }
        }
    }
}

impl<D: Driver> ProcessMut<'_, D> {
    fn entry(&mut self) -> &mut Entry<Process> {
        self.engine.table.processes.get_mut(self.id).expect("a lent handle")
    }

    /// Starts a program. The handle is active until the program has ended.
    ///
    /// If it fails because the child could not become what was asked for, the pipes are open all
    /// the same, and at their end. If it fails because a stream has a descriptor already, the
    /// program runs all the same.
    #[doc(alias = "uv_spawn")]
    pub fn spawn(&mut self, command: &Command, stdio: &[Stdio]) -> Result<()> {
        // It may be needed when there is no descriptor left to open it with.
        self.engine.mailbox()?;
        let pipes = self.engine.make_pipes(stdio)?;
        let mut given = pipes.iter().map(|pipe| Place::Given(pipe.theirs.as_raw_fd()));
        let mut places: Vec<_> = stdio
            .iter()
            .map(|place| match *place {
                Stdio::Ignore => Place::Ignore,
                Stdio::Inherit(fd) => Place::Shared(fd),
                Stdio::Pipe { .. } => given.next().expect("one for each"),
            })
            .collect();
        places.resize(stdio.len().max(3), Place::Ignore);
        match command.spawn(&mut places) {
            Ok(spawned) => {
                self.begin(spawned);
                self.engine.open_pipes(pipes)
            }
            Err(SpawnError::NoProcess(error)) => Err(error),
            Err(SpawnError::Failed(error)) => self.engine.open_pipes(pipes).and(Err(error)),
        }
    }

    /// Begins to wait for the end of a child.
    fn begin(&mut self, spawned: Spawned) {
        let id = self.id;
        let end = match spawned.pidfd {
            Some(pidfd) => End::Descriptor(pidfd),
            None => {
                let mailbox = self.engine.mailbox().expect("opened by `spawn`");
                mailbox.watch(signal::CHILD, Term::Lasting).expect("it can be caught");
                // It may have ended before the signal was watched for.
                self.engine.children.exited.push_back(id);
                End::Signal
            }
        };
        let Engine { table, active, watches, .. } = &mut *self.engine;
        let Entry { head, body } = table.processes.get_mut(id).expect("a lent handle");
        if let End::Descriptor(pidfd) = &end {
            body.source = Source::new(pidfd.as_raw_fd());
            // The descriptor is ours alone, so nobody else can watch it.
            let watched = watches.want(id, &mut body.source, Interest::READABLE);
            debug_assert_eq!(watched, Ok(()));
        }
        (body.pid, body.end) = (spawned.pid, end);
        head.activate(active);
    }

    /// Stops waiting for the end of the child. One that is still there is left to the program.
    pub(crate) fn end(&mut self) {
        let Engine { table, watches, driver, active, signals, .. } = &mut *self.engine;
        let Entry { head, body } = table.processes.get_mut(self.id).expect("a lent handle");
        match std::mem::replace(&mut body.end, End::Unknown) {
            End::Unknown => return,
            End::Descriptor(_pidfd) => watches.forget(self.id, &mut body.source, driver),
            End::Signal => {
                if let Some(mailbox) = &mut signals.mailbox {
                    mailbox.unwatch(signal::CHILD, Term::Lasting);
                }
            }
        }
        if head.life() == Life::Active {
            head.deactivate(active);
        }
    }

    /// Sends a signal to the child. `ESRCH` if there is none, or it has ended.
    #[doc(alias = "uv_process_kill")]
    pub fn kill(&mut self, signal: i32) -> Result<()> {
        let Entry { head, body } = self.entry();
        match &body.end {
            End::Descriptor(pidfd) => pidfd.kill(signal),
            End::Signal => process::kill(body.pid, signal),
            End::Unknown if head.life() == Life::Active => process::kill(body.pid, signal),
            End::Unknown => Err(Errno::ESRCH),
        }
    }

    /// The number of the process; it stays when that has ended. Zero if none was started.
    #[doc(alias = "uv_process_get_pid")]
    pub fn pid(&mut self) -> i32 {
        self.entry().body.pid
    }
}
