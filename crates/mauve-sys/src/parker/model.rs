//! A loom model of the parker's protocol.

use loom::sync::atomic::AtomicBool;
use loom::sync::atomic::AtomicU32;
use loom::sync::{Arc, Condvar, Mutex};
use loom::thread;

use super::{AtomicState, NOTIFIED, Ordering, PARKED, RUNNING, State, UnparkAction};

impl_atomic_state!(loom);

/// The kernel's objects: the waker's descriptor and the wait queue of the futex.
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
        match self.state.unpark() {
            UnparkAction::Nothing => {}
            UnparkAction::WriteDescriptor => {
                *self.descriptor.lock().unwrap() = true;
                self.written.notify_one();
            }
            UnparkAction::WakeFutex => self.wake(),
        }
    }

    fn wake(&self) {
        let _queue = self.queue.lock().unwrap();
        self.woken.notify_one();
    }

    /// Parks without a timeout.
    fn park(&self) -> bool {
        if self.state.park() && !self.embedded.load(Ordering::Relaxed) {
            let queue = self.queue.lock().unwrap();
            if self.state.0.get() == PARKED {
                drop(self.woken.wait(queue).unwrap());
            }
        }
        self.state.end_park()
    }

    /// Waits for the descriptor without a timeout. Ignores stale events.
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

/// Runs `action` on another thread.
fn spawn(kernel: &Arc<Kernel>, action: fn(&Kernel)) -> thread::JoinHandle<()> {
    let kernel = kernel.clone();
    thread::spawn(move || action(&kernel))
}

#[test]
fn a_parked_loop_is_woken() {
    loom::model(|| {
        let kernel = Kernel::new(RUNNING);
        let other = spawn(&kernel, Kernel::notify);
        assert!(kernel.park());
        other.join().unwrap();
    });
}

#[test]
fn a_loop_whose_state_was_left_parked_is_woken() {
    for state in [PARKED, NOTIFIED] {
        loom::model(move || {
            let kernel = Kernel::new(state);
            let other = spawn(&kernel, Kernel::notify);
            assert!(kernel.park());
            other.join().unwrap();
        });
    }
}

#[test]
fn a_loop_that_polls_after_a_cancelled_park_is_woken() {
    loom::model(|| {
        let kernel = Kernel::new(PARKED);
        let other = spawn(&kernel, Kernel::notify);
        if !kernel.state.end_park() {
            kernel.select();
        }
        other.join().unwrap();
    });
}

#[test]
fn two_notifications_are_taken_one_parked_and_one_in_the_selector() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let kernel = Kernel::new(RUNNING);
        let first = spawn(&kernel, Kernel::notify);
        assert!(kernel.park());
        // The first thread may still be about to write to the descriptor.
        let second = spawn(&kernel, Kernel::notify);
        kernel.select();
        first.join().unwrap();
        second.join().unwrap();
    });
}

#[test]
fn a_loop_that_is_embedded_while_parked_moves_to_its_selector() {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(3);
    model.check(|| {
        let kernel = Kernel::new(RUNNING);
        let other = spawn(&kernel, Kernel::embed);
        // The park ends without a notification. The next notification uses the descriptor.
        assert!(!kernel.park());
        other.join().unwrap();
        let other = spawn(&kernel, Kernel::notify);
        kernel.select();
        other.join().unwrap();
    });
}
