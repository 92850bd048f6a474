//! Poll handles: readiness of a descriptor of the program.

use std::os::fd::RawFd;

use mauve_sys::driver::{Driver, Interest, Readiness};
use mauve_sys::{Errno, Result};

use crate::id::{HandleId, Token};
use crate::registration::Source;
use crate::slab::{Entry, Life};
use crate::{Completion, Engine};

/// The state of one poll handle.
pub(crate) struct Poll {
    pub source: Source,
    /// The batch of events in which the handle was started. Its events are older than the start, and
    /// are dropped.
    started_in: u64,
}

/// One poll handle, borrowed for one operation.
pub struct PollMut<'a, D> {
    engine: &'a mut Engine<D>,
    id: HandleId,
}

impl<D: Driver> Engine<D> {
    /// Makes a poll handle for `fd`, which the program keeps. `EBADF` for a bad descriptor, `EPERM` for
    /// one that cannot be polled, `EEXIST` if the loop watches it already.
    #[doc(alias = "uv_poll_init")]
    pub fn open_poll(&mut self, token: Token, fd: RawFd) -> Result<HandleId> {
        if self.is_watched(fd) {
            return Err(Errno::EEXIST);
        }
        self.driver.probe(fd)?;
        let sequence = self.table.next_sequence();
        let body = Poll { source: Source::new(fd), started_in: 0 };
        let id = self.table.polls.insert(token, sequence, body);
        self.trace_open(id, token);
        Ok(id)
    }

    /// Borrows a poll handle.
    pub fn poll(&mut self, id: HandleId) -> Option<PollMut<'_, D>> {
        self.table.polls.find(id)?;
        Some(PollMut { engine: self, id })
    }

    /// The completion of a readiness event, unless the handle was stopped since.
    pub(crate) fn poll_ready(&mut self, id: HandleId, readiness: Readiness) -> Option<Completion> {
        let Entry { head, body } = self.table.polls.get_mut(id)?;
        if head.life() != Life::Active {
            return None;
        }
        if body.started_in == self.poll.batch {
            // Otherwise it is excluded already, because the handle no longer wants it.
            let failed = readiness.intersects(Readiness::ERROR | Readiness::HANGUP);
            if failed || !readiness.wanted(body.source.wanted()).is_empty() {
                self.poll.exclude_event();
            }
            return None;
        }
        let token = head.token;
        let wanted = body.source.wanted();
        // An error ends polling, except together with priority data: special files of the kernel
        // report a change with both.
        let failed =
            readiness.contains(Readiness::ERROR) && !readiness.contains(Readiness::PRIORITIZED);
        if failed {
            self.poll(id)?.stop();
            return Some(Completion::Poll { token, result: Err(Errno::EBADF) });
        }
        let ready = match readiness {
            // A hang-up alone matches no interest, and would otherwise be reported without end.
            Readiness::HANGUP => Readiness::from_bits_truncate(wanted.bits()),
            readiness => readiness.wanted(wanted),
        };
        (!ready.is_empty()).then_some(Completion::Poll { token, result: Ok(ready) })
    }

    /// The driver refused to watch the descriptor: polling has ended.
    pub(crate) fn poll_failed(&mut self, id: HandleId, error: Errno) -> Option<Completion> {
        let head = &self.table.polls.get_mut(id)?.head;
        if head.life() != Life::Active {
            return None;
        }
        let token = head.token;
        self.poll(id)?.stop();
        Some(Completion::Poll { token, result: Err(error) })
    }
}

impl<D: Driver> PollMut<'_, D> {
    /// Watches for `interest`, which replaces the previous one. An empty interest stops the handle.
    /// Events that are polled already are dropped. As in libuv a started handle is registered again,
    /// at the end of the driver's ready list.
    /// `EEXIST` if another active handle watches the descriptor.
    #[doc(alias = "uv_poll_start")]
    pub fn start(&mut self, interest: Interest) -> Result<()> {
        if interest.is_empty() {
            self.stop();
            return Ok(());
        }
        let Engine { table, registrations, active, poll, driver, .. } = &mut *self.engine;
        let Entry { head, body } = table.polls.get_mut(self.id).expect("a borrowed handle");
        match head.life() {
            Life::Closing => return Err(Errno::EINVAL),
            Life::Active => registrations.deregister(self.id, &mut body.source, driver),
            Life::Inactive => {}
        }
        registrations.register(self.id, &mut body.source, interest)?;
        body.started_in = poll.batch;
        head.activate(active);
        Ok(())
    }

    /// Stops watching at once, because the program may close the descriptor next. Events that are
    /// polled already are dropped.
    #[doc(alias = "uv_poll_stop")]
    pub fn stop(&mut self) {
        let Engine { table, registrations, active, driver, .. } = &mut *self.engine;
        let Entry { head, body } = table.polls.get_mut(self.id).expect("a borrowed handle");
        if head.life() == Life::Active {
            registrations.deregister(self.id, &mut body.source, driver);
            head.deactivate(active);
        }
    }

    /// The watched descriptor.
    #[doc(alias = "uv_fileno")]
    pub fn fd(&mut self) -> RawFd {
        self.engine.table.polls.get_mut(self.id).expect("a borrowed handle").body.source.fd
    }
}
