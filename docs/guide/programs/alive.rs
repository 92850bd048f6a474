//! What keeps a loop alive, and how to ask it.

use std::time::Duration;

use mauve::{Loop, Result, RunMode, Timer};

fn print(lp: &Loop, what: &str) {
    let kinds: Vec<String> =
        lp.why_alive().iter().map(|item| format!("{:?}", item.kind).to_lowercase()).collect();
    println!(
        "{what}: {}, kept alive by {kinds:?}",
        if lp.is_alive() { "alive" } else { "not alive" }
    );
}

fn main() -> Result<()> {
    let lp: Loop = Loop::new()?;
    let timer = Timer::new(&lp);
    print(&lp, "a new timer");
    timer.once(Duration::from_secs(1000), |_, _| {})?;
    print(&lp, "it is started");
    timer.unref();
    print(&lp, "it is unreferenced");
    println!("run returns {}, without waiting", lp.run(RunMode::Default)?);
    timer.close();
    print(&lp, "it is closing");
    lp.run(RunMode::Default)?;
    print(&lp, "it is closed");
    Ok(())
}
