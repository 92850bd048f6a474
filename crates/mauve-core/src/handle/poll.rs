//! Poll handles: readiness of a descriptor of the program.

use mauve_sys::descriptor::RawDescriptor;
use mauve_sys::driver::{Driver, Interest, Readiness};
use mauve_sys::{Errno, Result};

use crate::id::HandleId;
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
    pub(super) engine: &'a mut Engine<D>,
    pub(super) id: HandleId,
}

impl Poll {
    /// For a descriptor that the program keeps.
    pub fn new(fd: RawDescriptor) -> Self {
        Self { source: Source::new(fd), started_in: 0 }
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
        body.started_in = poll.batch();
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
    pub fn fd(&mut self) -> RawDescriptor {
        self.engine.table.polls.get_mut(self.id).expect("a borrowed handle").body.source.fd
    }

    /// The completion of a readiness event, unless the handle was stopped since.
    pub(crate) fn ready(&mut self, readiness: Readiness) -> Option<Completion> {
        let Engine { table, poll, .. } = &mut *self.engine;
        let Entry { head, body } = table.polls.get_mut(self.id).expect("a borrowed handle");
        if head.life() != Life::Active {
            return None;
        }
        let wanted = body.source.wanted();
        if body.started_in == poll.batch() {
            // Otherwise it is excluded already, because the handle no longer wants it.
            let failed = readiness.intersects(Readiness::ERROR | Readiness::HANGUP);
            if failed || !readiness.wanted(wanted).is_empty() {
                poll.exclude_event();
            }
            return None;
        }
        let token = head.token;
        // An error ends polling, except together with priority data: special files of the kernel
        // report a change with both.
        let failed =
            readiness.contains(Readiness::ERROR) && !readiness.contains(Readiness::PRIORITIZED);
        if failed {
            self.stop();
            return Some(Completion::Poll { token, result: Err(Errno::EBADF) });
        }
        let ready = match readiness.contains(Readiness::HANGUP) {
            // It concerns all interests, and matches none.
            true => Readiness::from_bits_truncate(wanted.bits()),
            false => readiness.wanted(wanted),
        };
        (!ready.is_empty()).then_some(Completion::Poll { token, result: Ok(ready) })
    }

    /// The driver refused to watch the descriptor: polling has ended.
    pub(crate) fn fail(&mut self, error: Errno) -> Option<Completion> {
        let head = &self.engine.table.polls.get_mut(self.id).expect("a borrowed handle").head;
        if head.life() != Life::Active {
            return None;
        }
        let token = head.token;
        self.stop();
        Some(Completion::Poll { token, result: Err(error) })
    }
}
