//! File operations by direct system calls, one at a time or in io_uring batches, as a lower bound
//! of the cost: no callbacks, no allocations, no other threads.

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

/// Runs the workloads of the group `name`, with separate system calls or with io_uring.
pub fn run(api: &str, name: &str) -> std::result::Result<Vec<Sample>, String> {
    if name != "files" {
        return Err(format!("no such group: {name}"));
    }
    let samples = match api {
        "io_uring" => batches(),
        _ => calls(),
    };
    samples.map_err(|error| format!("{name}: {error}"))
}

/// A temporary file of a few pages. Dropping it removes the file.
struct TempFile {
    path: CString,
    file: std::fs::File,
    pages: Vec<[u8; PAGE]>,
}

impl TempFile {
    fn new() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("mauve-bench-bare-{}", std::process::id()));
        std::fs::write(&path, vec![0; PAGE * PAGES])?;
        let file = std::fs::File::open(&path)?;
        let path = CString::new(path.into_os_string().into_vec())?;
        Ok(Self { path, file, pages: vec![[0; PAGE]; DEPTH] })
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        // SAFETY: the path is a valid C string.
        unsafe { libc::unlink(self.path.as_ptr()) };
    }
}

fn calls() -> Result<Vec<Sample>> {
    let mut temp = TempFile::new()?;
    let watch = Stopwatch::start();
    for i in 0..COUNT {
        let page = &mut temp.pages[i % DEPTH];
        let list = libc::iovec { iov_base: page.as_mut_ptr().cast(), iov_len: PAGE };
        let (fd, offset) = (temp.file.as_raw_fd(), (i % PAGES * PAGE) as i64);
        // SAFETY: the iovec is one page, which is borrowed mutably during the call.
        let read = unsafe { libc::preadv2(fd, &list, 1, offset, libc::RWF_NOWAIT) };
        assert_eq!(read, PAGE as isize, "{}", Error::last_os_error());
    }
    let read = watch.per(READ, COUNT);
    // SAFETY: a `statx` of zeros is valid, since it consists of integers.
    let mut result: libc::statx = unsafe { std::mem::zeroed() };
    let watch = Stopwatch::start();
    for _ in 0..COUNT {
        let (mask, path) = (libc::STATX_BASIC_STATS | libc::STATX_BTIME, temp.path.as_ptr());
        // SAFETY: the path is a valid C string, and `result` is borrowed mutably during the call.
        let stat = unsafe { libc::statx(libc::AT_FDCWD, path, 0, mask, &mut result) };
        assert_eq!(stat, 0, "{}", Error::last_os_error());
    }
    Ok(vec![read, watch.per(STAT, COUNT)])
}

fn batches() -> Result<Vec<Sample>> {
    let mut temp = TempFile::new()?;
    let fd = Fd(temp.file.as_raw_fd());
    let pages: Vec<*mut u8> = temp.pages.iter_mut().map(|page| page.as_mut_ptr()).collect();
    let read = in_batches(READ, PAGE as i32, |i| {
        let offset = (i % PAGES * PAGE) as u64;
        opcode::Read::new(fd, pages[i % DEPTH], PAGE as u32)
            .offset(offset)
            .rw_flags(libc::RWF_NOWAIT)
            .build()
    })?;
    // SAFETY: a `statx` of zeros is valid, since it consists of integers.
    let mut results = vec![unsafe { std::mem::zeroed::<libc::statx>() }; DEPTH];
    let results: Vec<*mut types::statx> =
        results.iter_mut().map(|result| (&raw mut *result).cast()).collect();
    let stat = in_batches(STAT, 0, |i| {
        let path = temp.path.as_ptr();
        opcode::Statx::new(Fd(libc::AT_FDCWD), path, results[i % DEPTH])
            .mask(libc::STATX_BASIC_STATS | libc::STATX_BTIME)
            .build()
    })?;
    Ok(vec![read, stat])
}

/// Performs `COUNT` operations, and checks that each returns `expected`.
fn in_batches(name: &str, expected: i32, entry: impl Fn(usize) -> squeue::Entry) -> Result<Sample> {
    let mut ring = IoUring::new(DEPTH as u32)?;
    let watch = Stopwatch::start();
    for first in (0..COUNT).step_by(DEPTH) {
        let count = DEPTH.min(COUNT - first);
        for i in first..first + count {
            // SAFETY: the memory that an entry points to outlives its batch, which is awaited
            // below.
            unsafe { ring.submission().push(&entry(i)) }.map_err(Error::other)?;
        }
        ring.submit_and_wait(count)?;
        for completion in ring.completion() {
            assert_eq!(completion.result(), expected);
        }
    }
    Ok(watch.per(name, COUNT))
}
