//! The kinds of handle: their state, and the operations on them.
//!
//! `engine.timer(id)` and similar methods borrow one handle for one operation. They return `None` for
//! a stale id. The host decides what a use after close means: an error in Rust, a named abort in C.

pub mod async_;
pub mod fs_event;
pub mod fs_poll;
pub mod hook;
mod open;
pub mod poll;
pub mod process;
pub mod signal;
pub(crate) mod socket;
pub mod stream;
pub mod timer;
pub mod udp;

use mauve_sys::child_exit::ChildWatch;
use mauve_sys::driver::Driver;

use crate::Engine;
use crate::id::{HandleId, HandleKind, Token};
use crate::slab::{Body, Life, Slab};
use crate::sort::sort_by_number;

/// The status of a handle of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// The host's token.
    pub token: Token,
    /// It is active: a timer runs, a hook is started.
    pub active: bool,
    /// It keeps the loop alive while active.
    pub referenced: bool,
    /// It was closed, and its close completion is not reported yet.
    pub closing: bool,
    /// It belongs to the engine itself.
    pub internal: bool,
}

impl<D: Driver> Engine<D> {
    /// The status of a handle; `None` if the id is stale.
    pub fn status(&mut self, id: HandleId) -> Option<Status> {
        self.table.head(id).map(|head| Status {
            token: head.token,
            active: head.life() == Life::Active,
            referenced: head.is_referenced(),
            closing: head.life() == Life::Closing,
            internal: head.is_internal(),
        })
    }

    /// Sets whether the handle, while active, keeps the loop alive. Nothing happens for a stale id.
    #[doc(alias = "uv_ref")]
    #[doc(alias = "uv_unref")]
    pub fn set_referenced(&mut self, id: HandleId, referenced: bool) {
        if let Some(head) = self.table.head(id) {
            head.set_referenced(referenced, &mut self.active);
        }
    }

    /// Marks a handle as internal: it is not listed, and the loop can be closed while it exists.
    pub fn hide(&mut self, id: HandleId) {
        if let Some(head) = self.table.head(id) {
            head.set_internal();
        }
    }

    /// Closes a handle. It is inactive from now on, and the close phase reports
    /// [`Completion::Close`]. Returns false, and does nothing, if it is closing already or stale.
    ///
    /// [`Completion::Close`]: crate::Completion::Close
    #[doc(alias = "uv_close")]
    pub fn close_handle(&mut self, id: HandleId) -> bool {
        match self.table.head(id) {
            None => return false,
            Some(head) if head.life() == Life::Closing => return false,
            Some(_) => {}
        }
        match id.kind() {
            HandleKind::Timer => self.timer(id).expect("found above").stop(),
            HandleKind::Idle | HandleKind::Prepare | HandleKind::Check => {
                self.hook(id).expect("found above").stop()
            }
            HandleKind::Async => self.wakeups.close_node(&mut self.table.asyncs, id),
            HandleKind::Poll => self.poll(id).expect("found above").stop(),
            HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty => {
                self.stream(id).expect("found above").close_descriptor()
            }
            HandleKind::Udp => self.udp(id).expect("found above").close_descriptor(),
            HandleKind::Process => self.process(id).expect("found above").stop_waiting_for_close(),
            HandleKind::FsEvent => self.fs_event(id).expect("found above").stop(),
            HandleKind::FsPoll => self.fs_poll(id).expect("found above").stop(),
            HandleKind::Signal => self.signal(id).expect("found above").stop(),
        }
        let head = self.table.head(id).expect("found above");
        head.begin_closing(&mut self.active);
        let (token, is_internal) = (head.token, head.is_internal());
        let waits = id.kind() == HandleKind::FsPoll
            && self.fs_poll(id).is_some_and(|mut poll| poll.has_timers());
        if !waits {
            self.closing.push(id);
        }
        // The timer of a file system poll has no close completion.
        if !is_internal {
            self.trace_closing(token);
        }
        true
    }

    /// Removes a timer at once, for a host that has no close callback for it. There is no close
    /// completion, so the loop does not have to run a close phase. Nothing happens for a stale id.
    pub fn discard_timer(&mut self, id: HandleId) {
        let Some(mut timer) = self.timer(id) else { return };
        timer.stop();
        let Some(head) = self.table.head(id).filter(|head| head.life() != Life::Closing) else {
            return;
        };
        let token = head.token;
        self.trace_closing(token);
        self.end_handle(id);
    }

    /// Removes a handle that the program has overwritten without closing it. There is no close
    /// completion, or one with [`Token::ABANDONED`] after those of its requests. The descriptor of a
    /// socket stays open, as in libuv, because the program may use it.
    pub fn abandon(&mut self, id: HandleId) {
        let leaked = match id.kind() {
            HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty => {
                self.stream(id).and_then(|mut s| s.detach())
            }
            HandleKind::Udp => self.udp(id).and_then(|mut udp| udp.detach()),
            _ => None,
        };
        // The program owns the descriptor from now on.
        let _ = leaked.map(mauve_sys::fd::leave_open);
        if !self.close_handle(id) {
            return;
        }
        let has_requests = match id.kind() {
            HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty => {
                self.stream(id).is_some_and(|mut stream| stream.has_requests())
            }
            HandleKind::Udp => self.udp(id).is_some_and(|mut udp| udp.send_queue().count > 0),
            HandleKind::FsPoll => self.fs_poll(id).is_some_and(|mut poll| poll.has_timers()),
            _ => false,
        };
        if !has_requests {
            self.closing.pop();
            self.end_handle(id);
        } else if let Some(head) = self.table.head(id) {
            head.set_internal();
            head.token = Token::ABANDONED;
        }
    }

    /// Whether the host should call [`abandon_overwritten`](Self::abandon_overwritten): the number of
    /// inactive handles has about doubled since it was called.
    #[inline]
    pub fn may_have_overwritten(&mut self) -> bool {
        self.table.may_have_overwritten(self.active.handles())
    }

    /// For a host whose tokens are addresses of handles: [abandons](Self::abandon) inactive handles whose
    /// address belongs to a newer handle, so that a program which initialises a handle again and again
    /// does not grow.
    #[cold]
    #[inline(never)]
    pub fn abandon_overwritten(&mut self) {
        if !self.table.tokens_ascend() {
            self.abandon_older_of_token();
        }
        self.table.end_overwritten_check(self.active.handles());
    }

    /// Abandons inactive handles with the token of a newer one.
    fn abandon_older_of_token(&mut self) {
        let mut handles = self.handles(false);
        // A stable sort: the newest handle of an address is the last.
        sort_by_number(&mut handles, |(_, token)| token.0);
        for pair in handles.windows(2) {
            let [(old, token), (_, newer)] = *pair else { continue };
            let is_inactive =
                self.table.head(old).is_some_and(|head| head.life() == Life::Inactive);
            if token == newer && is_inactive {
                self.abandon(old);
            }
        }
        let Self { registrations, table, .. } = self;
        registrations.retain_changed(|id| table.source(id).is_some());
    }

    /// Stops waiting for the children of handles whose token `is_taken`, and returns them. For a host
    /// that drops the loop. A child may be reaped already.
    pub fn take_children(&mut self, is_taken: impl Fn(Token) -> bool) -> Vec<ChildWatch> {
        let processes = self.table.processes.iter();
        let taken = processes.filter(|(_, entry)| is_taken(entry.head.token));
        let taken: Vec<_> = taken.map(|(id, _)| id).collect();
        taken.into_iter().filter_map(|id| self.process(id)?.take_child()).collect()
    }

    /// Removes a closing handle. Its id is stale from now on.
    pub(crate) fn end_handle(&mut self, id: HandleId) {
        let index = id.index();
        match id.kind() {
            HandleKind::Timer => remove(&mut self.table.timers, index),
            HandleKind::Idle => remove(&mut self.table.idles, index),
            HandleKind::Prepare => remove(&mut self.table.prepares, index),
            HandleKind::Check => remove(&mut self.table.checks, index),
            HandleKind::Async => async_::remove(&mut self.table.asyncs, index),
            HandleKind::Poll => remove(&mut self.table.polls, index),
            HandleKind::Tcp | HandleKind::Pipe | HandleKind::Tty => {
                self.streams.free_cold(&mut self.table.streams[index].body);
                remove(&mut self.table.streams, index);
            }
            HandleKind::Udp => remove(&mut self.table.udps, index),
            HandleKind::Signal => remove(&mut self.table.signals, index),
            HandleKind::Process => remove(&mut self.table.processes, index),
            HandleKind::FsEvent => remove(&mut self.table.fs_events, index),
            HandleKind::FsPoll => remove(&mut self.table.fs_polls, index),
        }
    }

    /// All handles in the order of their creation, with or without internal ones.
    #[doc(alias = "uv_walk")]
    pub fn handles(&self, internal: bool) -> Vec<(HandleId, Token)> {
        let all = self.table.all().into_iter();
        all.filter(|(_, head, _)| internal || !head.is_internal())
            .map(|(id, head, _)| (id, head.token))
            .collect()
    }

    pub(crate) fn has_user_handles(&self) -> bool {
        self.table.all().iter().any(|(_, head, _)| !head.is_internal())
    }
}

fn remove<T: Body>(slab: &mut Slab<T>, index: u32) {
    slab.remove(index);
    slab.recycle(index);
}
