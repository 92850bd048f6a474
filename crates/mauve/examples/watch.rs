//! Prints changes below a directory.
//!
//! `cargo run -p mauve --example watch -- some/directory`

use mauve::signal::SignalKind;
use mauve::{FsEventKind, Loop, RecursiveMode, Result, RunMode, Signal, Watcher};

fn main() -> Result<()> {
    let root = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let lp = Loop::<usize>::new()?;
    let watcher = Watcher::new(&lp);
    watcher.start(&root, RecursiveMode::Recursive, |count, _, event| match event {
        Ok(event) => {
            *count += 1;
            let sign = match event.kind {
                FsEventKind::Created | FsEventKind::MovedTo => '+',
                FsEventKind::Removed | FsEventKind::MovedFrom => '-',
                _ => '~',
            };
            println!("{sign} {}", event.path.display());
        }
        Err(error) => eprintln!("events were missed: {error}"),
    })?;
    println!("watching {}", root.display());
    // The first Ctrl-C stops the loop. A second one kills the process.
    Signal::new(&lp)?.once(SignalKind::interrupt(), move |count, signal, _| {
        println!("{count} events");
        watcher.close();
        signal.close();
    })?;
    lp.run_with(&mut 0, RunMode::Default)?;
    Ok(())
}
