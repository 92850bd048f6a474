//! Keeps programs running: each argument is a command for the shell, started again when it ends.
//!
//! `cargo run -p mauve --example supervise -- 'sleep 1; echo one' 'sleep 2; exit 1'`

use std::time::Duration;

use mauve::process::{Command, Exit, SIGINT, SIGTERM};
use mauve::{Loop, RunMode, Signal};

/// How long to wait after a failure: longer and longer, up to this.
const LONGEST: Duration = Duration::from_secs(10);

async fn keep_running(command: String) {
    let mut pause = Duration::from_millis(100);
    loop {
        match Command::new("sh").args(["-c", &command]).spawn() {
            Ok(mut child) => {
                println!("[{}] {command}", child.pid());
                let Exit { status, signal } = child.status().await;
                println!("[{}] ended: status {status}, signal {signal}", child.pid());
                if status == 0 && signal == 0 {
                    pause = Duration::from_millis(100);
                }
            }
            Err(error) => eprintln!("{command}: {error}"),
        }
        mauve::sleep(pause).await;
        pause = (pause * 2).min(LONGEST);
    }
}

fn main() -> mauve::Result<()> {
    let lp: Loop = Loop::new()?;
    let tasks: Vec<_> = std::env::args().skip(1).map(|c| lp.spawn(keep_running(c))).collect();
    for number in [SIGINT, SIGTERM] {
        // The children have got it, too, if it came from the terminal.
        Signal::new(&lp)?.start(number, |_, signal, _| signal.lp().stop())?;
    }
    lp.run(RunMode::Default)?;
    drop(tasks);
    Ok(())
}
