//! Where a loop waits that has nothing to wait for but its waker.
//!
//! Such a loop need not wait for a descriptor. It waits for a *word* to change, which costs it and
//! whoever wakes it a good deal less. The word also says which of the two it is, and only the loop
//! changes that, before it waits:
//!
//! * [`AT_DESCRIPTOR`]: whoever wakes it writes to the descriptor.
//! * [`AT_WORD`]: whoever wakes it changes that into [`RUNG`], and tells the system.
//!
//! Somebody may be about to write to the descriptor when the loop moves to the word. So the loop
//! looks at the descriptor once more after it has moved, and he at the word once more after he has
//! written: one of them sees the other.
//!
//! A word that is `RUNG` while nobody waits for it does no harm: it is found when the loop moves.

use std::sync::atomic::{AtomicU32, Ordering};

/// The loop waits for its descriptor, or not at all.
pub const AT_DESCRIPTOR: u32 = 0;
/// The loop waits for the word to change.
pub const AT_WORD: u32 = 1;
/// Somebody has changed it, and has not been heard yet.
pub const RUNG: u32 = 2;

/// See above.
#[derive(Debug)]
pub(super) struct Word<A>(A);

/// A number that threads share: the standard library's, or a model's.
pub(super) trait Shared {
    fn get(&self) -> u32;
    fn swap(&self, new: u32) -> u32;
    /// Changes `old` into `new`. Returns whether it was that.
    fn change(&self, old: u32, new: u32) -> bool;
    /// Orders everything before it and everything after it, for everybody who does the same.
    fn fence();
}

macro_rules! shared {
    ($library:ident) => {
        impl Shared for $library::sync::atomic::AtomicU32 {
            fn get(&self) -> u32 {
                self.load(Ordering::Relaxed)
            }

            fn swap(&self, new: u32) -> u32 {
                self.swap(new, Ordering::AcqRel)
            }

            fn change(&self, old: u32, new: u32) -> bool {
                self.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed).is_ok()
            }

            fn fence() {
                $library::sync::atomic::fence(Ordering::SeqCst);
            }
        }
    };
}

shared!(std);

impl Word<AtomicU32> {
    pub const fn new() -> Self {
        Self(AtomicU32::new(AT_DESCRIPTOR))
    }

    /// What the system waits for: that this is something else than [`AT_WORD`].
    pub fn as_atomic(&self) -> &AtomicU32 {
        &self.0
    }
}

impl<A: Shared> Word<A> {
    /// The loop's side: it is the word that it is going to wait for. Returns whether it was rung.
    /// The descriptor is to be looked at after this.
    pub fn move_here(&self) -> bool {
        let rung = self.0.swap(AT_WORD) == RUNG;
        A::fence();
        rung
    }

    /// The loop's side: it is the descriptor that it is going to wait for. Returns whether the word
    /// was rung.
    pub fn move_away(&self) -> bool {
        self.0.swap(AT_DESCRIPTOR) == RUNG
    }

    /// The loop's side: whether it was rung, since this was asked last.
    pub fn take_rung(&self) -> bool {
        self.0.get() == RUNG && self.0.change(RUNG, AT_WORD)
    }

    /// Rings, if it is the word that is waited for. Returns whether it is: then the system has to be
    /// told.
    pub fn ring(&self) -> bool {
        self.0.get() == AT_WORD && self.0.change(AT_WORD, RUNG)
    }

    /// As [`ring`](Self::ring), after something was written to the descriptor.
    pub fn ring_after_writing(&self) -> bool {
        A::fence();
        self.ring()
    }
}

#[cfg(all(test, loom))]
mod model {
    use loom::sync::atomic::AtomicU32;
    use loom::sync::{Arc, Condvar, Mutex};
    use loom::thread;

    use super::{AT_DESCRIPTOR, AT_WORD, Ordering, Shared, Word};

    shared!(loom);

    /// The system's side: the descriptor, and the list of those who wait for the word.
    struct System {
        word: Word<AtomicU32>,
        written: Mutex<bool>,
        asleep: Mutex<()>,
        changed: Condvar,
    }

    impl System {
        fn new(word: u32) -> Arc<Self> {
            Arc::new(Self {
                word: Word(AtomicU32::new(word)),
                written: Mutex::new(false),
                asleep: Mutex::new(()),
                changed: Condvar::new(),
            })
        }

        fn wake(&self) {
            if self.word.ring() {
                return self.tell();
            }
            *self.written.lock().unwrap() = true;
            if self.word.ring_after_writing() {
                self.tell();
            }
        }

        fn tell(&self) {
            let _list = self.asleep.lock().unwrap();
            self.changed.notify_one();
        }

        fn look_at_descriptor(&self) -> bool {
            std::mem::take(&mut *self.written.lock().unwrap())
        }

        /// A wait without end, if nobody rings.
        fn wait_for_word(&self) -> bool {
            let list = self.asleep.lock().unwrap();
            if self.word.0.get() == AT_WORD {
                drop(self.changed.wait(list).unwrap());
            }
            self.word.take_rung()
        }

        fn move_to_word(&self) -> bool {
            let rung = self.word.move_here();
            self.look_at_descriptor() | rung
        }
    }

    #[test]
    fn a_loop_that_moves_to_the_word_is_woken_by_whoever_thinks_that_it_has_not() {
        loom::model(|| {
            let system = System::new(AT_DESCRIPTOR);
            let sender = thread::spawn({
                let system = system.clone();
                move || system.wake()
            });
            if !system.move_to_word() {
                assert!(system.wait_for_word());
            }
            sender.join().unwrap();
        });
    }

    #[test]
    fn a_loop_that_moves_away_finds_what_was_rung() {
        loom::model(|| {
            let system = System::new(AT_WORD);
            let sender = thread::spawn({
                let system = system.clone();
                move || system.wake()
            });
            let rung = system.word.move_away();
            sender.join().unwrap();
            assert!(rung | system.look_at_descriptor());
        });
    }

    #[test]
    fn two_who_wake_the_loop_wake_it() {
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(2);
        model.check(|| {
            let system = System::new(AT_DESCRIPTOR);
            let senders = [0, 1].map(|_| {
                let system = system.clone();
                thread::spawn(move || system.wake())
            });
            if !system.move_to_word() {
                assert!(system.wait_for_word());
            }
            for sender in senders {
                sender.join().unwrap();
            }
        });
    }
}
