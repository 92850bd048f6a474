//! The writing ends of all mailboxes, and the handler that writes to them.
//!
//! Posts stand in a list that only grows: the handler walks it without a lock. A post whose
//! mailbox is gone is vacant and waits for the next mailbox.
//!
//! # Protocol
//!
//! The handler counts itself in at a post (`busy`), looks at what the post wants and at its
//! descriptor, writes, and counts itself out. Whoever closes the descriptor takes it out of the
//! post first and then waits until nobody is busy there; so nothing is ever written to a
//! descriptor that is closed, or used for something else by then.

use std::ffi::c_int;
use std::os::fd::{FromRawFd, IntoRawFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU32, AtomicU64, Ordering};

use crate::fork;

/// The size of a message: the number of the signal, and the epoch.
pub(super) const MESSAGE: usize = 8;

pub(super) fn decode(message: &[u8]) -> (i32, u32) {
    let (signal, epoch) = message.split_at(4);
    let word = |bytes: &[u8]| bytes.try_into().expect("four bytes");
    (i32::from_ne_bytes(word(signal)), u32::from_ne_bytes(word(epoch)))
}

const NONE: i32 = -1;

static FIRST: AtomicPtr<Post> = AtomicPtr::new(std::ptr::null_mut());

/// The writing end of one mailbox. Sets of signals are bits, the first signal the lowest.
pub(super) struct Post {
    next: AtomicPtr<Post>,
    occupied: AtomicBool,
    writer: AtomicI32,
    /// Handlers that may be writing.
    busy: AtomicU32,
    /// Which signals to write about.
    watched: AtomicU64,
    /// Those of them that have a lasting watcher.
    lasting: AtomicU64,
    epoch: AtomicU32,
    /// The process that the post belongs to: a forked child must not write to its parent's.
    process: AtomicU64,
}

impl Post {
    /// Gives a post to a new mailbox.
    pub fn occupy(writer: OwnedFd) -> &'static Self {
        let free = |post: &&Self| !post.occupied.swap(true, Ordering::AcqRel);
        let post = all().find(free).unwrap_or_else(Self::add);
        post.install(writer);
        post
    }

    fn add() -> &'static Self {
        let post: &'static Self = Box::leak(Box::new(Self {
            next: AtomicPtr::new(std::ptr::null_mut()),
            occupied: AtomicBool::new(true),
            writer: AtomicI32::new(NONE),
            busy: AtomicU32::new(0),
            watched: AtomicU64::new(0),
            lasting: AtomicU64::new(0),
            epoch: AtomicU32::new(0),
            process: AtomicU64::new(0),
        }));
        let pointer = std::ptr::from_ref(post).cast_mut();
        let mut first = FIRST.load(Ordering::Relaxed);
        loop {
            post.next.store(first, Ordering::Relaxed);
            match FIRST.compare_exchange(first, pointer, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => return post,
                Err(now) => first = now,
            }
        }
    }

    fn install(&self, writer: OwnedFd) {
        self.process.store(fork::generation(), Ordering::SeqCst);
        self.writer.store(writer.into_raw_fd(), Ordering::SeqCst);
    }

    /// Replaces the descriptor that is shared with the parent process.
    pub fn reoccupy(&self, writer: OwnedFd) {
        // Handlers that were busy at the fork are threads of the parent.
        self.busy.store(0, Ordering::SeqCst);
        self.close();
        self.install(writer);
    }

    /// Gives the post back. Nothing is watched for any more.
    pub fn vacate(&self) {
        self.close();
        self.occupied.store(false, Ordering::Release);
    }

    fn close(&self) {
        let writer = self.writer.swap(NONE, Ordering::SeqCst);
        // A vacated post of the parent may be counted busy for ever; it is nobody's then.
        let ours = self.process.load(Ordering::SeqCst) == fork::generation();
        while ours && self.busy.load(Ordering::SeqCst) != 0 {
            std::thread::yield_now();
        }
        if writer != NONE {
            // SAFETY: the descriptor that `install` took over, and the swap has made us its only
            // owner; no handler uses it any more.
            drop(unsafe { OwnedFd::from_raw_fd(writer) });
        }
    }

    /// A number that all messages from now on carry, or a later one.
    pub fn begin_epoch(&self) -> u32 {
        self.epoch.fetch_add(1, Ordering::SeqCst).wrapping_add(1)
    }

    /// Says whether a signal is watched for here, and whether for good.
    pub fn declare(&self, signal: i32, watched: bool, lasting: bool) {
        set(&self.watched, signal, watched);
        set(&self.lasting, signal, lasting);
    }

    fn write(&self, signal: i32) {
        self.busy.fetch_add(1, Ordering::SeqCst);
        let wanted = self.watched.load(Ordering::SeqCst) & bit(signal) != 0;
        let writer = self.writer.load(Ordering::SeqCst);
        let ours = self.process.load(Ordering::SeqCst) == fork::generation();
        if wanted && ours && writer != NONE {
            let mut message = [0; MESSAGE];
            message[..4].copy_from_slice(&signal.to_ne_bytes());
            message[4..].copy_from_slice(&self.epoch.load(Ordering::SeqCst).to_ne_bytes());
            // So short a message is written whole or not at all; not at all if thousands are
            // waiting, and then this one is lost.
            // SAFETY: a buffer and its size; the descriptor is open while we are counted busy.
            unsafe { libc::write(writer, message.as_ptr().cast(), MESSAGE) };
        }
        self.busy.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The process's handler. Touches atomics and calls `write`, as a handler may; `errno` is kept
/// for whoever was interrupted.
pub(super) extern "C" fn handle(signal: c_int) {
    // SAFETY: the address of the thread's own errno.
    let errno = unsafe { libc::__errno_location() };
    // SAFETY: see above.
    let before = unsafe { *errno };
    all().for_each(|post| post.write(signal));
    // SAFETY: see above.
    unsafe { *errno = before };
}

/// Whether anybody watches for the signal, and whether for good.
pub(super) fn demand(signal: i32) -> (bool, bool) {
    all().fold((false, false), |(watched, lasting), post| {
        let is_in = |set: &AtomicU64| set.load(Ordering::SeqCst) & bit(signal) != 0;
        (watched || is_in(&post.watched), lasting || is_in(&post.lasting))
    })
}

fn all() -> impl Iterator<Item = &'static Post> {
    let mut next = FIRST.load(Ordering::Acquire);
    std::iter::from_fn(move || {
        // SAFETY: null, or a post, which is never freed.
        let post = unsafe { next.as_ref() }?;
        next = post.next.load(Ordering::Acquire);
        Some(post)
    })
}

fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

fn set(bits: &AtomicU64, signal: i32, on: bool) {
    if on {
        bits.fetch_or(bit(signal), Ordering::SeqCst);
    } else {
        bits.fetch_and(!bit(signal), Ordering::SeqCst);
    }
}
