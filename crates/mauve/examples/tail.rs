//! `tail -F`: prints lines that are appended to a file, also after the file is replaced.
//!
//! `cargo run -p mauve --example tail -- some.log`

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use mauve::{FsEvent, FsEventKind, Loop, RecursiveMode, RunMode, Watcher};

/// The file, and the number of bytes that were printed.
struct Tail {
    path: PathBuf,
    file: Option<File>,
    printed: u64,
}

impl Tail {
    /// Prints new bytes.
    fn print_new(&mut self) -> std::io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        if file.metadata()?.len() < self.printed {
            // The file was truncated.
            self.printed = file.seek(SeekFrom::Start(0))?;
        }
        let mut text = Vec::new();
        self.printed += file.read_to_end(&mut text)? as u64;
        std::io::stdout().write_all(&text)
    }

    fn reopen(&mut self) {
        (self.file, self.printed) = (File::open(&self.path).ok(), 0);
    }

    fn on_event(&mut self, event: &FsEvent) -> std::io::Result<()> {
        if Some(event.path.as_os_str()) != self.path.file_name() {
            return Ok(());
        }
        self.print_new()?;
        if event.kind != FsEventKind::Modified {
            self.reopen();
        }
        self.print_new()
    }
}

fn main() -> std::io::Result<()> {
    let path: PathBuf = std::env::args_os().nth(1).expect("usage: tail FILE").into();
    let mut tail = Tail { path: path.clone(), file: Some(File::open(&path)?), printed: 0 };
    tail.print_new()?;

    // Watch the directory: a watch on the file would not report that it is replaced.
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let lp = Loop::<Tail>::new()?;
    Watcher::new(&lp).start(
        directory.unwrap_or(Path::new(".")),
        RecursiveMode::NonRecursive,
        |tail, _, event| {
            if let Ok(event) = event
                && let Err(error) = tail.on_event(&event)
            {
                eprintln!("{error}");
            }
        },
    )?;
    lp.run_with(&mut tail, RunMode::Default)?;
    Ok(())
}
