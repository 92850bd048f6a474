//! Which handle watches which descriptor, and what the driver has been told about it.

use std::os::fd::{AsRawFd, OwnedFd, RawFd};

use mauve_sys::driver::{Driver, Interest, Key};
use mauve_sys::{Errno, Result};

use crate::Engine;
use crate::growth::make_room;
use crate::handle::stream::is_stream;
use crate::id::HandleId;

/// The key of the signal pipe. Not a valid handle.
pub(crate) const SIGNAL_PIPE: Key = Key(u64::MAX - 1);

/// The key of the file system watcher. Not a valid handle.
pub(crate) const FS_WATCHER: Key = Key(u64::MAX - 2);

/// The descriptor of one handle and the interest in it. A handle that owns its descriptor keeps it
/// here; the descriptor of others is a mere number.
pub(crate) struct Source<F = RawFd> {
    pub fd: F,
    pub watch: Watch,
}

/// The interest in a descriptor.
#[derive(Default)]
pub(crate) struct Watch {
    /// What the handle wants to hear about.
    wanted: Interest,
    /// What the driver watches.
    watched: Interest,
    /// Whether the handle stands in [`Watches::changed`].
    queued: bool,
    /// Something was reported that is not reported again, and has not been used up.
    pub unread: bool,
}

/// How a handle keeps its descriptor.
pub(crate) trait Descriptor {
    /// The number, or one that no descriptor has.
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

    /// The number of the descriptor, beside the interest in it.
    pub fn parts(&mut self) -> (RawFd, &mut Watch) {
        (self.fd.number(), &mut self.watch)
    }
}

impl Watch {
    #[inline]
    pub fn wanted(&self) -> Interest {
        self.wanted
    }

    /// Whether something is wanted, and the driver is to be asked for it before the loop waits.
    pub fn is_new(&self) -> bool {
        !self.wanted.is_empty() && self.queued
    }

    /// Whether the driver knows what is wanted, and has nothing to report again.
    fn is_settled(&self) -> bool {
        self.wanted == self.watched && !(self.unread && self.wanted.contains(Interest::EDGE))
    }
}

/// The watches of one engine. The driver hears of a change when the loop is about to wait, and
/// only if there still is one then.
#[derive(Default)]
pub(crate) struct Watches {
    /// The handle of each descriptor that waits for it, or for which it is still registered.
    owners: Vec<Option<HandleId>>,
    /// Handles whose interest may differ from what the driver knows.
    changed: Vec<HandleId>,
}

impl Watches {
    fn owner(&self, fd: RawFd) -> Option<HandleId> {
        *usize::try_from(fd).ok().and_then(|fd| self.owners.get(fd))?
    }

    /// Whether the driver knows all that is wanted.
    pub fn is_settled(&self) -> bool {
        self.changed.is_empty()
    }

    /// Changes what `owner` wants of its descriptor.
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
                // A registration that is left behind has its owner, too: see `settle`.
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

    /// Queues a handle that starts, also if the driver still knows what it wants. One that has
    /// stopped and starts again comes behind those that have started meanwhile: as with libuv
    /// descriptors are registered in the order of the last starts, which is the order of those that
    /// are ready.
    fn queue_last(&mut self, owner: HandleId, watch: &mut Watch) {
        if !std::mem::replace(&mut watch.queued, true) {
            self.changed.push(owner);
        } else if let Some(at) = self.changed.iter().rposition(|changed| *changed == owner) {
            // Mostly it is the last already.
            self.changed[at..].rotate_left(1);
        }
    }

    /// Has the driver told before the loop waits, if there is something to tell.
    pub fn review(&mut self, owner: HandleId, watch: &mut Watch) {
        if !watch.is_settled() && !watch.queued {
            watch.queued = true;
            self.changed.push(owner);
        }
    }

    /// The driver has refused what `owner` wants. It wants what is registered already, then.
    pub fn give_up<F: Descriptor>(&mut self, owner: HandleId, source: &mut Source<F>) {
        let (fd, watch) = source.parts();
        watch.wanted = watch.watched;
        if watch.watched.is_empty() && self.owner(fd) == Some(owner) {
            self.owners[fd as usize] = None;
        }
    }

    /// Withdraws all interest at once, because the descriptor may be gone the next moment.
    pub fn forget<F: Descriptor>(
        &mut self,
        owner: HandleId,
        source: &mut Source<F>,
        driver: &mut impl Driver,
    ) {
        let (fd, watch) = source.parts();
        let watched = self.disown(owner, fd, watch);
        if !watched.is_empty() {
            // Fails only if the descriptor is closed already, and then nothing watches it.
            let _ = driver.watch(fd, key(owner), watched, Interest::empty());
        }
    }

    /// The same for a driver that does not watch the descriptor: it has refused, or is a new one.
    pub fn release<F: Descriptor>(&mut self, owner: HandleId, source: &mut Source<F>) {
        let (fd, watch) = source.parts();
        self.disown(owner, fd, watch);
    }

    /// The same for a descriptor that is closed with it, and of which nobody else is known to have a
    /// copy.
    pub fn forget_and_close(
        &mut self,
        owner: HandleId,
        source: &mut Source<Option<OwnedFd>>,
        driver: &mut impl Driver,
    ) {
        let (fd, watch) = source.parts();
        let watched = self.disown(owner, fd, watch);
        match source.fd.take() {
            None => {}
            Some(fd) if watched.is_empty() => mauve_sys::fd::close(fd),
            // As above.
            Some(fd) => drop(driver.unwatch_and_close(fd, key(owner), watched)),
        }
    }

    /// Ends the interest in a descriptor; returns what the driver still watches.
    fn disown(&mut self, owner: HandleId, fd: RawFd, watch: &mut Watch) -> Interest {
        if self.owner(fd) == Some(owner) {
            self.owners[fd as usize] = None;
        }
        watch.wanted = Interest::empty();
        std::mem::take(&mut watch.watched)
    }

    /// The handles whose interest may differ from what the driver knows.
    pub fn changed(&self) -> &[HandleId] {
        &self.changed
    }

    /// The handles whose sources [`settle`] has to look at.
    pub fn take_changed(&mut self) -> Vec<HandleId> {
        std::mem::take(&mut self.changed)
    }

    /// Gives the emptied list back, so that its memory is used again.
    pub fn put_back(&mut self, mut changed: Vec<HandleId>) {
        changed.clear();
        self.changed = changed;
    }
}

impl<D: Driver> Engine<D> {
    /// Whether a handle of this loop waits for `fd`. Several handles may have one descriptor, but
    /// only one of them can wait for it. The registration of a stream that has stopped reading
    /// ends here, because the caller is another handle that will wait for the descriptor.
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

/// Tells the driver what the owner wants, if it does not know yet.
///
/// That a stream need not be read any more is not told: one that stops reading often starts again
/// before anything arrives. If something does, [`withdraw`] tells then.
pub(crate) fn settle(
    owner: HandleId,
    (fd, watch): (RawFd, &mut Watch),
    driver: &mut impl Driver,
) -> Result<()> {
    watch.queued = false;
    let stopped = watch.watched.difference(Interest::READABLE | Interest::EDGE);
    let may_wait = is_stream(owner.kind()) && watch.wanted == stopped;
    if watch.is_settled() || may_wait {
        return Ok(());
    }
    driver.watch(fd, key(owner), watch.watched, watch.wanted)?;
    watch.watched = watch.wanted;
    watch.unread = false;
    Ok(())
}

/// Has the driver report unread data again that is watched edge-triggered.
pub(crate) fn announce_unread(
    owner: HandleId,
    (fd, watch): (RawFd, &mut Watch),
    driver: &mut impl Driver,
) {
    let edge = watch.wanted == watch.watched && watch.wanted.contains(Interest::EDGE);
    // A driver that refuses is asked again when the loop polls.
    if edge && watch.unread && driver.watch(fd, key(owner), watch.watched, watch.wanted).is_ok() {
        watch.unread = false;
    }
}

/// Tells the driver that the owner does not want what has just been reported.
pub(crate) fn withdraw(
    owner: HandleId,
    (fd, watch): (RawFd, &mut Watch),
    driver: &mut impl Driver,
) {
    if watch.wanted != watch.watched {
        // A driver that refuses reports it again, and is told again.
        if driver.watch(fd, key(owner), watch.watched, watch.wanted).is_ok() {
            watch.watched = watch.wanted;
        }
    }
}

/// After a fork: the driver knows nothing, and all that is wanted has to be declared again.
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
