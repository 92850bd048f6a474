//! File operations by bare system calls, one after the other or in batches: what the machine allows
//! to anybody. Nobody is told of anything, nothing is allocated, and no other thread takes part.

use std::ffi::CString;
use std::io::{Error, Result};
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStringExt as _;

use io_uring::types::{self, Fd};
use io_uring::{IoUring, opcode, squeue};
use mauve_bench::{Sample, Stopwatch};

const PAGE: usize = 4096;
const PAGES: usize = 64;
const DEPTH: usize = 32;
const COUNT: usize = 100_000;
const READ: &str = "cached 4 KiB read, depth 32";
const STAT: &str = "stat, depth 32";

/// Does the work of the group `name`, with calls of their own or with a ring.
pub fn run(face: &str, name: &str) -> std::result::Result<Vec<Sample>, String> {
    if name != "files" {
        return Err(format!("no such group: {name}"));
    }
    let samples = match face {
        "io_uring" => batches(),
        _ => calls(),
    };
    samples.map_err(|error| format!("{name}: {error}"))
}

/// A file with a few pages, while this value lives.
struct Scratch {
    path: CString,
    file: std::fs::File,
    pages: Vec<[u8; PAGE]>,
}

impl Scratch {
    fn new() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("mauve-bench-bare-{}", std::process::id()));
        std::fs::write(&path, vec![0; PAGE * PAGES])?;
        let file = std::fs::File::open(&path)?;
        let path = CString::new(path.into_os_string().into_vec())?;
        Ok(Self { path, file, pages: vec![[0; PAGE]; DEPTH] })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // SAFETY: a path that was made by us.
        unsafe { libc::unlink(self.path.as_ptr()) };
    }
}

fn calls() -> Result<Vec<Sample>> {
    let mut scratch = Scratch::new()?;
    let watch = Stopwatch::start();
    for i in 0..COUNT {
        let page = &mut scratch.pages[i % DEPTH];
        let list = libc::iovec { iov_base: page.as_mut_ptr().cast(), iov_len: PAGE };
        let (fd, offset) = (scratch.file.as_raw_fd(), (i % PAGES * PAGE) as i64);
        // SAFETY: one page, borrowed for the call.
        let read = unsafe { libc::preadv2(fd, &list, 1, offset, libc::RWF_NOWAIT) };
        assert_eq!(read, PAGE as isize, "{}", Error::last_os_error());
    }
    let read = watch.per(READ, COUNT);
    // SAFETY: plain numbers.
    let mut found: libc::statx = unsafe { std::mem::zeroed() };
    let watch = Stopwatch::start();
    for _ in 0..COUNT {
        let (mask, path) = (libc::STATX_BASIC_STATS | libc::STATX_BTIME, scratch.path.as_ptr());
        // SAFETY: a string, and room for the answer.
        let stat = unsafe { libc::statx(libc::AT_FDCWD, path, 0, mask, &mut found) };
        assert_eq!(stat, 0, "{}", Error::last_os_error());
    }
    Ok(vec![read, watch.per(STAT, COUNT)])
}

fn batches() -> Result<Vec<Sample>> {
    let mut scratch = Scratch::new()?;
    let fd = Fd(scratch.file.as_raw_fd());
    let pages: Vec<*mut u8> = scratch.pages.iter_mut().map(|page| page.as_mut_ptr()).collect();
    let read = in_batches(READ, PAGE as i32, |i| {
        let offset = (i % PAGES * PAGE) as u64;
        opcode::Read::new(fd, pages[i % DEPTH], PAGE as u32)
            .offset(offset)
            .rw_flags(libc::RWF_NOWAIT)
            .build()
    })?;
    // SAFETY: plain numbers.
    let mut answers = vec![unsafe { std::mem::zeroed::<libc::statx>() }; DEPTH];
    let answers: Vec<*mut types::statx> =
        answers.iter_mut().map(|answer| (&raw mut *answer).cast()).collect();
    let stat = in_batches(STAT, 0, |i| {
        let path = scratch.path.as_ptr();
        opcode::Statx::new(Fd(libc::AT_FDCWD), path, answers[i % DEPTH])
            .mask(libc::STATX_BASIC_STATS | libc::STATX_BTIME)
            .build()
    })?;
    Ok(vec![read, stat])
}

/// Does `COUNT` operations, of which each has `expected` for its result.
fn in_batches(name: &str, expected: i32, entry: impl Fn(usize) -> squeue::Entry) -> Result<Sample> {
    let mut ring = IoUring::new(DEPTH as u32)?;
    let watch = Stopwatch::start();
    for first in (0..COUNT).step_by(DEPTH) {
        let count = DEPTH.min(COUNT - first);
        for i in first..first + count {
            // SAFETY: what it points to stays until all of the batch have ended.
            unsafe { ring.submission().push(&entry(i)) }.map_err(Error::other)?;
        }
        ring.submit_and_wait(count)?;
        for ended in ring.completion() {
            assert_eq!(ended.result(), expected);
        }
    }
    Ok(watch.per(name, COUNT))
}
