//! Copies files and directories concurrently, with a progress bar.
//!
//! ```text
//! cargo run --release --example copy -- FROM... TO
//! ```
//!
//! Eight tasks copy one file at a time, in chunks that the pool reads and writes. One more task
//! draws the progress bar. All tasks share one thread and plain cells.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Duration;

use mauve::Loop;
use mauve::fs::{self, File};

/// Number of files that are copied concurrently.
const TASKS: usize = 8;

/// Size of one read and write.
const CHUNK: usize = 1 << 20;

fn main() -> ExitCode {
    let mut paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let (Some(to), false) = (paths.pop(), paths.is_empty()) else {
        eprintln!("usage: copy FROM... TO");
        return ExitCode::FAILURE;
    };
    let lp: Loop = Loop::new().expect("a loop");
    let copier = Rc::new(Copier::default());
    lp.block_on(copier.clone().run(paths, to));
    match copier.failures.get() {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

#[derive(Default)]
struct Copier {
    /// Files still to be copied: source and target.
    files: RefCell<VecDeque<(PathBuf, PathBuf)>>,
    total: Cell<u64>,
    copied: Cell<u64>,
    failures: Cell<u32>,
}

impl Copier {
    async fn run(self: Rc<Self>, from: Vec<PathBuf>, to: PathBuf) {
        let into =
            from.len() > 1 || fs::metadata(&to).await.is_ok_and(|metadata| metadata.is_dir());
        for path in from {
            let name = path.file_name().filter(|_| into);
            let target = name.map_or_else(|| to.clone(), |name| to.join(name));
            self.collect(path, target).await;
        }
        let bar = mauve::spawn(self.clone().draw());
        let copies: Vec<_> = (0..TASKS).map(|_| mauve::spawn(self.clone().work())).collect();
        for copy in copies {
            copy.await.expect("copying does not panic");
        }
        bar.abort();
        self.draw_once();
        eprintln!();
    }

    /// Finds all files below `from`, and creates the directories for them.
    async fn collect(&self, from: PathBuf, to: PathBuf) {
        let mut paths = vec![(from, to)];
        while let Some((from, to)) = paths.pop() {
            if let Err(error) = self.visit(&from, &to, &mut paths).await {
                self.fail(&from, error);
            }
        }
    }

    async fn visit(
        &self,
        from: &Path,
        to: &Path,
        paths: &mut Vec<(PathBuf, PathBuf)>,
    ) -> io::Result<()> {
        let metadata = fs::metadata(from).await?;
        if !metadata.is_dir() {
            self.total.set(self.total.get() + metadata.len());
            self.files.borrow_mut().push_back((from.to_owned(), to.to_owned()));
            return Ok(());
        }
        fs::create_dir_all(to).await?;
        let mut entries = fs::read_dir(from).await?;
        while let Some(entry) = entries.next_entry().await? {
            paths.push((entry.path(), to.join(entry.file_name())));
        }
        Ok(())
    }

    /// Copies files until none is left.
    async fn work(self: Rc<Self>) {
        loop {
            let Some((from, to)) = self.files.borrow_mut().pop_front() else { return };
            if let Err(error) = self.copy(&from, &to).await {
                self.fail(&from, error);
            }
        }
    }

    async fn copy(&self, from: &Path, to: &Path) -> io::Result<()> {
        let source = File::open(from).await?;
        let target = File::create(to).await?;
        let mut offset = 0;
        loop {
            let chunk = source.read_at(CHUNK, offset).await?;
            if chunk.is_empty() {
                break;
            }
            let length = chunk.len() as u64;
            target.write_at(chunk, offset).await?;
            offset += length;
            self.copied.set(self.copied.get() + length);
        }
        target.set_permissions(source.metadata().await?.permissions()).await
    }

    fn fail(&self, path: &Path, error: io::Error) {
        self.failures.set(self.failures.get() + 1);
        eprintln!("\r{}: {error}", path.display());
    }

    async fn draw(self: Rc<Self>) {
        loop {
            self.draw_once();
            mauve::sleep(Duration::from_millis(100)).await;
        }
    }

    fn draw_once(&self) {
        const WIDTH: u64 = 40;
        let (copied, total) = (self.copied.get(), self.total.get().max(1));
        let filled = (copied.min(total) * WIDTH / total) as usize;
        let rest = WIDTH as usize - filled;
        let (copied, total) = (copied as f64 / 1e6, self.total.get() as f64 / 1e6);
        eprint!("\r[{}{}] {copied:.1} of {total:.1} MB ", "#".repeat(filled), " ".repeat(rest));
    }
}
