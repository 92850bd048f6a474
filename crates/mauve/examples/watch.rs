//! Says what happens below a directory.
//!
//! `cargo run -p mauve --example watch -- some/directory`

use mauve::process::SIGINT;
use mauve::{Change, Depth, Loop, Result, RunMode, Signal, Watcher};

fn main() -> Result<()> {
    let root = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let lp = Loop::<usize>::new()?;
    let watcher = Watcher::new(&lp);
    watcher.start(&root, Depth::Tree, |count, _, event| match event {
        Ok(event) => {
            *count += 1;
            let sign = if event.change == Change::Rename { '+' } else { '~' };
            println!("{sign} {}", event.path.display());
        }
        Err(error) => eprintln!("something was missed: {error}"),
    })?;
    // One Ctrl-C ends the program properly, and a second one does it at once.
    Signal::new(&lp)?.once(SIGINT, move |count, signal, _| {
        println!("{count} events");
        watcher.close();
        signal.close();
    })?;
    lp.run_with(&mut 0, RunMode::Default)?;
    Ok(())
}
