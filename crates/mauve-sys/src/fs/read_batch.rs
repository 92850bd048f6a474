//! Reads that never block, several with one system call.
//!
//! A loop with a number of reads to attempt submits them through one [`uring`](super::uring) call.
//! Without io_uring, or for a few reads, each is attempted with a system call of its own; the
//! results are the same. Reads take place in the order of the batch. A read that the page cache
//! cannot serve is [finished](FileRead::finish) by a thread that may block.

use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::sync::Arc;

use super::nowait::{self, Attempt};
use super::read_write::{self, Position, Segment};
use super::uring::Uring;
use crate::{Errno, Result};

/// Fewer reads than this are attempted one by one: no io_uring is set up for them.
const FEW: usize = 4;

/// An [`Attempt`] in one word, which is cheap to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Outcome(i64);

impl Outcome {
    /// Words below this are a number of bytes with more to come, words between it and zero an error.
    const BEGUN: i64 = i64::MIN / 2;
}

impl From<Attempt> for Outcome {
    fn from(attempt: Attempt) -> Self {
        Self(match attempt {
            Attempt::Done(Ok(bytes)) => bytes as i64,
            Attempt::Done(Err(error)) => -i64::from(error.raw()),
            Attempt::Begun(bytes) => i64::MIN + bytes as i64,
        })
    }
}

impl From<Outcome> for Attempt {
    #[inline]
    fn from(Outcome(word): Outcome) -> Self {
        match word {
            0.. => Self::Done(Ok(word as usize)),
            Outcome::BEGUN.. => Self::Done(Err(Errno::from_raw(-word as i32))),
            _ => Self::Begun((word - i64::MIN) as usize),
        }
    }
}

/// An open file that a read keeps open.
pub type OpenFile = Arc<dyn AsFd + Send + Sync>;

/// A read of a file into one piece of memory.
pub struct FileRead {
    /// Identifies the read to its owner.
    pub tag: u64,
    fd: RawFd,
    /// Whether it is known to go through the page cache.
    cached: bool,
    position: Position,
    into: Memory,
    outcome: Outcome,
}

enum Memory {
    Foreign(Segment),
    Owned {
        /// Up to `wanted` bytes are appended.
        buffer: Vec<u8>,
        wanted: usize,
        /// Keeps the descriptor open.
        _file: OpenFile,
    },
}

impl FileRead {
    /// Reads into memory for which the maker of the segment vouches, from a descriptor of the
    /// program: the system decides what the number means when the read takes place.
    #[inline]
    pub fn foreign(fd: RawFd, position: Position, into: Segment) -> Self {
        Self::new(fd, position, Memory::Foreign(into))
    }

    /// Appends up to `wanted` bytes to a buffer, which [`into_bytes`](Self::into_bytes) returns.
    #[inline]
    pub fn owned(file: OpenFile, position: Position, wanted: usize, buffer: Vec<u8>) -> Self {
        let fd = file.as_fd().as_raw_fd();
        Self::new(fd, position, Memory::Owned { buffer, wanted, _file: file })
    }

    #[inline]
    fn new(fd: RawFd, position: Position, into: Memory) -> Self {
        Self { tag: 0, fd, cached: false, position, into, outcome: Attempt::Begun(0).into() }
    }

    /// The same read, of a file that is known to be read [through the page
    /// cache](nowait::is_direct). That saves a check.
    #[inline]
    pub fn cached(self) -> Self {
        Self { cached: true, ..self }
    }

    /// Whether it may wait for others and be attempted with them: it does not depend on the file's
    /// position, and copies little.
    #[inline]
    pub fn is_batchable(&self) -> bool {
        matches!(self.position, Position::At(_)) && self.wanted() <= nowait::MAX_BYTES
    }

    /// The result, if the read is done.
    #[inline]
    pub fn result(&self) -> Option<Result<usize>> {
        match self.outcome.into() {
            Attempt::Done(result) => Some(result),
            Attempt::Begun(_) => None,
        }
    }

    /// The buffer that the read was given, with the bytes that were read.
    #[inline]
    pub fn into_bytes(self) -> Option<Vec<u8>> {
        match self.into {
            Memory::Owned { buffer, .. } => Some(buffer),
            Memory::Foreign(_) => None,
        }
    }

    /// As [`into_bytes`](Self::into_bytes), for a read that is dropped later.
    #[inline]
    pub fn take_bytes(&mut self) -> Option<Vec<u8>> {
        match &mut self.into {
            Memory::Owned { buffer, .. } => Some(std::mem::take(buffer)),
            Memory::Foreign(_) => None,
        }
    }

    /// Forgets an attempt: the read has yet to take place.
    pub fn reset(&mut self) {
        let read = match self.outcome.into() {
            Attempt::Done(result) => result.unwrap_or(0),
            Attempt::Begun(bytes) => bytes,
        };
        if let Memory::Owned { buffer, .. } = &mut self.into {
            buffer.truncate(buffer.len() - read);
        }
        self.outcome = Attempt::Begun(0).into();
    }

    /// Blocks until the read is done. What an attempt has read already is part of the result.
    pub fn finish(&mut self) {
        let Attempt::Begun(begun) = self.outcome.into() else { return };
        let position = self.position.after(begun);
        let rest = match &mut self.into {
            Memory::Foreign(segment) => {
                let rest = read_write::advance(std::slice::from_mut(segment), begun);
                read_write::read(self.fd, rest, position)
            }
            Memory::Owned { buffer, wanted, .. } => {
                let (old, missing) = (buffer.len(), *wanted - begun);
                if buffer.try_reserve_exact(missing).is_err() {
                    Err(Errno::ENOMEM)
                } else {
                    buffer.resize(old + missing, 0);
                    let rest = read_write::read_into(self.fd, &mut buffer[old..], position);
                    buffer.truncate(old + rest.unwrap_or(0));
                    rest
                }
            }
        };
        let result = match rest {
            Ok(bytes) => Ok(begun + bytes),
            Err(_) if begun > 0 => Ok(begun),
            Err(error) => Err(error),
        };
        self.outcome = Attempt::Done(result).into();
    }

    fn wanted(&self) -> usize {
        match &self.into {
            Memory::Foreign(segment) => segment.len(),
            Memory::Owned { wanted, .. } => *wanted,
        }
    }

    /// The memory to read into, if an attempt makes sense. It is valid until the buffer is used
    /// otherwise. Does not panic: the kernel may have been given other reads already.
    fn segment(&mut self) -> Option<Segment> {
        if self.wanted() > nowait::MAX_BYTES {
            return None;
        }
        match &mut self.into {
            Memory::Foreign(segment) => Some(*segment),
            Memory::Owned { buffer, wanted, .. } => {
                buffer.try_reserve_exact(*wanted).ok()?;
                let room = buffer.spare_capacity_mut();
                // SAFETY: there is room for it, see above. The memory is this read's alone, and the
                // buffer is not used otherwise before the attempt is over.
                Some(unsafe { Segment::new(room.as_mut_ptr().cast(), *wanted) })
            }
        }
    }

    /// Stores what an attempt has reached.
    fn set_outcome(&mut self, attempt: Attempt) {
        self.outcome = attempt.into();
        if let (Memory::Owned { buffer, .. }, Attempt::Done(Ok(bytes)) | Attempt::Begun(bytes)) =
            (&mut self.into, attempt)
        {
            let length = buffer.len() + bytes;
            // SAFETY: the kernel has written so many bytes to the memory of `segment`.
            unsafe { buffer.set_len(length) };
        }
    }

    /// Attempts this read with a system call of its own.
    fn attempt(&mut self) -> Option<Attempt> {
        let segment = self.segment()?;
        let attempt = match self.cached {
            true => nowait::read_cached(self.fd, &[segment], self.position),
            false => nowait::read(self.fd, &[segment], self.position),
        };
        self.set_outcome(attempt);
        Some(attempt)
    }
}

/// Attempts reads. Sets up an io_uring for the first batch that is worth it.
#[derive(Default)]
pub struct BatchReader {
    uring: State,
}

#[derive(Default)]
enum State {
    #[default]
    Untried,
    Open(Box<Uring>),
    /// The system has none, or it broke. It is not tried again.
    Refused,
}

impl BatchReader {
    /// Attempts all of `reads`, in order. Afterwards the kernel has none of their memory.
    pub fn attempt(&mut self, reads: &mut [FileRead]) {
        if reads.len() < FEW || matches!(self.uring, State::Refused) {
            for read in reads {
                read.attempt();
            }
            return;
        }
        let (mut known, count) = (Known::default(), reads.len());
        let mut pushed = false;
        for index in 0..reads.len() {
            let Some(segment) = reads[index].segment() else { continue };
            if !known.admits(&reads[index], segment) {
                // Those before it take place before it.
                if std::mem::take(&mut pushed) {
                    self.run(reads);
                }
                // A pipe has no offsets, and `preadv2` reports that; io_uring would read from it.
                // So the first read of every file is attempted alone.
                let read = &mut reads[index];
                if let Some(Attempt::Done(Ok(_))) = read.attempt() {
                    known.add(read.fd);
                }
                continue;
            }
            let read = &mut reads[index];
            let described = (index, read.fd, read.position);
            let Some(uring) = self.uring() else {
                read.attempt();
                continue;
            };
            // SAFETY: foreign memory was vouched for, and owned buffers are borrowed with the
            // list. The kernel is done with it, or the io_uring is dropped, before this function
            // returns.
            unsafe { uring.push(described, segment, count) };
            pushed = true;
            if uring.is_full() {
                pushed = false;
                self.run(reads);
            }
        }
        self.run(reads);
    }

    fn uring(&mut self) -> Option<&mut Uring> {
        if let State::Untried = self.uring {
            self.uring = Uring::open().map_or(State::Refused, |uring| State::Open(uring.into()));
        }
        match &mut self.uring {
            State::Open(uring) => Some(uring),
            State::Untried | State::Refused => None,
        }
    }

    /// Performs what was pushed. What a broken io_uring leaves undone was not begun.
    fn run(&mut self, reads: &mut [FileRead]) {
        let State::Open(uring) = &mut self.uring else { return };
        let works = uring.run(|index, result| {
            let read = &mut reads[index];
            let wanted = read.wanted();
            read.set_outcome(nowait::judge(read.fd, read.position, wanted, result));
        });
        if !works {
            self.uring = State::Refused;
        }
    }
}

/// Files that a read of this batch has succeeded on. They have offsets, and a cache.
#[derive(Default)]
struct Known {
    files: [Option<KnownFile>; 4],
    next: usize,
}

#[derive(Clone, Copy)]
struct KnownFile {
    fd: RawFd,
    /// Whether it bypasses the page cache, once that was checked.
    direct: Option<bool>,
}

impl Known {
    fn add(&mut self, fd: RawFd) {
        self.files[self.next] = Some(KnownFile { fd, direct: None });
        self.next = (self.next + 1) % self.files.len();
    }

    /// Whether a read may go through io_uring.
    fn admits(&mut self, read: &FileRead, segment: Segment) -> bool {
        let file = self.files.iter_mut().flatten().find(|file| file.fd == read.fd);
        let Some(file) = file else { return false };
        if read.position == Position::Current || read.position.is_beyond_all_files() {
            return false;
        }
        // A file that bypasses the cache blocks on its device.
        read.cached
            || !nowait::may_be_direct(&[segment], read.position)
            || !*file.direct.get_or_insert_with(|| nowait::is_direct(read.fd))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of 100,000 bytes, and what is in it.
    fn file(name: &str) -> (Arc<std::fs::File>, Vec<u8>) {
        let name = format!("mauve-read-batch-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let bytes: Vec<u8> = (0..100_000u32).map(|n| (n / 3) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        let file = std::fs::File::open(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        (Arc::new(file), bytes)
    }

    /// A read of so many bytes into a buffer of its own.
    fn read(file: &Arc<std::fs::File>, offset: u64, length: usize) -> FileRead {
        FileRead::owned(file.clone(), Position::At(offset), length, Vec::new())
    }

    /// Some file systems cannot tell what is cached; then there is no result.
    fn done(read: &FileRead) -> Option<Result<usize>> {
        read.result()
    }

    #[test]
    fn all_are_read_with_and_without_io_uring() {
        let (file, bytes) = file("all");
        for mut reader in [BatchReader::default(), BatchReader { uring: State::Refused }] {
            for count in [1, FEW, 200] {
                let offset = |index: usize| index * 499;
                let mut reads: Vec<_> =
                    (0..count).map(|n| read(&file, offset(n) as u64, 1000)).collect();
                reader.attempt(&mut reads);
                for (index, read) in reads.iter().enumerate() {
                    let Some(result) = done(read) else { continue };
                    let expected = &bytes[offset(index)..bytes.len().min(offset(index) + 1000)];
                    assert_eq!(result, Ok(expected.len()));
                    let Memory::Owned { buffer: into, .. } = &read.into else { unreachable!() };
                    assert_eq!(into, expected);
                }
            }
        }
    }

    #[test]
    fn each_read_has_its_own_result() {
        let (file, _) = file("own");
        let mut reads: Vec<_> =
            [0, 99_990, 100_000, 5, u64::MAX, 7].map(|offset| read(&file, offset, 100)).into();
        reads.push(read(&file, 0, nowait::MAX_BYTES + 1));
        let mut byte = [0; 1];
        // SAFETY: the byte stays until the end of the test.
        let segment = unsafe { Segment::over(&mut byte) };
        reads.push(FileRead::foreign(-1, Position::At(0), segment));
        BatchReader::default().attempt(&mut reads);
        let expected = [Ok(100), Ok(10), Ok(0), Ok(100)];
        for (read, expected) in reads.iter().zip(expected) {
            assert!(done(read).is_none_or(|result| result == expected));
        }
        assert!(done(&reads[5]).is_none_or(|result| result == Ok(100)));
        assert_eq!([done(&reads[4]), done(&reads[6])], [None, None]);
        assert_eq!(done(&reads[7]), Some(Err(Errno::EBADF)));
    }

    #[test]
    fn a_read_is_finished_from_where_its_attempt_ended() {
        let (file, bytes) = file("finish");
        for begun in [0, 10, 100] {
            let mut one = read(&file, 50, 100);
            one.segment().unwrap();
            let Memory::Owned { buffer, .. } = &mut one.into else { unreachable!() };
            buffer.extend_from_slice(&bytes[50..50 + begun]);
            one.outcome = Attempt::Begun(begun).into();
            one.finish();
            assert_eq!(one.result(), Some(Ok(100)));
            one.finish();
            assert_eq!(one.into_bytes().unwrap(), bytes[50..150]);
        }
        let mut into = [0; 100];
        // SAFETY: the bytes stay until the end of the test.
        let segment = unsafe { Segment::over(&mut into) };
        let mut one = FileRead::foreign(file.as_raw_fd(), Position::At(99_950), segment);
        one.outcome = Attempt::Begun(20).into();
        one.finish();
        assert_eq!(one.result(), Some(Ok(50)));
        assert_eq!(into[20..50], bytes[99_970..]);
    }

    #[test]
    fn a_read_that_is_reset_takes_place_again() {
        let (file, bytes) = file("reset");
        let mut one = [read(&file, 300, 20)];
        BatchReader::default().attempt(&mut one);
        one[0].reset();
        assert_eq!(one[0].result(), None);
        one[0].finish();
        let [one] = one;
        assert_eq!(one.into_bytes().unwrap(), bytes[300..320]);
    }

    #[test]
    fn what_cannot_be_attempted_is_left_for_later() {
        let (file, _) = file("later");
        let mut reads = vec![read(&file, 0, usize::MAX)];
        reads.extend((0..6).map(|_| read(&file, 0, 10)));
        BatchReader::default().attempt(&mut reads);
        assert_eq!(done(&reads[0]), None);
        assert!(reads[1..].iter().all(|read| done(read).is_none_or(|result| result == Ok(10))));
        let mut first = reads.swap_remove(0);
        first.finish();
        assert_eq!(first.result(), Some(Err(Errno::ENOMEM)));
        assert_eq!(first.into_bytes(), Some(Vec::new()));
    }

    #[test]
    fn what_was_in_the_buffer_stays_in_front_and_its_memory_is_used() {
        let (file, bytes) = file("front");
        for count in [1, FEW] {
            let mut reads: Vec<_> = (0..count)
                .map(|_| {
                    let mut buffer = Vec::with_capacity(100);
                    buffer.extend_from_slice(b"so far ");
                    FileRead::owned(file.clone(), Position::At(300), 20, buffer)
                })
                .collect();
            BatchReader::default().attempt(&mut reads);
            for read in reads {
                let read_anything = done(&read).is_some();
                let buffer = read.into_bytes().unwrap();
                let end: &[u8] = if read_anything { &bytes[300..320] } else { b"" };
                assert_eq!(buffer, [b"so far ", end].concat());
                assert_eq!(buffer.capacity(), 100);
            }
        }
    }

    #[test]
    fn a_pipe_has_no_offsets_and_loses_nothing() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        std::io::Write::write_all(&mut writer, b"text").unwrap();
        let reader = Arc::new(reader);
        let from_pipe = || FileRead::owned(reader.clone(), Position::At(0), 1, Vec::new());
        let mut reads: Vec<_> = (0..8).map(|_| from_pipe()).collect();
        BatchReader::default().attempt(&mut reads);
        assert!(reads.iter().all(|read| done(read) == Some(Err(Errno::ESPIPE))));
        drop((writer, reads));
        let reader = Arc::into_inner(reader).unwrap();
        assert_eq!(std::io::read_to_string(reader).unwrap(), "text");
    }

    #[test]
    fn a_broken_io_uring_is_not_used_again() {
        let (file, _) = file("broken");
        let Some(uring) = Uring::open() else { return };
        // SAFETY: the io_uring's own descriptor, which is something else from now on.
        assert!(unsafe { libc::dup2(file.as_raw_fd(), uring.as_raw_fd()) } >= 0);
        let mut reader = BatchReader { uring: State::Open(uring.into()) };
        for _ in 0..2 {
            let mut reads: Vec<_> = (0..8).map(|n| read(&file, n, 10)).collect();
            reader.attempt(&mut reads);
            assert!(matches!(reader.uring, State::Refused));
            let ended = |read: &FileRead| done(read).is_none_or(|result| result == Ok(10));
            assert!(reads.iter().all(ended));
        }
    }

    #[test]
    fn an_outcome_is_an_attempt_in_a_word() {
        let attempts = [
            Attempt::Done(Ok(0)),
            Attempt::Done(Ok(65_536)),
            Attempt::Done(Err(Errno::EBADF)),
            Attempt::Begun(0),
            Attempt::Begun(65_536),
        ];
        for attempt in attempts {
            assert_eq!(Attempt::from(Outcome::from(attempt)), attempt);
        }
    }
}
