//! Each signal reaches each task that waits for it.

use std::io;

use mauve::process::kill;
use mauve::signal::{SignalKind, signal};

#[mauve::main]
async fn main() -> io::Result<()> {
    let error = signal(SignalKind::kill()).expect_err("it cannot be caught");
    println!("SIGKILL cannot be watched: {:?}", error.kind());

    let mut every = signal(SignalKind::user_defined1())?;
    let mut once = signal(SignalKind::user_defined1())?;
    let task = mauve::spawn(async move {
        once.recv().await;
        println!("the other task: SIGUSR1");
    });
    let process = std::process::id();
    kill(process, SignalKind::user_defined1())?;
    println!("the signal is sent, no task has run");
    every.recv().await;
    task.await?;
    println!("signal 1: SIGUSR1");
    kill(process, SignalKind::user_defined1())?;
    every.recv().await;
    println!("signal 2: SIGUSR1");
    Ok(())
}
