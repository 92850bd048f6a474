//! Operations on a cached file, with `depth` requests in flight.

use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use mauve::fs::File;
use mauve::{Loop, Result};

use crate::{Sample, Stopwatch};

const PAGE: usize = 4096;
const PAGES: usize = 64;

pub(super) fn run() -> Result<Vec<Sample>> {
    let path = TempFile::new()?;
    let lp: Loop = Loop::new()?;
    // Opened without the pool, as in the C program: system calls on descriptors cost more once the
    // process has several threads.
    let file = Rc::new(File::from_std(fs::File::open(&path.0)?));
    let mut samples = Vec::new();
    reads(&lp, "(warm-up)", &file, 4, 1000)?;
    samples.push(reads(&lp, "cached 4 KiB read, depth 1", &file, 1, 10_000)?);
    samples.push(reads(&lp, "cached 4 KiB read, depth 32", &file, 32, 60_000)?);
    samples.push(stats(&lp, "stat, depth 1", &path.0, 1, 10_000)?);
    samples.push(stats(&lp, "stat, depth 32", &path.0, 32, 60_000)?);
    Ok(samples)
}

fn reads(lp: &Loop, name: &str, file: &Rc<File>, depth: usize, count: usize) -> Result<Sample> {
    let reader = || {
        let file = file.clone();
        async move {
            let mut page = Vec::with_capacity(PAGE);
            for i in 0..count / depth {
                file.read_at_into(&mut page, PAGE, ((i % PAGES) * PAGE) as u64).await?;
            }
            Ok(())
        }
    };
    measure(lp, name, depth, count, reader)
}

fn stats(lp: &Loop, name: &str, path: &Path, depth: usize, count: usize) -> Result<Sample> {
    let stat = || {
        let path = path.to_owned();
        async move {
            for _ in 0..count / depth {
                mauve::fs::stat(&path).await?;
            }
            Ok(())
        }
    };
    measure(lp, name, depth, count, stat)
}

/// Runs `count` operations in `depth` tasks.
fn measure<F: Future<Output = Result<()>> + 'static>(
    lp: &Loop,
    name: &str,
    depth: usize,
    count: usize,
    task: impl Fn() -> F,
) -> Result<Sample> {
    let watch = Stopwatch::start();
    lp.block_on(async {
        let tasks: Vec<_> = (0..depth).map(|_| mauve::spawn(task())).collect();
        for task in tasks {
            task.await.expect("no panic")?;
        }
        Ok(())
    })
    .map(|()| watch.per(name, count))
}

/// A temporary file of a few pages. Dropping it removes the file.
struct TempFile(PathBuf);

impl TempFile {
    fn new() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("mauve-bench-file-{}", std::process::id()));
        fs::write(&path, vec![0; PAGE * PAGES]).map_err(mauve::Errno::from)?;
        Ok(Self(path))
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
