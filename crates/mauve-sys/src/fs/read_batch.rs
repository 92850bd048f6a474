//! Batches of non-blocking file reads.
//!
//! A loop submits the reads of a batch with one io_uring call (`uring.rs`). Without io_uring, or
//! for a few reads, each is attempted with a system call of its own; the results are the same.
//! Reads are performed in the order of the batch. A read that would block is
//! [finished](FileRead::finish) by a thread of the pool.

use std::sync::Arc;

use super::nowait::{self, Attempt};
use super::read_write::{self, IoVec, Position};
use super::uring::Uring;
use crate::descriptor::{AsDescriptor, RawDescriptor};
use crate::{Errno, Result, faults};

/// A smaller batch does not use the io_uring.
const MIN_BATCH: usize = 4;

/// An [`Attempt`] in one integer, which is cheap to copy.
///
/// Non-negative: a complete read of that many bytes. From `WOULD_BLOCK` to -1: the negative error
/// number. Below: `i64::MIN` plus the bytes that were read before the read would have blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PackedAttempt(i64);

impl PackedAttempt {
    const WOULD_BLOCK: i64 = i64::MIN / 2;
}

impl From<Attempt> for PackedAttempt {
    fn from(attempt: Attempt) -> Self {
        Self(match attempt {
            Attempt::Done(Ok(bytes)) => bytes as i64,
            Attempt::Done(Err(error)) => -i64::from(error.raw()),
            Attempt::WouldBlock(bytes) => i64::MIN + bytes as i64,
        })
    }
}

impl From<PackedAttempt> for Attempt {
    #[inline]
    fn from(PackedAttempt(packed): PackedAttempt) -> Self {
        match packed {
            0.. => Self::Done(Ok(packed as usize)),
            PackedAttempt::WOULD_BLOCK.. => Self::Done(Err(Errno::from_raw(-packed as i32))),
            _ => Self::WouldBlock((packed - i64::MIN) as usize),
        }
    }
}

/// A reference to an open file.
pub type OpenFile = Arc<dyn AsDescriptor + Send + Sync>;

/// A read from a file into one buffer.
pub struct FileRead {
    /// Identifies the read to its owner.
    pub tag: u64,
    fd: RawDescriptor,
    /// Whether the file is known not to be opened with `O_DIRECT`.
    cached: bool,
    position: Position,
    into: Memory,
    attempt: PackedAttempt,
}

/// The memory to read into.
enum Memory {
    Foreign(IoVec),
    Owned {
        /// Up to `wanted` bytes are appended.
        buffer: Vec<u8>,
        wanted: usize,
        /// Keeps the descriptor open. `None` for a descriptor of the caller.
        _file: Option<OpenFile>,
    },
}

impl FileRead {
    /// Reads into memory of the caller, from a descriptor of the caller. The descriptor may be closed
    /// or reused before the read is performed, as in C.
    #[inline]
    pub fn foreign(fd: RawDescriptor, position: Position, into: IoVec) -> Self {
        Self::new(fd, position, Memory::Foreign(into))
    }

    /// Appends up to `wanted` bytes to `buffer`, which [`take_bytes`](Self::take_bytes) returns.
    #[inline]
    pub fn owned(file: OpenFile, position: Position, wanted: usize, buffer: Vec<u8>) -> Self {
        let fd = file.raw_descriptor();
        Self::new(fd, position, Memory::Owned { buffer, wanted, _file: Some(file) })
    }

    /// As [`owned`](Self::owned), from a descriptor of the caller. It may be closed or reused before the
    /// read is performed, as in C.
    pub fn owned_from(
        fd: RawDescriptor,
        position: Position,
        wanted: usize,
        buffer: Vec<u8>,
    ) -> Self {
        Self::new(fd, position, Memory::Owned { buffer, wanted, _file: None })
    }

    #[inline]
    fn new(fd: RawDescriptor, position: Position, into: Memory) -> Self {
        Self { tag: 0, fd, cached: false, position, into, attempt: Attempt::WouldBlock(0).into() }
    }

    /// Marks the file as not opened with [`O_DIRECT`](nowait::is_direct). That saves a check.
    #[inline]
    pub fn cached(self) -> Self {
        Self { cached: true, ..self }
    }

    /// Whether the read may be delayed and attempted in a batch: it is small and does not use the
    /// file offset of the descriptor.
    #[inline]
    pub fn is_batchable(&self) -> bool {
        matches!(self.position, Position::At(_)) && self.wanted() <= nowait::MAX_BYTES
    }

    /// The result, if the read is complete.
    #[inline]
    pub fn result(&self) -> Option<Result<usize>> {
        match self.attempt.into() {
            Attempt::Done(result) => Some(result),
            Attempt::WouldBlock(_) => None,
        }
    }

    /// Takes the buffer of an [`owned`](Self::owned) read, with the bytes that were read.
    #[inline]
    pub fn take_bytes(&mut self) -> Option<Vec<u8>> {
        match &mut self.into {
            Memory::Owned { buffer, .. } => Some(std::mem::take(buffer)),
            Memory::Foreign(_) => None,
        }
    }

    /// Discards the result of an attempt, so that the read is performed again.
    pub fn reset(&mut self) {
        let read = match self.attempt.into() {
            Attempt::Done(result) => result.unwrap_or(0),
            Attempt::WouldBlock(bytes) => bytes,
        };
        if let Memory::Owned { buffer, .. } = &mut self.into {
            buffer.truncate(buffer.len() - read);
        }
        self.attempt = Attempt::WouldBlock(0).into();
    }

    /// Completes the read with a blocking call. The result includes the bytes of an attempt.
    pub fn finish(&mut self) {
        let Attempt::WouldBlock(read) = self.attempt.into() else { return };
        let position = self.position.advanced_by(read);
        let rest = match &mut self.into {
            Memory::Foreign(iovec) => {
                let rest = read_write::advance(std::slice::from_mut(iovec), read);
                read_write::read(self.fd, rest, position)
            }
            Memory::Owned { buffer, wanted, .. } => {
                let (old, missing) = (buffer.len(), *wanted - read);
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
            Ok(bytes) => Ok(read + bytes),
            Err(_) if read > 0 => Ok(read),
            Err(error) => Err(error),
        };
        self.attempt = Attempt::Done(result).into();
    }

    fn wanted(&self) -> usize {
        match &self.into {
            Memory::Foreign(iovec) => iovec.len(),
            Memory::Owned { wanted, .. } => *wanted,
        }
    }

    /// The memory to read into; `None` if the read should not be attempted. It is valid until the
    /// buffer is used otherwise. Must not panic, because the kernel may have the memory of other reads.
    fn iovec(&mut self) -> Option<IoVec> {
        if self.wanted() > nowait::MAX_BYTES {
            return None;
        }
        match &mut self.into {
            Memory::Foreign(iovec) => Some(*iovec),
            Memory::Owned { buffer, wanted, .. } => {
                buffer.try_reserve_exact(*wanted).ok()?;
                let spare = buffer.spare_capacity_mut();
                // SAFETY: the buffer has `wanted` bytes of spare capacity. It belongs to this read,
                // and is not used otherwise before the attempt has ended.
                Some(unsafe { IoVec::new(spare.as_mut_ptr().cast(), *wanted) })
            }
        }
    }

    /// Stores the result of an attempt.
    fn set_attempt(&mut self, attempt: Attempt) {
        self.attempt = attempt.into();
        if let (
            Memory::Owned { buffer, .. },
            Attempt::Done(Ok(bytes)) | Attempt::WouldBlock(bytes),
        ) = (&mut self.into, attempt)
        {
            let length = buffer.len() + bytes;
            // SAFETY: the kernel has written that many bytes to the spare capacity, see `iovec`.
            unsafe { buffer.set_len(length) };
        }
    }

    /// Attempts this read with a system call of its own.
    fn attempt(&mut self) -> Option<Attempt> {
        let iovec = self.iovec()?;
        let attempt = match self.cached {
            true => nowait::read_cached(self.fd, &[iovec], self.position),
            false => nowait::read(self.fd, &[iovec], self.position),
        };
        self.set_attempt(attempt);
        Some(attempt)
    }
}

/// Attempts batches of reads. Opens an io_uring for the first batch that is large enough.
#[derive(Default)]
pub struct BatchReader {
    uring: UringState,
}

#[derive(Default)]
enum UringState {
    #[default]
    NotOpened,
    Open(Box<Uring>),
    /// io_uring is not available or has failed. It is not opened again.
    Unavailable,
}

impl BatchReader {
    /// Attempts all of `reads`, in order. Afterwards the kernel does not use their memory any more.
    pub fn attempt(&mut self, reads: &mut [FileRead]) {
        if reads.len() < MIN_BATCH
            || matches!(self.uring, UringState::Unavailable)
            || faults::is_on()
        {
            for read in reads {
                read.attempt();
            }
            return;
        }
        let (mut checked, count) = (CheckedFiles::default(), reads.len());
        let mut pushed = false;
        for index in 0..reads.len() {
            let Some(iovec) = reads[index].iovec() else { continue };
            if !checked.allow(&reads[index], iovec) {
                // Earlier reads are performed first.
                if std::mem::take(&mut pushed) {
                    self.run(reads);
                }
                // `preadv2` fails for a pipe, while io_uring ignores the offset and reads from it.
                // So the first read from each file uses `preadv2`.
                let read = &mut reads[index];
                if let Some(Attempt::Done(Ok(_))) = read.attempt() {
                    checked.add(read.fd);
                }
                continue;
            }
            let read = &mut reads[index];
            let entry = (index, read.fd, read.position);
            let Some(uring) = self.uring() else {
                read.attempt();
                continue;
            };
            // SAFETY: the caller of `IoVec::new` has promised that foreign memory is valid. Owned
            // buffers are borrowed with `reads`. Before this function returns, `run` has returned,
            // or the io_uring is dropped.
            unsafe { uring.push(entry, iovec, count) };
            pushed = true;
            if uring.is_full() {
                pushed = false;
                self.run(reads);
            }
        }
        self.run(reads);
    }

    fn uring(&mut self) -> Option<&mut Uring> {
        if let UringState::NotOpened = self.uring {
            self.uring = Uring::open()
                .map_or(UringState::Unavailable, |uring| UringState::Open(uring.into()));
        }
        match &mut self.uring {
            UringState::Open(uring) => Some(uring),
            UringState::NotOpened | UringState::Unavailable => None,
        }
    }

    /// Performs the pushed reads. Reads that a broken io_uring does not report were not performed.
    fn run(&mut self, reads: &mut [FileRead]) {
        let UringState::Open(uring) = &mut self.uring else { return };
        let works = uring.run(|index, result| {
            let read = &mut reads[index];
            let wanted = read.wanted();
            read.set_attempt(nowait::classify_read(read.fd, read.position, wanted, result));
        });
        if !works {
            self.uring = UringState::Unavailable;
        }
    }
}

/// Files on which a `preadv2` of this batch has succeeded: they are seekable and support
/// `RWF_NOWAIT`.
#[derive(Default)]
struct CheckedFiles {
    files: [Option<CheckedFile>; 4],
    next: usize,
}

#[derive(Clone, Copy)]
struct CheckedFile {
    fd: RawDescriptor,
    /// Whether the file is opened with `O_DIRECT`, once that was checked.
    direct: Option<bool>,
}

impl CheckedFiles {
    fn add(&mut self, fd: RawDescriptor) {
        self.files[self.next] = Some(CheckedFile { fd, direct: None });
        self.next = (self.next + 1) % self.files.len();
    }

    /// Whether a read may use the io_uring.
    fn allow(&mut self, read: &FileRead, iovec: IoVec) -> bool {
        let file = self.files.iter_mut().flatten().find(|file| file.fd == read.fd);
        let Some(file) = file else { return false };
        if read.position == Position::Current || read.position.exceeds_file_range() {
            return false;
        }
        // A read that bypasses the page cache blocks on the device.
        read.cached
            || !nowait::may_be_direct(&[iovec], read.position)
            || !*file.direct.get_or_insert_with(|| nowait::is_direct(read.fd))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::CLOSED;

    /// An unlinked file of 100,000 bytes, and its contents.
    fn file(name: &str) -> (Arc<std::fs::File>, Vec<u8>) {
        let name = format!("mauve-read-batch-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let bytes: Vec<u8> = (0..100_000u32).map(|n| (n / 3) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        let file = std::fs::File::open(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        (Arc::new(file), bytes)
    }

    /// A read of `length` bytes into a new buffer.
    fn read(file: &Arc<std::fs::File>, offset: u64, length: usize) -> FileRead {
        FileRead::owned(file.clone(), Position::At(offset), length, Vec::new())
    }

    /// The result of an attempt. Some file systems do not support RWF_NOWAIT; then there is none.
    fn done(read: &FileRead) -> Option<Result<usize>> {
        read.result()
    }

    #[test]
    fn a_batch_is_read_with_and_without_io_uring() {
        let (file, bytes) = file("all");
        for mut reader in [BatchReader::default(), BatchReader { uring: UringState::Unavailable }] {
            for count in [1, MIN_BATCH, 200] {
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
    #[cfg_attr(windows, ignore = "reads are not attempted")]
    fn each_read_has_its_own_result() {
        let (file, _) = file("own");
        let mut reads: Vec<_> =
            [0, 99_990, 100_000, 5, u64::MAX, 7].map(|offset| read(&file, offset, 100)).into();
        reads.push(read(&file, 0, nowait::MAX_BYTES + 1));
        let mut byte = [0; 1];
        // SAFETY: the byte lives until the end of the test.
        let iovec = unsafe { IoVec::from_slice(&mut byte) };
        reads.push(FileRead::foreign(CLOSED, Position::At(0), iovec));
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
        for attempted in [0, 10, 100] {
            let mut one = read(&file, 50, 100);
            one.iovec().unwrap();
            let Memory::Owned { buffer, .. } = &mut one.into else { unreachable!() };
            buffer.extend_from_slice(&bytes[50..50 + attempted]);
            one.attempt = Attempt::WouldBlock(attempted).into();
            one.finish();
            assert_eq!(one.result(), Some(Ok(100)));
            one.finish();
            assert_eq!(one.take_bytes().unwrap(), bytes[50..150]);
        }
        let mut into = [0; 100];
        // SAFETY: the bytes live until the end of the test.
        let iovec = unsafe { IoVec::from_slice(&mut into) };
        let mut one = FileRead::foreign(file.raw_descriptor(), Position::At(99_950), iovec);
        one.attempt = Attempt::WouldBlock(20).into();
        one.finish();
        assert_eq!(one.result(), Some(Ok(50)));
        assert_eq!(into[20..50], bytes[99_970..]);
    }

    #[test]
    fn a_read_that_is_reset_is_performed_again() {
        let (file, bytes) = file("reset");
        let mut one = [read(&file, 300, 20)];
        BatchReader::default().attempt(&mut one);
        one[0].reset();
        assert_eq!(one[0].result(), None);
        one[0].finish();
        let [mut one] = one;
        assert_eq!(one.take_bytes().unwrap(), bytes[300..320]);
    }

    #[test]
    fn a_read_that_is_too_large_is_not_attempted() {
        let (file, _) = file("later");
        let mut reads = vec![read(&file, 0, usize::MAX)];
        reads.extend((0..6).map(|_| read(&file, 0, 10)));
        BatchReader::default().attempt(&mut reads);
        assert_eq!(done(&reads[0]), None);
        assert!(reads[1..].iter().all(|read| done(read).is_none_or(|result| result == Ok(10))));
        let mut first = reads.swap_remove(0);
        first.finish();
        assert_eq!(first.result(), Some(Err(Errno::ENOMEM)));
        assert_eq!(first.take_bytes(), Some(Vec::new()));
    }

    #[test]
    fn bytes_are_appended_to_the_buffer_without_reallocation() {
        let (file, bytes) = file("front");
        for count in [1, MIN_BATCH] {
            let mut reads: Vec<_> = (0..count)
                .map(|_| {
                    let mut buffer = Vec::with_capacity(100);
                    buffer.extend_from_slice(b"so far ");
                    FileRead::owned(file.clone(), Position::At(300), 20, buffer)
                })
                .collect();
            BatchReader::default().attempt(&mut reads);
            for mut read in reads {
                let read_anything = done(&read).is_some();
                let buffer = read.take_bytes().unwrap();
                let end: &[u8] = if read_anything { &bytes[300..320] } else { b"" };
                assert_eq!(buffer, [b"so far ", end].concat());
                assert_eq!(buffer.capacity(), 100);
            }
        }
    }

    #[test]
    #[cfg_attr(windows, ignore = "reads are not attempted")]
    fn a_read_from_a_pipe_fails_and_consumes_nothing() {
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
        uring.replace_descriptor(&file);
        let mut reader = BatchReader { uring: UringState::Open(uring.into()) };
        for _ in 0..2 {
            let mut reads: Vec<_> = (0..8).map(|n| read(&file, n, 10)).collect();
            reader.attempt(&mut reads);
            assert!(matches!(reader.uring, UringState::Unavailable));
            let ended = |read: &FileRead| done(read).is_none_or(|result| result == Ok(10));
            assert!(reads.iter().all(ended));
        }
    }

    #[test]
    fn a_packed_attempt_is_unpacked_unchanged() {
        let attempts = [
            Attempt::Done(Ok(0)),
            Attempt::Done(Ok(65_536)),
            Attempt::Done(Err(Errno::EBADF)),
            Attempt::WouldBlock(0),
            Attempt::WouldBlock(65_536),
        ];
        for attempt in attempts {
            assert_eq!(Attempt::from(PackedAttempt::from(attempt)), attempt);
        }
    }
}
