//! Interests of handles in descriptors, and their registration with the driver.
//!
//! A handle changes its interest at any time. The loop registers the change before it waits, and only
//! if interest and registration still differ.

use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use mauve_sys::driver::{Driver, Interest, Key};
use mauve_sys::{Errno, Result};

use crate::Engine;
use crate::growth::make_room;
use crate::handle::stream::is_stream;
use crate::id::{HandleId, HandleKind, Token};
use crate::phase::Deferred;

/// The key of the signal pipe. Not a valid handle.
pub(crate) const SIGNAL_PIPE: Key = Key(u64::MAX - 1);

/// The key of the file system watcher. Not a valid handle.
pub(crate) const FS_WATCHER: Key = Key(u64::MAX - 2);

/// The descriptor of one handle and the interest in it. `F` is `Option<OwnedFd>` for a handle that
/// owns its descriptor, and a number for others.
pub(crate) struct Source<F = RawFd> {
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
pub(crate) trait Descriptor {
    /// The number of the descriptor, or -1.
    fn number(&self) -> RawFd;
}

impl Descriptor for RawFd {
    #[inline]
    fn number(&self) -> RawFd {
        *self
    }
}

impl Descriptor for Option<OwnedFd> {
    #[inline]
    fn number(&self) -> RawFd {
        self.as_ref().map_or(-1, OwnedFd::as_raw_fd)
    }
}

impl<F: Descriptor> Source<F> {
    pub fn new(fd: F) -> Self {
        Self { fd, registration: Registration::default() }
    }

    #[inline]
    pub fn wanted(&self) -> Interest {
        self.registration.wanted
    }

    /// The number of the descriptor, and the interest in it.
    pub fn parts(&mut self) -> (RawFd, &mut Registration) {
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

impl Registrations {
    fn owner(&self, fd: RawFd) -> Option<HandleId> {
        *usize::try_from(fd).ok().and_then(|fd| self.owners.get(fd))?
    }

    /// Whether all registrations are up to date.
    pub fn are_current(&self) -> bool {
        self.changed.is_empty()
    }

    /// Sets the interest of `owner`, which is registered with the driver before the next wait. `EEXIST`
    /// if another handle is interested in the descriptor.
    pub fn register<F: Descriptor>(
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
        (fd, registration): (RawFd, &mut Registration),
        interest: Interest,
    ) -> Result<()> {
        let fd = usize::try_from(fd).map_err(|_| Errno::EBADF)?;
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

    /// Queues a handle whose registration is up to date, so that a later change is registered at this
    /// position.
    #[inline]
    pub fn queue(&mut self, owner: HandleId, registration: &mut Registration) {
        if !registration.wanted.is_empty() && !std::mem::replace(&mut registration.queued, true) {
            self.changed.push(owner);
        }
    }

    /// Registers the interest again before the next wait, with a driver that has lost it: after a fork
    /// or a renewal.
    pub fn rearm(&mut self, owner: HandleId, registration: &mut Registration) {
        registration.registered = Interest::empty();
        self.queue(owner, registration);
    }

    /// Ends interest and registration at once, because the descriptor may be closed at any time.
    pub fn deregister<F: Descriptor>(
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
        source: &mut Source<Option<OwnedFd>>,
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
        fd: RawFd,
        registration: &mut Registration,
    ) -> Interest {
        if self.owner(fd) == Some(owner) {
            self.owners[fd as usize] = None;
        }
        registration.wanted = Interest::empty();
        std::mem::take(&mut registration.registered)
    }

    /// The handles whose interest may differ from their registration.
    pub fn changed(&self) -> &[HandleId] {
        &self.changed
    }

    /// Takes the handles for which [`reregister`](Registration::reregister) is to be called.
    pub fn take_changed(&mut self) -> Vec<HandleId> {
        std::mem::take(&mut self.changed)
    }

    /// Returns the list, so that its memory is reused.
    pub fn put_back(&mut self, mut changed: Vec<HandleId>) {
        changed.clear();
        self.changed = changed;
    }
}

impl<D: Driver> Engine<D> {
    /// Whether a handle of this loop is interested in `fd`. Several handles may have one descriptor,
    /// but only one of them can be interested in it. The registration of a stream that has stopped
    /// reading ends here, because the caller is another handle that will register the descriptor.
    pub(crate) fn is_watched(&mut self, fd: RawFd) -> bool {
        let Some(owner) = self.registrations.owner(fd) else { return false };
        if let Some((_, registration)) = self.table.source(owner) {
            if !registration.wanted.is_empty() {
                return true;
            }
            registration.drop_unwanted(owner, fd, &mut self.driver);
        }
        self.registrations.owners[fd as usize] = None;
        false
    }

    /// Whether a handle has an interest that is not registered with the driver yet.
    pub(crate) fn has_new_registrations(&mut self) -> bool {
        let Self { registrations, table, .. } = self;
        let mut changed = registrations.changed().iter();
        changed.any(|id| table.source(*id).is_some_and(|(_, watch)| watch.is_new()))
    }

    #[inline(never)]
    pub(crate) fn reregister_changed(&mut self) {
        let changed = self.registrations.take_changed();
        for id in &changed {
            let Some((fd, registration)) = self.table.source(*id) else { continue };
            if let Err(error) = registration.reregister(*id, fd, &mut self.driver) {
                self.deferred.queue.push_back(Deferred::WatchFailed(*id, error));
            }
        }
        self.registrations.put_back(changed);
    }

    /// Handles an event with a stale key. The kernel keeps a registration whose descriptor was closed
    /// while a duplicate is open. The driver then drops all registrations, and all interests are registered again.
    #[cold]
    pub(crate) fn renew_driver(&mut self) {
        // If this fails, the next event with a stale key tries again.
        if self.driver.handle_stale_event() == Ok(true) {
            self.rearm_all();
            self.reregister_changed();
            self.rearm_signal_pipe();
            self.rearm_fs_watcher();
        }
    }

    /// The driver's descriptor, for a program that polls it.
    #[doc(alias = "uv_backend_fd")]
    pub fn nested_descriptor(&mut self) -> Option<RawFd> {
        self.renew_driver();
        self.driver.embed()
    }

    fn rearm_all(&mut self) {
        let handles = self.handles(true);
        self.rearm_in_order(&handles);
    }

    /// Registers all interests in a forked child. As in libuv, in the order of the descriptors, which
    /// becomes the order of the ready list.
    pub(crate) fn rearm_by_descriptor(&mut self) {
        let mut handles = self.handles(true);
        handles.sort_by_key(|(id, _)| self.table.source(*id).map(|(fd, _)| fd));
        self.rearm_in_order(&handles);
    }

    fn rearm_in_order(&mut self, handles: &[(HandleId, Token)]) {
        for (id, _) in handles {
            if let Some((_, registration)) = self.table.source(*id) {
                self.registrations.rearm(*id, registration);
            }
        }
    }

    /// Registers a descriptor that another handle also has, unless that handle is interested in it.
    #[cold]
    pub(crate) fn register_shared(&mut self, id: HandleId, interest: Interest) {
        let Some(fd) = self.table.source(id).map(|(fd, _)| fd) else { return };
        if !self.is_watched(fd)
            && let Some(source) = self.table.source(id)
        {
            // Succeeds, because the descriptor has no owner now.
            let _ = self.registrations.register_parts(id, source, interest);
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
        fd: RawFd,
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
    pub fn drop_unwanted(&mut self, owner: HandleId, fd: RawFd, driver: &mut impl Driver) {
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
