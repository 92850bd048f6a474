//! Starts children: one that prints and exits, one that is killed, and one that does not exist.

use std::io;
use std::os::unix::process::ExitStatusExt as _;

use mauve::process::Command;
use mauve::signal::SignalKind;

#[mauve::main]
async fn main() -> io::Result<()> {
    let error = Command::new("no-such-program").spawn().expect_err("there is no such program");
    println!("missing: {:?}", error.kind());

    let output = Command::new("sh").args(["-c", "echo from the child; exit 3"]).output().await?;
    println!("printer: exit status {:?}", output.status.code());
    print!("its output: {}", String::from_utf8_lossy(&output.stdout));

    let mut sleeper = Command::new("sleep").arg("1000").spawn()?;
    sleeper.signal(SignalKind::terminate())?;
    println!("sleeper: signal {:?}", sleeper.wait().await?.signal());
    Ok(())
}
