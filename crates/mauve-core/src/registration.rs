//! Interests of handles in descriptors, and their registration with the driver.
//!
//! A handle changes its interest at any time. The loop registers the change before it waits, and only
//! if interest and registration still differ.

use mauve_sys::descriptor::{AsDescriptor, CLOSED, Descriptor, RawDescriptor};
use mauve_sys::driver::{Driver, Interest, Key, Readiness};
use mauve_sys::{Errno, Result};

use crate::growth::make_room;
use crate::handle::stream::is_stream;
use crate::id::{HandleId, HandleKind};
use crate::phase::{Deferred, DeferredQueue, PollEvents};
use crate::sort::sort_by_number;
use crate::table::Table;

/// The key of the signal pipe. Not a valid handle.
pub(crate) const SIGNAL_PIPE: Key = Key(u64::MAX - 1);

/// The key of the file system watcher. Not a valid handle.
pub(crate) const FS_WATCHER: Key = Key(u64::MAX - 2);

/// The descriptor of one handle and the interest in it. `F` is `Option<Descriptor>` for a handle that
/// owns its descriptor, and a number for others.
pub(crate) struct Source<F = RawDescriptor> {
    pub fd: F,
    pub registration: Registration,
}

/// The interest in a descriptor, and what of it the driver has. The verbs are those of
/// [`Registrations`].
#[derive(Default)]
pub(crate) struct Registration {
    /// The interest of the handle.
    wanted: Interest,
    /// The interest that is registered with the driver.
    registered: Interest,
    /// Whether the handle is in [`Registrations::changed`].
    queued: bool,
}

/// An owned or borrowed descriptor.
pub(crate) trait Numbered {
    /// The number of the descriptor, or `CLOSED`.
    fn number(&self) -> RawDescriptor;
}

impl Numbered for RawDescriptor {
    #[inline]
    fn number(&self) -> RawDescriptor {
        *self
    }
}

impl Numbered for Option<Descriptor> {
    #[inline]
    fn number(&self) -> RawDescriptor {
        self.as_ref().map_or(CLOSED, AsDescriptor::raw_descriptor)
    }
}

impl<F: Numbered> Source<F> {
    pub fn new(fd: F) -> Self {
        Self { fd, registration: Registration::default() }
    }

    #[inline]
    pub fn wanted(&self) -> Interest {
        self.registration.wanted
    }

    /// Notes a readiness event of the descriptor. Returns whether the handle is interested in it. If not,
    /// a registration that the handle no longer wants ends: the event is level-triggered, and would be
    /// reported in every iteration.
    #[inline(always)]
    pub fn take_event(
        &mut self,
        owner: HandleId,
        readiness: Readiness,
        poll: &mut PollEvents,
        driver: &mut impl Driver,
    ) -> bool {
        let wanted = self.wanted();
        poll.note_readiness(readiness, wanted);
        let is_wanted = !readiness.wanted(wanted).is_empty();
        if !is_wanted {
            poll.note_unwanted(readiness, wanted);
            self.registration.drop_unwanted(owner, self.fd.number(), driver);
        }
        is_wanted
    }

    /// The number of the descriptor, and the interest in it.
    pub fn parts(&mut self) -> (RawDescriptor, &mut Registration) {
        (self.fd.number(), &mut self.registration)
    }
}

impl Registration {
    #[inline]
    pub fn wanted(&self) -> Interest {
        self.wanted
    }

    pub fn registered(&self) -> Interest {
        self.registered
    }

    /// Whether there is an interest that is not registered yet.
    pub fn is_new(&self) -> bool {
        !self.wanted.is_empty() && self.queued
    }

    /// Whether the registration is up to date.
    fn is_current(&self) -> bool {
        self.wanted == self.registered
    }
}

/// The interests of one engine's handles.
#[derive(Default)]
pub(crate) struct Registrations {
    /// By descriptor: the handle that is interested in it, or for which it is still registered.
    owners: Vec<Option<HandleId>>,
    /// Handles whose interest may differ from their registration.
    changed: Vec<HandleId>,
}

/// The index of a descriptor in the table of owners. `None` if it is negative.
// On Windows, the number of a descriptor is a `usize`.
#[allow(clippy::useless_conversion)]
fn index(fd: RawDescriptor) -> Option<usize> {
    usize::try_from(fd).ok()
}

impl Registrations {
    fn owner(&self, fd: RawDescriptor) -> Option<HandleId> {
        *self.owners.get(index(fd)?)?
    }

    fn disown(&mut self, fd: RawDescriptor) {
        if let Some(owner) = index(fd).and_then(|at| self.owners.get_mut(at)) {
            *owner = None;
        }
    }

    /// Whether all registrations are up to date.
    pub fn are_current(&self) -> bool {
        self.changed.is_empty()
    }

    /// Sets the interest of `owner`, which is registered with the driver before the next wait. `EEXIST`
    /// if another handle is interested in the descriptor.
    pub fn register<F: Numbered>(
        &mut self,
        owner: HandleId,
        source: &mut Source<F>,
        interest: Interest,
    ) -> Result<()> {
        let (fd, registration) = source.parts();
        self.register_parts(owner, (fd, registration), interest)
    }

    fn register_parts(
        &mut self,
        owner: HandleId,
        (fd, registration): (RawDescriptor, &mut Registration),
        interest: Interest,
    ) -> Result<()> {
        let fd = index(fd).ok_or(Errno::EBADF)?;
        if fd >= self.owners.len() {
            let more = fd + 1 - self.owners.len();
            make_room(&mut self.owners, more);
            self.owners.resize(fd + 1, None);
        }
        if self.owners[fd].is_some_and(|other| other != owner) {
            return Err(Errno::EEXIST);
        }
        // A registration without an interest has an owner, too: see `reregister`.
        let is_owned = !interest.is_empty() || !registration.registered.is_empty();
        self.owners[fd] = is_owned.then_some(owner);
        let starts = registration.wanted.is_empty() && !interest.is_empty();
        registration.wanted = interest;
        if starts {
            self.queue_last(owner, registration);
        } else if !registration.is_current() && !registration.queued {
            registration.queued = true;
            self.changed.push(owner);
        }
        Ok(())
    }

    /// Queues a handle that starts, even if its registration is up to date. A handle that has stopped
    /// and starts again moves to the end: as in libuv descriptors are registered in the order of the
    /// last starts, which becomes the order of the ready list.
    fn queue_last(&mut self, owner: HandleId, registration: &mut Registration) {
        if !std::mem::replace(&mut registration.queued, true) {
            self.changed.push(owner);
        } else if let Some(at) = self.changed.iter().rposition(|changed| *changed == owner) {
            // Mostly it is the last already.
            self.changed[at..].rotate_left(1);
        }
    }

    /// Registers the interest again before the next wait, with a driver that has lost it: after a fork
    /// or a renewal.
    pub fn rearm(&mut self, owner: HandleId, registration: &mut Registration) {
        registration.registered = Interest::empty();
        if !registration.wanted.is_empty() && !std::mem::replace(&mut registration.queued, true) {
            self.changed.push(owner);
        }
    }

    /// Ends interest and registration at once, because the descriptor may be closed at any time.
    pub fn deregister<F: Numbered>(
        &mut self,
        owner: HandleId,
        source: &mut Source<F>,
        driver: &mut impl Driver,
    ) {
        let (fd, registration) = source.parts();
        let registered = self.clear_owner(owner, fd, registration);
        if !registered.is_empty() {
            // Fails only if the descriptor is closed already, and so not registered.
            let _ = driver.set_interest(fd, key(owner), registered, Interest::empty());
        }
    }

    /// Ends the interest and closes the descriptor, which is not known to have duplicates.
    pub fn close(
        &mut self,
        owner: HandleId,
        source: &mut Source<Option<Descriptor>>,
        driver: &mut impl Driver,
    ) {
        let (fd, registration) = source.parts();
        let registered = self.clear_owner(owner, fd, registration);
        match source.fd.take() {
            None => {}
            Some(fd) if registered.is_empty() => mauve_sys::fd::close(fd),
            // Fails only as in `deregister`.
            Some(fd) => drop(driver.deregister_and_close(fd, key(owner), registered)),
        }
    }

    /// Ends the interest in a descriptor. Returns the interest that is still registered.
    fn clear_owner(
        &mut self,
        owner: HandleId,
        fd: RawDescriptor,
        registration: &mut Registration,
    ) -> Interest {
        if self.owner(fd) == Some(owner) {
            self.disown(fd);
        }
        registration.wanted = Interest::empty();
        std::mem::take(&mut registration.registered)
    }

    /// The handles whose interest may differ from their registration.
    pub fn changed(&self) -> &[HandleId] {
        &self.changed
    }

    /// Drops handles that no longer exist. The list is otherwise emptied only before a wait.
    pub fn retain_changed(&mut self, mut exists: impl FnMut(HandleId) -> bool) {
        self.changed.retain(|id| exists(*id));
    }
}

impl Registrations {
    /// `EEXIST` if a handle of this loop is interested in `fd`. Several handles may have one descriptor,
    /// but only one of them can be interested in it. The registration of a stream that has stopped
    /// reading ends here, because the caller is another handle that will register the descriptor.
    pub fn check_unwatched(
        &mut self,
        fd: RawDescriptor,
        table: &mut Table,
        driver: &mut impl Driver,
    ) -> Result<()> {
        let Some(owner) = self.owner(fd) else { return Ok(()) };
        if let Some((_, registration)) = table.source(owner) {
            if !registration.wanted.is_empty() {
                return Err(Errno::EEXIST);
            }
            registration.drop_unwanted(owner, fd, driver);
        }
        self.disown(fd);
        Ok(())
    }

    /// Whether a handle has an interest that is not registered with the driver yet.
    pub fn has_new(&self, table: &mut Table) -> bool {
        let mut changed = self.changed.iter();
        changed.any(|id| table.source(*id).is_some_and(|(_, registration)| registration.is_new()))
    }

    /// Makes the driver's registrations those of the interests. The handles of
    /// those that it refuses are deferred.
    pub fn reregister_changed(
        &mut self,
        table: &mut Table,
        driver: &mut impl Driver,
        deferred: &mut DeferredQueue,
    ) {
        for id in &self.changed {
            let Some((fd, registration)) = table.source(*id) else { continue };
            if let Err(error) = registration.reregister(*id, fd, driver) {
                deferred.push(Deferred::WatchFailed(*id, error));
            }
        }
        self.changed.clear();
    }

    /// Rearms all handles, in the order of their creation.
    pub fn rearm_all(&mut self, table: &mut Table) {
        let handles = table.ids();
        self.rearm_in_order(&handles, table);
    }

    /// Registers all interests in a forked child. As in libuv, in the order of the descriptors, which
    /// becomes the order of the ready list.
    pub fn rearm_by_descriptor(&mut self, table: &mut Table) {
        let mut handles = table.ids();
        let descriptor = |id: &HandleId| table.source(*id).map_or(0, |(fd, _)| fd as u64);
        sort_by_number(&mut handles, descriptor);
        self.rearm_in_order(&handles, table);
    }

    fn rearm_in_order(&mut self, handles: &[HandleId], table: &mut Table) {
        for id in handles {
            if let Some((_, registration)) = table.source(*id) {
                self.rearm(*id, registration);
            }
        }
    }

    /// Registers a descriptor that another handle also has, unless that handle is interested in it.
    #[cold]
    pub fn register_shared(
        &mut self,
        id: HandleId,
        interest: Interest,
        table: &mut Table,
        driver: &mut impl Driver,
    ) {
        let Some(fd) = table.source(id).map(|(fd, _)| fd) else { return };
        if self.check_unwatched(fd, table, driver).is_ok()
            && let Some(source) = table.source(id)
        {
            // Succeeds, because the descriptor has no owner now.
            let _ = self.register_parts(id, source, interest);
        }
    }
}

impl Registration {
    /// Makes the driver's registration that of the interest, if they differ.
    ///
    /// A stream or a datagram socket that has stopped reading stays registered: it often starts again
    /// before data arrives. If data arrives first, [`drop_unwanted`](Self::drop_unwanted) ends the
    /// registration. As in libuv, a socket that starts again in the poll phase of that event gets it.
    pub fn reregister(
        &mut self,
        owner: HandleId,
        fd: RawDescriptor,
        driver: &mut impl Driver,
    ) -> Result<()> {
        self.queued = false;
        let reads = is_stream(owner.kind()) || owner.kind() == HandleKind::Udp;
        let has_stopped = reads && self.wanted == self.registered.difference(Interest::READABLE);
        if self.is_current() || has_stopped {
            return Ok(());
        }
        driver.set_interest(fd, key(owner), self.registered, self.wanted)?;
        self.registered = self.wanted;
        Ok(())
    }

    /// Reregisters at once after an event that the handle is not interested in. A handle that was
    /// stopped and started since has none: it is registered before the next wait, after the descriptors
    /// that become ready until then.
    pub fn drop_unwanted(&mut self, owner: HandleId, fd: RawDescriptor, driver: &mut impl Driver) {
        // If the driver refuses, the event is reported again, and this is called again.
        if !self.registered.is_empty()
            && !self.is_current()
            && driver.set_interest(fd, key(owner), self.registered, self.wanted).is_ok()
        {
            self.registered = self.wanted;
        }
    }
}

fn key(owner: HandleId) -> Key {
    Key(owner.to_bits())
}
