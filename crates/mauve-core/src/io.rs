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
use crate::id::{HandleId, HandleKind};

/// The key of the signal pipe. Not a valid handle.
pub(crate) const SIGNAL_PIPE: Key = Key(u64::MAX - 1);

/// The key of the file system watcher. Not a valid handle.
pub(crate) const FS_WATCHER: Key = Key(u64::MAX - 2);

/// The descriptor of one handle and the interest in it. `F` is `Option<OwnedFd>` for a handle that
/// owns its descriptor, and a number for others.
pub(crate) struct Source<F = RawFd> {
    pub fd: F,
    pub watch: Watch,
}

/// The interest in a descriptor.
#[derive(Default)]
pub(crate) struct Watch {
    /// The interest of the handle.
    wanted: Interest,
    /// The interest that is registered with the driver.
    watched: Interest,
    /// Whether the handle is in [`Watches::changed`].
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
        Self { fd, watch: Watch::default() }
    }

    #[inline]
    pub fn wanted(&self) -> Interest {
        self.watch.wanted
    }

    /// The number of the descriptor, and the interest in it.
    pub fn parts(&mut self) -> (RawFd, &mut Watch) {
        (self.fd.number(), &mut self.watch)
    }
}

impl Watch {
    #[inline]
    pub fn wanted(&self) -> Interest {
        self.wanted
    }

    /// Whether there is an interest that is not registered yet.
    pub fn is_new(&self) -> bool {
        !self.wanted.is_empty() && self.queued
    }

    /// Whether the registration is up to date.
    fn is_settled(&self) -> bool {
        self.wanted == self.watched
    }
}

/// The interests of one engine's handles.
#[derive(Default)]
pub(crate) struct Watches {
    /// By descriptor: the handle that is interested in it, or for which it is still registered.
    owners: Vec<Option<HandleId>>,
    /// Handles whose interest may differ from their registration.
    changed: Vec<HandleId>,
}

impl Watches {
    fn owner(&self, fd: RawFd) -> Option<HandleId> {
        *usize::try_from(fd).ok().and_then(|fd| self.owners.get(fd))?
    }

    /// Whether all registrations are up to date.
    pub fn is_settled(&self) -> bool {
        self.changed.is_empty()
    }

    /// Changes the interest of `owner`. `EEXIST` if another handle is interested in the descriptor.
    pub fn want<F: Descriptor>(
        &mut self,
        owner: HandleId,
        source: &mut Source<F>,
        interest: Interest,
    ) -> Result<()> {
        let fd = usize::try_from(source.fd.number()).map_err(|_| Errno::EBADF)?;
        if fd >= self.owners.len() {
            let more = fd + 1 - self.owners.len();
            make_room(&mut self.owners, more);
            self.owners.resize(fd + 1, None);
        }
        match self.owners[fd] {
            Some(other) if other != owner => return Err(Errno::EEXIST),
            _ => {
                // A registration without an interest has an owner, too: see `settle`.
                let registered = !interest.is_empty() || !source.watch.watched.is_empty();
                self.owners[fd] = registered.then_some(owner);
            }
        }
        let starts = source.watch.wanted.is_empty() && !interest.is_empty();
        source.watch.wanted = interest;
        if starts {
            self.queue_last(owner, &mut source.watch);
        } else {
            self.review(owner, &mut source.watch);
        }
        Ok(())
    }

    /// Queues a handle that starts, even if its registration is up to date. A handle that has stopped
    /// and starts again moves to the end: as in libuv descriptors are registered in the order of the
    /// last starts, which becomes the order of the ready list.
    fn queue_last(&mut self, owner: HandleId, watch: &mut Watch) {
        if !std::mem::replace(&mut watch.queued, true) {
            self.changed.push(owner);
        } else if let Some(at) = self.changed.iter().rposition(|changed| *changed == owner) {
            // Usually it is the last already.
            self.changed[at..].rotate_left(1);
        }
    }

    /// Queues an update of the registration before the next wait, unless it is up to date.
    fn review(&mut self, owner: HandleId, watch: &mut Watch) {
        if !watch.is_settled() && !watch.queued {
            watch.queued = true;
            self.changed.push(owner);
        }
    }

    /// Queues a handle whose registration is up to date, so that a later change is registered in this
    /// place.
    #[inline]
    pub fn reserve_place(&mut self, owner: HandleId, watch: &mut Watch) {
        if !watch.wanted.is_empty() && !std::mem::replace(&mut watch.queued, true) {
            self.changed.push(owner);
        }
    }

    /// Resets the interest to what is registered, because the driver has refused the change.
    pub fn revert<F: Descriptor>(&mut self, owner: HandleId, source: &mut Source<F>) {
        let (fd, watch) = source.parts();
        watch.wanted = watch.watched;
        if watch.watched.is_empty() && self.owner(fd) == Some(owner) {
            self.owners[fd as usize] = None;
        }
    }

    /// Ends interest and registration at once, because the descriptor may be closed at any time.
    pub fn deregister<F: Descriptor>(
        &mut self,
        owner: HandleId,
        source: &mut Source<F>,
        driver: &mut impl Driver,
    ) {
        let (fd, watch) = source.parts();
        let watched = self.clear_owner(owner, fd, watch);
        if !watched.is_empty() {
            // Fails only if the descriptor is closed already, and so not registered.
            let _ = driver.set_interest(fd, key(owner), watched, Interest::empty());
        }
    }

    /// Ends the interest in a descriptor that is not registered with the driver: the driver has
    /// refused it, or was renewed.
    pub fn release<F: Descriptor>(&mut self, owner: HandleId, source: &mut Source<F>) {
        let (fd, watch) = source.parts();
        self.clear_owner(owner, fd, watch);
    }

    /// Ends the interest and closes the descriptor, which is not known to have duplicates.
    pub fn deregister_and_close(
        &mut self,
        owner: HandleId,
        source: &mut Source<Option<OwnedFd>>,
        driver: &mut impl Driver,
    ) {
        let (fd, watch) = source.parts();
        let watched = self.clear_owner(owner, fd, watch);
        match source.fd.take() {
            None => {}
            Some(fd) if watched.is_empty() => mauve_sys::fd::close(fd),
            // Fails only as in `deregister`.
            Some(fd) => drop(driver.deregister_and_close(fd, key(owner), watched)),
        }
    }

    /// Ends the interest in a descriptor. Returns the interest that is still registered.
    fn clear_owner(&mut self, owner: HandleId, fd: RawFd, watch: &mut Watch) -> Interest {
        if self.owner(fd) == Some(owner) {
            self.owners[fd as usize] = None;
        }
        watch.wanted = Interest::empty();
        std::mem::take(&mut watch.watched)
    }

    /// The handles whose interest may differ from their registration.
    pub fn changed(&self) -> &[HandleId] {
        &self.changed
    }

    /// Takes the handles for which [`settle`] is to be called.
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
        let Some(owner) = self.watches.owner(fd) else { return false };
        if let Some((_, watch)) = self.table.source(owner) {
            if !watch.wanted.is_empty() {
                return true;
            }
            withdraw(owner, (fd, watch), &mut self.driver);
        }
        self.watches.owners[fd as usize] = None;
        false
    }
}

/// Registers the interest of the owner, if it differs from the registration.
///
/// A stream or a datagram socket that has stopped reading stays registered: it often starts again before
/// data arrives. If data arrives first, [`withdraw`] ends the registration. As in libuv, a socket that
/// starts again in the poll phase of that event gets it.
pub(crate) fn settle(
    owner: HandleId,
    (fd, watch): (RawFd, &mut Watch),
    driver: &mut impl Driver,
) -> Result<()> {
    watch.queued = false;
    let stopped = watch.watched.difference(Interest::READABLE);
    let reads = is_stream(owner.kind()) || owner.kind() == HandleKind::Udp;
    let may_wait = reads && watch.wanted == stopped;
    if watch.is_settled() || may_wait {
        return Ok(());
    }
    driver.set_interest(fd, key(owner), watch.watched, watch.wanted)?;
    watch.watched = watch.wanted;
    Ok(())
}

/// Ends a registration that has just reported an event without interest. A handle that was stopped and
/// started since has none: it is registered before the next wait, after the descriptors that become
/// ready until then.
pub(crate) fn withdraw(
    owner: HandleId,
    (fd, watch): (RawFd, &mut Watch),
    driver: &mut impl Driver,
) {
    if !watch.watched.is_empty() && watch.wanted != watch.watched {
        // If the driver refuses, the event is reported again, and this is called again.
        if driver.set_interest(fd, key(owner), watch.watched, watch.wanted).is_ok() {
            watch.watched = watch.wanted;
        }
    }
}

/// Queues the registration of the interest with a driver that has lost it, after a fork or a renewal.
pub(crate) fn redeclare(owner: HandleId, watch: &mut Watch, watches: &mut Watches) {
    watch.watched = Interest::empty();
    if !watch.wanted.is_empty() && !watch.queued {
        watch.queued = true;
        watches.changed.push(owner);
    }
}

fn key(owner: HandleId) -> Key {
    Key(owner.to_bits())
}
