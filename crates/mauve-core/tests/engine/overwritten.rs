//! Handles whose memory the program has initialised again without closing them.

use mauve_core::Token;

use crate::harness::Harness;

impl Harness {
    /// Opens a timer as the C ABI does. Returns whether overwritten handles were looked for.
    fn open_at(&mut self, address: u64, starts: bool) -> bool {
        let id = self.engine.open_timer(Token(address));
        let checks = self.engine.may_have_overwritten();
        if checks {
            self.engine.abandon_overwritten();
        }
        if starts {
            self.engine.timer(id).unwrap().start(1000, 0).unwrap();
        }
        checks
    }
}

#[test]
fn a_timer_that_is_initialised_again_and_again_does_not_grow_memory() {
    let mut harness = Harness::new();
    // Live handles around it, also at higher addresses.
    for number in 0..500 {
        harness.open_at(1_000_000 - number, number % 2 == 0);
    }
    for _ in 0..20_000 {
        harness.open_at(8, false);
        let count = harness.engine.handles(false).len();
        assert!(count <= 500 + 2 * 500 + 512, "{count} handles");
    }
    let addresses: Vec<u64> = harness.engine.handles(false).iter().map(|(_, at)| at.0).collect();
    assert!((0..500).all(|number| addresses.contains(&(1_000_000 - number))));
}

#[test]
fn a_started_handle_is_not_taken_for_an_overwritten_one() {
    let mut harness = Harness::new();
    let started = harness.timer(8, 1000, 0);
    for _ in 0..1000 {
        harness.open_at(8, false);
    }
    assert!(harness.engine.timer(started).is_some());
}

#[test]
fn looking_for_overwritten_handles_takes_a_constant_time_for_each_handle() {
    for ascending in [true, false] {
        let mut harness = Harness::new();
        let (count, mut looked_at) = (50_000_u64, 0);
        for number in 1..=count {
            let address = if ascending { number } else { count + 1 - number };
            if harness.open_at(address, false) {
                looked_at += number;
            }
        }
        assert!(looked_at <= 2 * count, "{looked_at} for {count} handles");
        assert_eq!(harness.engine.handles(false).len() as u64, count);
    }
}

#[test]
fn handles_that_are_started_at_once_are_never_looked_through() {
    let mut harness = Harness::new();
    assert!((1..50_000).all(|address| !harness.open_at(address, true)));
}
