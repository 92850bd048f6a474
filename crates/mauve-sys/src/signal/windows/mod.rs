//! Signals on Windows: events of the console, which the system reports on a thread of its own.
//!
//! Ctrl-C is `SIGINT`, Ctrl-Break is `SIGBREAK`, and a closed console is `SIGHUP`. Other signals can be
//! watched, but are never delivered, as in libuv.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use windows_sys::Win32::System::Console::{
    CTRL_BREAK_EVENT, CTRL_C_EVENT, CTRL_CLOSE_EVENT, SetConsoleCtrlHandler,
};
use windows_sys::Win32::System::Threading::{INFINITE, Sleep};

use super::{Delivery, Epoch, MAX, SignalEvent};
use crate::descriptor::{AsDescriptor as _, BorrowedDescriptor};
use crate::event::Event;
use crate::{Errno, Result};

pub(crate) mod mask;
pub mod numbers;

pub use mask::block_all;

use numbers::{SIGBREAK, SIGHUP, SIGINT};

/// The queue of one loop.
struct Inbox {
    /// Set while `events` is not empty.
    is_pending: Event,
    state: Mutex<State>,
}

struct State {
    events: VecDeque<SignalEvent>,
    watchers: [Watchers; MAX as usize],
    epoch: u32,
}

/// How many watchers one signal has.
#[derive(Clone, Copy)]
struct Watchers {
    persistent: u32,
    oneshot: u32,
}

impl Watchers {
    fn of(&mut self, delivery: Delivery) -> &mut u32 {
        match delivery {
            Delivery::Persistent => &mut self.persistent,
            Delivery::OneShot => &mut self.oneshot,
        }
    }
}

/// The queues of all loops, and the signals whose default action a delivery has restored.
static INBOXES: Mutex<(Vec<Arc<Inbox>>, u64)> = Mutex::new((Vec::new(), 0));

/// A panic does not leave the data of these locks in a wrong state.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The event of a queue, opened before there is one.
pub struct PipeEnds(Event);

impl PipeEnds {
    /// Creates the event.
    pub fn open() -> Result<Self> {
        Event::new().map(Self)
    }
}

/// The queue through which a loop receives its signals.
pub struct SignalPipe(Arc<Inbox>);

impl SignalPipe {
    /// A queue without watchers.
    pub fn new(PipeEnds(is_pending): PipeEnds) -> Self {
        let watchers = [Watchers { persistent: 0, oneshot: 0 }; MAX as usize];
        let state = Mutex::new(State { events: VecDeque::new(), watchers, epoch: 0 });
        let inbox = Arc::new(Inbox { is_pending, state });
        lock(&INBOXES).0.push(inbox.clone());
        Self(inbox)
    }

    /// The descriptor that is readable when messages are pending.
    pub fn fd(&self) -> Result<BorrowedDescriptor<'_>> {
        Ok(self.0.is_pending.as_descriptor())
    }

    /// Adds a watcher of `signal`. `EINVAL` if the signal does not exist.
    pub fn watch(&mut self, signal: i32, delivery: Delivery) -> Result<Epoch> {
        let index = index(signal)?;
        install_handler()?;
        lock(&INBOXES).1 &= !(1 << index);
        let mut state = lock(&self.0.state);
        state.epoch = state.epoch.wrapping_add(1);
        *state.watchers[index].of(delivery) += 1;
        Ok(Epoch(state.epoch))
    }

    /// Removes a watcher. Returns the epoch that begins now.
    pub fn unwatch(&mut self, signal: i32, delivery: Delivery) -> Epoch {
        let mut state = lock(&self.0.state);
        *state.watchers[signal as usize - 1].of(delivery) -= 1;
        state.epoch = state.epoch.wrapping_add(1);
        Epoch(state.epoch)
    }

    /// Reads up to `N` messages, oldest first, and returns their number.
    pub fn read<const N: usize>(&self, receive: impl FnMut(SignalEvent)) -> usize {
        let mut state = lock(&self.0.state);
        let count = state.events.len().min(N);
        let read: Vec<_> = state.events.drain(..count).collect();
        if state.events.is_empty() {
            self.0.is_pending.reset();
        }
        drop(state);
        read.into_iter().for_each(receive);
        count
    }

    /// There are no forked children.
    pub fn reopen_after_fork(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Drop for SignalPipe {
    fn drop(&mut self) {
        lock(&INBOXES).0.retain(|inbox| !Arc::ptr_eq(inbox, &self.0));
    }
}

fn index(signal: i32) -> Result<usize> {
    // There are no signals above it.
    if (1..=numbers::SIGWINCH).contains(&signal) {
        Ok(signal as usize - 1)
    } else {
        Err(Errno::EINVAL)
    }
}

/// Delivers a signal to the loops that watch it. Returns whether there is one. If all its watchers are
/// one-shot, the next delivery has the default action, unless it is watched again.
pub(crate) fn deliver(signal: i32) -> bool {
    let index = signal as usize - 1;
    let mut inboxes = lock(&INBOXES);
    let (all, restored) = &mut *inboxes;
    if *restored & 1 << index != 0 {
        return false;
    }
    let (mut delivered, mut persistent) = (false, false);
    for inbox in all {
        let mut state = lock(&inbox.state);
        let watchers = state.watchers[index];
        let count = watchers.persistent + watchers.oneshot;
        if count > 0 {
            let (watchers, epoch) = (count.try_into().unwrap_or(u16::MAX), state.epoch);
            state.events.push_back(SignalEvent { signal, watchers, epoch });
            inbox.is_pending.set();
        }
        delivered |= count > 0;
        persistent |= watchers.persistent > 0;
    }
    if delivered && !persistent {
        *restored |= 1 << index;
    }
    delivered
}

/// Installs the handler for events of the console, once.
fn install_handler() -> Result<()> {
    static INSTALLED: Mutex<bool> = Mutex::new(false);
    let mut installed = lock(&INSTALLED);
    if !*installed {
        // SAFETY: the handler is a function of this program, which is never unloaded before it is called.
        if unsafe { SetConsoleCtrlHandler(Some(handle_event), 1) } == 0 {
            return Err(Errno::last());
        }
        *installed = true;
    }
    Ok(())
}

/// Called by the system on a thread of its own. Returns whether the event is handled.
unsafe extern "system" fn handle_event(event: u32) -> windows_sys::core::BOOL {
    let signal = match event {
        CTRL_C_EVENT => SIGINT,
        CTRL_BREAK_EVENT => SIGBREAK,
        CTRL_CLOSE_EVENT => SIGHUP,
        _ => return 0,
    };
    let delivered = deliver(signal);
    if delivered && signal == SIGHUP {
        // The system ends the process when this function returns. It waits for some seconds, in which the
        // program may react.
        // SAFETY: takes a number.
        unsafe { Sleep(INFINITE) };
    }
    delivered.into()
}

/// Does nothing: no signal is ignored when a program starts.
pub fn reset_ignored() {}

#[cfg(test)]
mod tests {
    use super::*;

    fn pipe() -> SignalPipe {
        SignalPipe::new(PipeEnds::open().unwrap())
    }

    fn read(pipe: &SignalPipe) -> Vec<SignalEvent> {
        let mut events = Vec::new();
        while pipe.read::<2>(|event| events.push(event)) > 0 {}
        events
    }

    #[test]
    fn signals_are_delivered_to_all_loops_that_watch_them() {
        // No other test uses this signal.
        const SIGNAL: i32 = 20;
        let (mut one, mut other) = (pipe(), pipe());
        assert!(!deliver(SIGNAL));
        let epoch = one.watch(SIGNAL, Delivery::Persistent).unwrap();
        other.watch(SIGNAL, Delivery::OneShot).unwrap();
        other.watch(SIGNAL, Delivery::OneShot).unwrap();
        for _ in 0..3 {
            assert!(deliver(SIGNAL));
        }
        let events = read(&one);
        assert_eq!(events.len(), 3);
        assert!(events.iter().all(|event| event.is_since(epoch) && event.watchers == 1));
        assert_eq!(read(&other)[0].watchers, 2);
        let later = one.unwatch(SIGNAL, Delivery::Persistent);
        assert!(!events[0].is_since(later));
        // The rest is one-shot.
        assert_eq!([deliver(SIGNAL), deliver(SIGNAL)], [true, false]);
        other.watch(SIGNAL, Delivery::OneShot).unwrap();
        assert!(deliver(SIGNAL));
        drop(other);
        assert!(!deliver(SIGNAL));
        for none in [0, 29, -1] {
            assert_eq!(one.watch(none, Delivery::Persistent), Err(Errno::EINVAL));
        }
    }
}
