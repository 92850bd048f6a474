//! The time of the loop stands still while a callback runs.

use std::time::Duration;

use mauve::{Loop, Result, RunMode, Timer};

fn main() -> Result<()> {
    let lp: Loop = Loop::new()?;
    Timer::new(&lp).once(Duration::ZERO, |_, timer| {
        let lp = timer.event_loop();
        let before = lp.now();
        std::thread::sleep(Duration::from_millis(50));
        println!("after 50 ms of work, the loop's time is the same: {}", lp.now() == before);
        lp.update_time();
        println!("after an update it differs: {}", lp.now() != before);
        timer.close();
    })?;
    lp.run(RunMode::Default)?;
    Ok(())
}
