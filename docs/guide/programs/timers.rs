//! The order of timers: by due time, then by start.

use std::time::Duration;

use mauve::{Loop, Result, RunMode, Timer};

fn main() -> Result<()> {
    let lp: Loop = Loop::new()?;
    let start = |name: &'static str, milliseconds| {
        Timer::new(&lp).once(Duration::from_millis(milliseconds), move |_, timer| {
            println!("{name}");
            timer.close();
        })
    };
    start("20 ms", 20)?;
    start("10 ms, started first", 10)?;
    start("10 ms, started second", 10)?;
    start("0 ms", 0)?;
    println!("all timers are started");
    lp.run(RunMode::Default)?;
    Ok(())
}
