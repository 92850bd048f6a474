//! Reads that do not wait, several at once.
//!
//! A loop that has a number of reads to try can try them with one system call. The kernel is asked
//! through a [`ring`](super::ring); without one, or if it is not worth its while, each is tried
//! alone, and the outcome is the same.

use std::os::fd::RawFd;

use super::nowait::{self, Attempt};
use super::read_write::{Position, Segment};
use super::ring::Ring;
use crate::Errno;

/// Fewer reads than this are tried one by one: no ring is made for them.
const FEW: usize = 4;

/// An [`Attempt`] in one word, as it is copied most cheaply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome(i64);

impl Outcome {
    /// Words below this stand for so many bytes and more to come, those between it and zero for an
    /// error.
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

/// A read of a file, from an offset, into one piece of memory.
pub struct Read {
    /// Whatever the one who keeps it wants to know it by.
    pub tag: u64,
    fd: RawFd,
    offset: u64,
    into: Memory,
    outcome: Outcome,
    /// Whether it is known to go by way of the page cache.
    cached: bool,
}

enum Memory {
    Foreign(Segment),
    /// So many bytes are appended at most.
    Owned(Vec<u8>, usize),
    /// Nobody wants to read any more.
    Nobodys,
}

impl Read {
    /// Reads into memory for which somebody has vouched.
    #[inline]
    pub fn foreign(fd: RawFd, offset: u64, into: Segment) -> Self {
        Self::new(fd, offset, Memory::Foreign(into))
    }

    /// Appends up to `length` bytes to a buffer, which [`into_bytes`](Self::into_bytes) gives back.
    #[inline]
    pub fn owned(fd: RawFd, offset: u64, length: usize, buffer: Vec<u8>) -> Self {
        Self::new(fd, offset, Memory::Owned(buffer, length))
    }

    #[inline]
    fn new(fd: RawFd, offset: u64, into: Memory) -> Self {
        Self { tag: 0, fd, offset, into, outcome: Attempt::Begun(0).into(), cached: false }
    }

    /// The same read, of a file that is known [not to be read from its device
    /// itself](nowait::is_direct). That saves asking for it.
    #[inline]
    pub fn cached(self) -> Self {
        Self { cached: true, ..self }
    }

    /// How it has ended, or how far it came.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// The buffer that it was given, with what was read.
    #[inline]
    pub fn into_bytes(self) -> Option<Vec<u8>> {
        match self.into {
            Memory::Owned(buffer, _) => Some(buffer),
            Memory::Foreign(_) | Memory::Nobodys => None,
        }
    }

    /// Lets go of the memory: the read will not take place.
    pub fn withdraw(&mut self) {
        self.into = Memory::Nobodys;
    }

    fn wanted(&self) -> usize {
        match &self.into {
            Memory::Foreign(segment) => segment.len(),
            Memory::Owned(_, length) => *length,
            Memory::Nobodys => 0,
        }
    }

    /// Where to read to, if anywhere. The segment is good until somebody else has a chance to touch
    /// the buffer. Does not panic: the ring may have been given other reads already.
    fn segment(&mut self) -> Option<Segment> {
        match &mut self.into {
            Memory::Foreign(segment) => Some(*segment).filter(|it| it.len() <= nowait::MAX_BYTES),
            Memory::Owned(buffer, length) if *length <= nowait::MAX_BYTES => {
                buffer.try_reserve_exact(*length).ok()?;
                let room = buffer.spare_capacity_mut();
                // SAFETY: there is room for it, see above. It is this read's alone, and nobody else
                // gets to see the buffer before the attempt is over.
                Some(unsafe { Segment::new(room.as_mut_ptr().cast(), *length) })
            }
            Memory::Owned(..) | Memory::Nobodys => None,
        }
    }

    /// Notes how it went.
    fn came_to(&mut self, attempt: Attempt) {
        self.outcome = attempt.into();
        if let (Memory::Owned(buffer, _), Attempt::Done(Ok(bytes)) | Attempt::Begun(bytes)) =
            (&mut self.into, attempt)
        {
            let length = buffer.len() + bytes;
            // SAFETY: the kernel has written so many bytes to where `segment` said.
            unsafe { buffer.set_len(length) };
        }
    }
}

/// Tries reads. Opens a ring when it first has a use for it.
#[derive(Default)]
pub struct Reader {
    ring: State,
}

#[derive(Default)]
enum State {
    #[default]
    Untried,
    Open(Box<Ring>),
    /// There is none, and there will be none.
    Refused,
}

impl Reader {
    /// Tries all of `reads`. Afterwards each has its outcome, and nothing is left to the kernel.
    pub fn attempt(&mut self, reads: &mut [Read]) {
        if reads.len() < FEW || matches!(self.ring, State::Refused) {
            return reads.iter_mut().for_each(|read| {
                alone(read);
            });
        }
        let (mut known, count) = (Known::default(), reads.len());
        for index in 0..reads.len() {
            let read = &mut reads[index];
            let Some(segment) = read.segment() else { continue };
            if !known.admits(read, segment) {
                // Whoever asks a pipe for what is at an offset is told that it has none, but a ring
                // would read from it. So the first read from every file goes alone.
                if let Some(Attempt::Done(Ok(_))) = alone(read) {
                    known.add(read.fd);
                }
                continue;
            }
            let described = (index, read.fd, read.offset);
            let Some(ring) = self.ring() else {
                alone(read);
                continue;
            };
            // SAFETY: foreign memory was vouched for, and owned buffers are borrowed with the
            // list. The ring lets go of it, or is dropped, before this function returns.
            unsafe { ring.push(described, segment, count) };
            if ring.is_full() {
                self.run(reads);
            }
        }
        self.run(reads);
    }

    fn ring(&mut self) -> Option<&mut Ring> {
        if let State::Untried = self.ring {
            self.ring = Ring::open().map_or(State::Refused, |ring| State::Open(ring.into()));
        }
        match &mut self.ring {
            State::Open(ring) => Some(ring),
            State::Untried | State::Refused => None,
        }
    }

    /// Does what the ring was given. What a broken ring leaves undone was not begun.
    fn run(&mut self, reads: &mut [Read]) {
        let State::Open(ring) = &mut self.ring else { return };
        let works = ring.run(|index, result| {
            let read = &mut reads[index];
            let wanted = read.wanted();
            read.came_to(nowait::judge(read.fd, Position::At(read.offset), wanted, result));
        });
        if !works {
            self.ring = State::Refused;
        }
    }
}

/// Tries a read by itself.
fn alone(read: &mut Read) -> Option<Attempt> {
    let segment = read.segment()?;
    let position = Position::At(read.offset);
    let attempt = match read.cached {
        true => nowait::read_cached(read.fd, &[segment], position),
        false => nowait::read(read.fd, &[segment], position),
    };
    read.came_to(attempt);
    Some(attempt)
}

/// The files from which something was read already. They have offsets, and a cache.
#[derive(Default)]
struct Known {
    files: [Option<File>; 4],
    next: usize,
}

#[derive(Clone, Copy)]
struct File {
    fd: RawFd,
    /// Whether it is read from the device itself, as far as somebody has asked.
    direct: Option<bool>,
}

impl Known {
    fn add(&mut self, fd: RawFd) {
        self.files[self.next] = Some(File { fd, direct: None });
        self.next = (self.next + 1) % self.files.len();
    }

    /// Whether a read may go through the ring.
    fn admits(&mut self, read: &Read, segment: Segment) -> bool {
        let file = self.files.iter_mut().flatten().find(|file| file.fd == read.fd);
        let Some(file) = file else { return false };
        let position = Position::At(read.offset);
        if position.is_beyond_all_files() {
            return false;
        }
        // One who asked for the device itself would wait for it.
        read.cached
            || !nowait::may_be_direct(&[segment], position)
            || !*file.direct.get_or_insert_with(|| nowait::is_direct(read.fd))
    }
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsRawFd;

    use super::*;

    /// A file of 100,000 bytes, and what is in it.
    fn file(name: &str) -> (std::fs::File, Vec<u8>) {
        let name = format!("mauve-together-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let bytes: Vec<u8> = (0..100_000u32).map(|n| (n / 3) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        let file = std::fs::File::open(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        (file, bytes)
    }

    /// A read of so many bytes into a buffer of its own.
    fn read(fd: RawFd, offset: u64, length: usize) -> Read {
        Read::owned(fd, offset, length, Vec::new())
    }

    /// Some file systems never tell what is cached; then there is nothing to see.
    fn done(read: &Read) -> Option<crate::Result<usize>> {
        match read.outcome().into() {
            Attempt::Done(result) => Some(result),
            Attempt::Begun(_) => None,
        }
    }

    #[test]
    fn all_are_read_whether_there_is_a_ring_or_not() {
        let (file, bytes) = file("all");
        for mut reader in [Reader::default(), Reader { ring: State::Refused }] {
            for count in [1, FEW, 200] {
                let offset = |index: usize| index * 499;
                let mut reads: Vec<_> =
                    (0..count).map(|n| read(file.as_raw_fd(), offset(n) as u64, 1000)).collect();
                reader.attempt(&mut reads);
                for (index, read) in reads.iter().enumerate() {
                    let Some(result) = done(read) else { continue };
                    let expected = &bytes[offset(index)..bytes.len().min(offset(index) + 1000)];
                    assert_eq!(result, Ok(expected.len()));
                    let Memory::Owned(into, _) = &read.into else { panic!("it was withdrawn") };
                    assert_eq!(into, expected);
                }
            }
        }
    }

    #[test]
    fn each_read_has_its_own_outcome() {
        let (file, _) = file("own");
        let (fd, mut reader) = (file.as_raw_fd(), Reader::default());
        let mut reads: Vec<_> =
            [(fd, 0), (fd, 99_990), (fd, 100_000), (-1, 0), (fd, 5), (fd, u64::MAX), (fd, 7)]
                .map(|(fd, offset)| read(fd, offset, 100))
                .into();
        reads.push(read(fd, 0, nowait::MAX_BYTES + 1));
        reads[4].withdraw();
        reader.attempt(&mut reads);
        let expected = [Ok(100), Ok(10), Ok(0), Err(Errno::EBADF)];
        for (read, expected) in reads.iter().zip(expected) {
            assert!(done(read).is_none_or(|result| result == expected));
        }
        for index in [4, 5, 7] {
            assert_eq!(Attempt::from(reads[index].outcome()), Attempt::Begun(0), "{index}");
        }
        assert!(done(&reads[6]).is_none_or(|result| result == Ok(100)));
    }

    #[test]
    fn what_cannot_be_attempted_is_left_for_later() {
        let (file, _) = file("later");
        let fd = file.as_raw_fd();
        let mut reads = vec![read(fd, 0, usize::MAX)];
        reads.extend((0..6).map(|_| read(fd, 0, 10)));
        Reader::default().attempt(&mut reads);
        assert_eq!(Attempt::from(reads[0].outcome()), Attempt::Begun(0));
        assert!(reads[1..].iter().all(|read| done(read).is_none_or(|result| result == Ok(10))));
        assert_eq!(reads.swap_remove(0).into_bytes(), Some(Vec::new()));
    }

    #[test]
    fn what_was_in_the_buffer_stays_in_front_and_its_memory_is_used() {
        let (file, bytes) = file("front");
        for count in [1, FEW] {
            let mut reads: Vec<_> = (0..count)
                .map(|_| {
                    let mut buffer = Vec::with_capacity(100);
                    buffer.extend_from_slice(b"so far ");
                    Read::owned(file.as_raw_fd(), 300, 20, buffer)
                })
                .collect();
            Reader::default().attempt(&mut reads);
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
        let mut reads: Vec<_> = (0..8).map(|_| read(reader.as_raw_fd(), 0, 1)).collect();
        Reader::default().attempt(&mut reads);
        assert!(reads.iter().all(|read| done(read) == Some(Err(Errno::ESPIPE))));
        drop(writer);
        assert_eq!(std::io::read_to_string(reader).unwrap(), "text");
    }

    #[test]
    fn a_broken_ring_costs_nothing_but_its_use() {
        let (file, _) = file("broken");
        let Some(ring) = Ring::open() else { return };
        // SAFETY: the ring's own descriptor, which is something else from now on.
        assert!(unsafe { libc::dup2(file.as_raw_fd(), ring.as_raw_fd()) } >= 0);
        let mut reader = Reader { ring: State::Open(ring.into()) };
        for _ in 0..2 {
            let mut reads: Vec<_> = (0..8).map(|n| read(file.as_raw_fd(), n, 10)).collect();
            reader.attempt(&mut reads);
            assert!(matches!(reader.ring, State::Refused));
            let ended = |read: &Read| done(read).is_none_or(|result| result == Ok(10));
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
