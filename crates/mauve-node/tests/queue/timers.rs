//! Timer lists, with a simulated clock.

use mauve_node::queue::{DueTimer, TimerKey, TimerStep, Timers};
use proptest::prelude::*;

/// Runs the timers that are due at `now`. The clock does not advance.
fn fire(timers: &mut Timers<u32>, now: u64, repeat: impl Fn(u32) -> Option<u64>) -> Vec<u32> {
    let mut ran = Vec::new();
    while let Some(due) = next_due(timers, now) {
        ran.push(due.callback);
        timers.finish(due.key, repeat(due.callback), now);
    }
    ran
}

/// The next timer of a pass, without the drains.
fn next_due(timers: &mut Timers<u32>, now: u64) -> Option<DueTimer<u32>> {
    loop {
        match timers.next_step(now) {
            TimerStep::Drain => {}
            TimerStep::Run(due) => return Some(due),
            TimerStep::Done => return None,
        }
    }
}

#[derive(Clone, Debug)]
enum Action {
    Start { duration: u64, repeats: bool },
    Stop(usize),
    Refresh(usize),
    Wait(u64),
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let action = prop_oneof![
        4 => (1..6u64, any::<bool>()).prop_map(|(duration, repeats)| Action::Start { duration, repeats }),
        1 => (0..20usize).prop_map(Action::Stop),
        1 => (0..20usize).prop_map(Action::Refresh),
        4 => (1..8u64).prop_map(Action::Wait),
    ];
    prop::collection::vec(action, 1..60)
}

/// The model: a timer fires in the first run at or after its due time, once per start. Timers of
/// one duration fire in the order of their starts.
#[derive(Clone)]
struct Model {
    name: u32,
    duration: u64,
    start: u64,
    sequence: u64,
    repeats: bool,
}

proptest! {
    #[test]
    fn every_timer_fires_when_due_and_equal_durations_in_order_of_start(script in actions()) {
        let mut timers = Timers::default();
        let mut model: Vec<Model> = Vec::new();
        let mut keys: Vec<TimerKey> = Vec::new();
        let (mut now, mut sequence) = (0, 0);
        for action in script {
            sequence += 1;
            match action {
                Action::Start { duration, repeats } => {
                    let name = keys.len() as u32;
                    keys.push(timers.start(name, duration, now));
                    model.push(Model { name, duration, start: now, sequence, repeats });
                }
                Action::Stop(which) => {
                    if let Some(key) = keys.get(which) {
                        let exists = model.iter().any(|timer| timer.name == which as u32);
                        prop_assert_eq!(timers.stop(*key).is_some(), exists);
                        model.retain(|timer| timer.name != which as u32);
                    }
                }
                Action::Refresh(which) => {
                    if let Some(key) = keys.get(which) {
                        timers.refresh(*key, now);
                        if let Some(timer) = model.iter_mut().find(|t| t.name == which as u32) {
                            (timer.start, timer.sequence) = (now, sequence);
                        }
                    }
                }
                Action::Wait(time) => {
                    now += time;
                    let repeat = |name| {
                        let timer = model.iter().find(|timer| timer.name == name && timer.repeats);
                        timer.map(|timer| timer.duration)
                    };
                    let ran = fire(&mut timers, now, repeat);
                    let mut due: Vec<Model> =
                        model.iter().filter(|t| t.start + t.duration <= now).cloned().collect();
                    let mut names: Vec<u32> = due.iter().map(|timer| timer.name).collect();
                    let mut sorted = ran.clone();
                    names.sort_unstable();
                    sorted.sort_unstable();
                    prop_assert_eq!(&names, &sorted);
                    due.sort_by_key(|timer| timer.sequence);
                    for duration in 1..6 {
                        let same = |name: &&u32| due.iter().any(|t| t.name == **name && t.duration == duration);
                        let order: Vec<u32> = ran.iter().filter(same).copied().collect();
                        let starts = due.iter().filter(|t| t.duration == duration);
                        prop_assert_eq!(order, starts.map(|t| t.name).collect::<Vec<_>>());
                    }
                    // Repeating timers are appended in the order in which they ran.
                    model.retain(|t| t.repeats || t.start + t.duration > now);
                    for name in &ran {
                        sequence += 1;
                        if let Some(timer) = model.iter_mut().find(|timer| timer.name == *name) {
                            (timer.start, timer.sequence) = (now, sequence);
                        }
                    }
                }
            }
            prop_assert_eq!(timers.len(), model.len());
            prop_assert_eq!(timers.referenced(), model.len());
            let soonest = model.iter().map(|timer| timer.start + timer.duration).min();
            // The queue may be due before its timers after a refresh, never after them.
            if let Some(soonest) = soonest {
                prop_assert!(timers.schedule().unwrap().due <= soonest.max(now + 1));
            }
        }
    }
}

#[test]
fn lists_that_are_due_at_the_same_time_run_one_after_the_other() {
    let mut timers = Timers::default();
    for (name, duration) in [(50, 5), (60, 6), (51, 5), (61, 6), (40, 4)] {
        timers.start(name, duration, 0);
    }
    assert_eq!(fire(&mut timers, 20, |_| None), [40, 50, 51, 60, 61]);
}

#[test]
fn a_timer_started_by_a_timer_fires_in_the_next_pass() {
    let mut timers = Timers::default();
    timers.start(1, 1, 0);
    let due = next_due(&mut timers, 1).unwrap();
    // The callback has taken five milliseconds.
    timers.start(2, 1, 5);
    timers.finish(due.key, None, 1);
    assert_eq!(next_due(&mut timers, 1), None);
    assert_eq!(fire(&mut timers, 6, |_| None), [2]);
}

#[test]
fn an_interval_slower_than_its_period_fires_once_per_pass() {
    let mut timers = Timers::default();
    timers.start(1, 1, 0);
    for now in [1, 10, 20] {
        let due = next_due(&mut timers, now).unwrap();
        timers.finish(due.key, Some(1), now);
        assert_eq!(next_due(&mut timers, now), None);
        assert_eq!(timers.schedule().unwrap().due, now + 1);
    }
}

#[test]
fn ticks_are_drained_between_two_timers_and_between_two_lists() {
    let mut timers = Timers::default();
    for (name, duration) in [(10, 1), (11, 1), (20, 2)] {
        timers.start(name, duration, 0);
    }
    let mut order = Vec::new();
    loop {
        match timers.next_step(2) {
            TimerStep::Drain => order.push(0),
            TimerStep::Run(due) => {
                order.push(due.callback);
                timers.finish(due.key, None, 2);
            }
            TimerStep::Done => break,
        }
    }
    assert_eq!(order, [10, 0, 11, 0, 20]);
}

#[test]
fn a_new_pass_runs_the_next_timer_without_a_drain() {
    let mut timers = Timers::default();
    timers.start(1, 1, 0);
    timers.start(2, 1, 0);
    let due = next_due(&mut timers, 1).unwrap();
    timers.finish(due.key, None, 1);
    timers.restart_pass();
    assert!(matches!(timers.next_step(1), TimerStep::Run(due) if due.callback == 2));
}

#[test]
fn a_due_timer_that_a_tick_refreshes_fires_once() {
    let mut timers = Timers::default();
    timers.start(1, 1, 0);
    let second = timers.start(2, 1, 0);
    let due = next_due(&mut timers, 1).unwrap();
    timers.finish(due.key, None, 1);
    assert_eq!(timers.next_step(1), TimerStep::Drain);
    timers.refresh(second, 1);
    let due = next_due(&mut timers, 1).unwrap();
    assert_eq!(timers.finish(due.key, None, 1), Some(2));
    assert!(timers.is_empty());
}

#[test]
fn stopping_the_running_timer_ends_it_even_if_it_repeats() {
    let mut timers = Timers::default();
    timers.start(1, 1, 0);
    let due = next_due(&mut timers, 1).unwrap();
    assert_eq!(timers.stop(due.key), Some(1));
    assert_eq!(timers.finish(due.key, Some(1), 1), None);
    assert!(timers.is_empty() && timers.schedule().is_none());
}

#[test]
fn unreferenced_timers_do_not_keep_the_loop_running() {
    let mut timers = Timers::default();
    let key = timers.start(1, 5, 0);
    timers.set_referenced(key, false);
    let schedule = timers.schedule().unwrap();
    assert_eq!((schedule.due, schedule.referenced), (5, false));
    timers.set_referenced(key, true);
    assert!(timers.schedule().unwrap().referenced);
}
