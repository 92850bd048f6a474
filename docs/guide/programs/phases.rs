//! Starts a handle for each phase, and prints the phase of each callback.

use std::time::Duration;

use mauve::{AnyHandle, Async, Check, Idle, Loop, Phase, Prepare, Result, RunMode, Timer};

/// What all callbacks share: where the loop was when the last one ran.
struct Log {
    iteration: u32,
    last: Phase,
}

const ORDER: [Phase; 7] = [
    Phase::Pending,
    Phase::Idle,
    Phase::Prepare,
    Phase::Poll,
    Phase::Check,
    Phase::Close,
    Phase::Timers,
];

impl Log {
    /// The loop knows its phase. An earlier phase than that of the last callback is a new iteration.
    fn print(&mut self, what: &str) {
        let phase = Loop::<Log>::current_with().phase().expect("the loop runs");
        let position = |phase| ORDER.iter().position(|each| *each == phase);
        if position(phase) < position(self.last) {
            self.iteration += 1;
            println!("iteration {}", self.iteration);
        }
        self.last = phase;
        println!("  {:<8} {what}", format!("{phase:?}").to_lowercase());
    }
}

fn main() -> Result<()> {
    let lp = Loop::<Log>::new()?;
    let timer = Timer::new(&lp);
    let async_ = {
        let timer = timer.clone();
        Async::new(&lp, move |log, _| {
            log.print("the wake-up arrives; closes the timer");
            let _ = timer.close_with(|log| log.print("a closed timer"));
        })
    };
    let sender = async_.sender();
    timer.once(Duration::ZERO, move |log: &mut Log, _| {
        log.print("the timer is due; wakes the async handle");
        let _ = sender.send();
    })?;
    Idle::new(&lp).start(|log: &mut Log, _| log.print("runs in every iteration"))?;
    Prepare::new(&lp).start(|log: &mut Log, _| log.print("runs just before the loop may wait"))?;
    Check::new(&lp).start(|log, check| {
        if log.iteration == 1 {
            return log.print("runs just after");
        }
        log.print("closes all handles");
        check.event_loop().walk(|handle: AnyHandle<Log>| {
            let text = format!("a closed {}", handle.kind().name());
            let _ = handle.close_with(move |log| log.print(&text));
        });
    })?;

    println!("before the first iteration");
    lp.run_with(&mut Log { iteration: 0, last: Phase::Timers }, RunMode::Default)?;
    println!("nothing is left to wait for");
    Ok(())
}
