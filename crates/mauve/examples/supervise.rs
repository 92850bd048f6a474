//! A supervisor: each argument is a shell command, which is restarted when it exits.
//!
//! `cargo run -p mauve --example supervise -- 'sleep 1; echo one' 'sleep 2; exit 1'`

use std::time::Duration;

use mauve::process::Command;
use mauve::signal::SignalKind;
use mauve::{Loop, RunMode, Signal};

/// Upper bound of the backoff after a failure.
const MAX_BACKOFF: Duration = Duration::from_secs(10);

async fn supervise(command: String) {
    let mut backoff = Duration::from_millis(100);
    loop {
        match Command::new("sh").args(["-c", &command]).spawn() {
            Ok(mut child) => {
                let id = child.id().unwrap_or_default();
                println!("[{id}] {command}");
                let status = child.wait().await;
                if let Ok(status) = &status {
                    println!("[{id}] {status}");
                }
                if status.is_ok_and(|status| status.success()) {
                    backoff = Duration::from_millis(100);
                }
            }
            Err(error) => eprintln!("{command}: {error}"),
        }
        mauve::sleep(backoff).await;
        backoff = (backoff * 2).min(MAX_BACKOFF);
    }
}

fn main() -> mauve::Result<()> {
    let lp: Loop = Loop::new()?;
    let tasks: Vec<_> = std::env::args().skip(1).map(|c| lp.spawn(supervise(c))).collect();
    for kind in [SignalKind::interrupt(), SignalKind::terminate()] {
        // A signal from the terminal is delivered to the children too.
        Signal::new(&lp)?.start(kind, |_, signal, _| signal.event_loop().stop())?;
    }
    lp.run(RunMode::Default)?;
    drop(tasks);
    Ok(())
}
