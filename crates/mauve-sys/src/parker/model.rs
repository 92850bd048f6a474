//! The protocol of the parker, in all interleavings.

use loom::sync::atomic::AtomicBool;
use loom::sync::atomic::AtomicU32;
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;

use super::{NOTIFIED, Ordering, PARKED, RUNNING, Shared, State, Then};

shared!(loom);

/// The kernel's side: the descriptor and the futex's queue.
struct Kernel {
    state: State<AtomicU32>,
    embedded: AtomicBool,
    descriptor: Mutex<bool>,
    written: Condvar,
    queue: Mutex<()>,
    woken: Condvar,
}

impl Kernel {
    fn new(state: u32) -> Arc<Self> {
        Arc::new(Self {
            state: State(AtomicU32::new(state)),
            embedded: AtomicBool::new(false),
            descriptor: Mutex::new(false),
            written: Condvar::new(),
            queue: Mutex::new(()),
            woken: Condvar::new(),
        })
    }

    fn notify(&self) {
        match self.state.notify() {
            Then::Nothing => {}
            Then::WriteDescriptor => {
                *self.descriptor.lock().unwrap() = true;
                self.written.notify_one();
            }
            Then::WakeFutex => self.wake(),
        }
    }

    fn wake(&self) {
        let _queue = self.queue.lock().unwrap();
        self.woken.notify_one();
    }

    /// A sleep without end, unless there is a notification.
    fn park(&self) -> bool {
        if self.state.park() && !self.embedded.load(Ordering::Relaxed) {
            let queue = self.queue.lock().unwrap();
            if self.state.0.get() == PARKED {
                drop(self.woken.wait(queue).unwrap());
            }
        }
        self.state.finish()
    }

    /// A wait without end for the descriptor. An event of it without a notification is stale.
    fn select(&self) {
        loop {
            let mut written = self.descriptor.lock().unwrap();
            while !*written {
                written = self.written.wait(written).unwrap();
            }
            *written = false;
            drop(written);
            if self.state.take() {
                return;
            }
        }
    }

    fn embed(&self) {
        self.embedded.store(true, Ordering::Relaxed);
        if self.state.interrupt() {
            self.wake();
        }
    }
}

/// Runs `act` on another thread.
fn beside(kernel: &Arc<Kernel>, act: fn(&Kernel)) -> thread::JoinHandle<()> {
    let kernel = kernel.clone();
    thread::spawn(move || act(&kernel))
}

#[test]
fn a_loop_that_parks_is_woken() {
    loom::model(|| {
        let kernel = Kernel::new(RUNNING);
        let other = beside(&kernel, Kernel::notify);
        assert!(kernel.park());
        other.join().unwrap();
    });
}

#[test]
fn a_loop_that_was_left_parked_is_woken() {
    for state in [PARKED, NOTIFIED] {
        loom::model(move || {
            let kernel = Kernel::new(state);
            let other = beside(&kernel, Kernel::notify);
            assert!(kernel.park());
            other.join().unwrap();
        });
    }
}

#[test]
fn a_loop_that_waits_in_its_selector_after_it_was_parked_is_woken() {
    loom::model(|| {
        let kernel = Kernel::new(PARKED);
        let other = beside(&kernel, Kernel::notify);
        if !kernel.state.finish() {
            kernel.select();
        }
        other.join().unwrap();
    });
}

#[test]
fn each_of_two_notifications_is_taken_parked_or_in_the_selector() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let kernel = Kernel::new(RUNNING);
        let first = beside(&kernel, Kernel::notify);
        assert!(kernel.park());
        // The first one may still be about to write to the descriptor.
        let second = beside(&kernel, Kernel::notify);
        kernel.select();
        first.join().unwrap();
        second.join().unwrap();
    });
}

#[test]
fn a_loop_that_is_embedded_while_it_parks_goes_to_its_selector() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let kernel = Kernel::new(RUNNING);
        let other = beside(&kernel, Kernel::embed);
        // The sleep ends without a notification, and the next one comes by the descriptor.
        assert!(!kernel.park());
        other.join().unwrap();
        let other = beside(&kernel, Kernel::notify);
        kernel.select();
        other.join().unwrap();
    });
}
