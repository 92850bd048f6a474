//! `tail -f`: prints what is appended to a file, also when the file is replaced.
//!
//! `cargo run -p mauve --example tail -- some.log`

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use mauve::{Change, Depth, FileEvent, Loop, RunMode, Watcher};

/// The file, and how much of it was printed.
struct Tail {
    path: PathBuf,
    file: Option<File>,
    printed: u64,
}

impl Tail {
    /// Prints what is new.
    fn catch_up(&mut self) -> std::io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        if file.metadata()?.len() < self.printed {
            // It was cut.
            self.printed = file.seek(SeekFrom::Start(0))?;
        }
        let mut text = Vec::new();
        self.printed += file.read_to_end(&mut text)? as u64;
        std::io::stdout().write_all(&text)
    }

    fn reopen(&mut self) {
        (self.file, self.printed) = (File::open(&self.path).ok(), 0);
    }

    fn hear(&mut self, event: &FileEvent) -> std::io::Result<()> {
        if Some(event.path.as_os_str()) != self.path.file_name() {
            return Ok(());
        }
        self.catch_up()?;
        if event.change == Change::Rename {
            self.reopen();
        }
        self.catch_up()
    }
}

fn main() -> std::io::Result<()> {
    let path: PathBuf = std::env::args_os().nth(1).expect("usage: tail FILE").into();
    let mut tail = Tail { path: path.clone(), file: Some(File::open(&path)?), printed: 0 };
    tail.catch_up()?;

    // The directory tells of a file that takes the place of another; the file itself would not.
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let lp = Loop::<Tail>::new()?;
    Watcher::new(&lp).start(
        directory.unwrap_or(Path::new(".")),
        Depth::Here,
        |tail, _, event| {
            if let Ok(event) = event
                && let Err(error) = tail.hear(&event)
            {
                eprintln!("{error}");
            }
        },
    )?;
    lp.run_with(&mut tail, RunMode::Default)?;
    Ok(())
}
