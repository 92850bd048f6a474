//! A ring of records with one writer, in shared memory. Writing is wait-free.

use std::cell::Cell;
use std::path::Path;
use std::sync::atomic::{Ordering, fence};

use mauve_sys::thread::{Thread, current_tid};
use mauve_sys::{Result, SharedMemory};

use crate::layout::ring as at;
use crate::record::{Record, WORDS};

/// The writer of a ring. It belongs to one thread.
pub(crate) struct Writer {
    memory: SharedMemory,
    mask: u64,
    written: Cell<u64>,
}

impl Writer {
    /// Creates a ring of `capacity` records, a power of two, for the calling thread.
    pub fn create(path: &Path, capacity: usize) -> Result<Self> {
        assert!(capacity.is_power_of_two());
        let memory = SharedMemory::create(path, at::RECORDS + capacity * WORDS)?;
        let words = memory.words();
        words[at::PID].store(std::process::id().into(), Ordering::Relaxed);
        words[at::TID].store(current_tid().into(), Ordering::Relaxed);
        let name = Thread::current().name().unwrap_or_default();
        for (index, chunk) in name.as_bytes().chunks(8).take(2).enumerate() {
            let mut bytes = [0; 8];
            bytes[..chunk.len()].copy_from_slice(chunk);
            words[at::NAME + index].store(u64::from_ne_bytes(bytes), Ordering::Relaxed);
        }
        words[at::MAGIC_AT].store(at::MAGIC, Ordering::Release);
        Ok(Self { mask: capacity as u64 - 1, written: Cell::new(0), memory })
    }

    /// Writes a record, and overwrites the oldest one if the ring is full.
    #[inline]
    pub fn push(&self, record: Record) {
        let written = self.written.get();
        let words = self.memory.words();
        let slot = at::RECORDS + (written & self.mask) as usize * WORDS;
        // A reader that sees a part of this record sees that all earlier ones were written, and
        // so that the slot is being overwritten.
        fence(Ordering::Release);
        for (word, value) in words[slot..slot + WORDS].iter().zip(record.to_words()) {
            word.store(value, Ordering::Relaxed);
        }
        self.written.set(written + 1);
        words[at::WRITTEN].store(written + 1, Ordering::Release);
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.memory.words()[at::CLOSED].store(1, Ordering::Release);
    }
}

/// Copies records from a ring.
#[cfg(feature = "report")]
pub(crate) struct Reader {
    memory: SharedMemory,
    capacity: u64,
    /// How many records were copied or dropped.
    position: u64,
    /// How many records were overwritten before they were copied.
    pub dropped: u64,
}

#[cfg(feature = "report")]
impl Reader {
    /// Opens a ring. `None` if the file is not a ring, or not one yet.
    pub fn open(path: &Path) -> Option<Self> {
        let memory = SharedMemory::open(path).ok()?;
        let words = memory.words();
        let records = words.len().checked_sub(at::RECORDS)? / WORDS;
        let valid = words[at::MAGIC_AT].load(Ordering::Acquire) == at::MAGIC;
        let capacity = records as u64;
        (valid && records.is_power_of_two()).then_some(Self {
            memory,
            capacity,
            position: 0,
            dropped: 0,
        })
    }

    fn word(&self, at: usize) -> &std::sync::atomic::AtomicU64 {
        &self.memory.words()[at]
    }

    /// The thread that writes it.
    pub fn tid(&self) -> u32 {
        self.word(at::TID).load(Ordering::Relaxed) as u32
    }

    /// The name of that thread.
    pub fn name(&self) -> String {
        let words = [at::NAME, at::NAME + 1].map(|at| self.word(at).load(Ordering::Relaxed));
        let bytes = words.map(u64::to_ne_bytes).concat();
        let length = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    }

    /// Appends the records that were written since the last call.
    pub fn read(&mut self, records: &mut Vec<Record>) {
        let written = self.word(at::WRITTEN).load(Ordering::Acquire);
        // Starts behind the slot that may be overwritten at the moment.
        let oldest = (written + 1).saturating_sub(self.capacity);
        self.skip_to(oldest);
        let (first, begin) = (self.position, records.len());
        let words = self.memory.words();
        for number in first..written {
            let slot = at::RECORDS + (number % self.capacity) as usize * WORDS;
            let record = std::array::from_fn(|word| words[slot + word].load(Ordering::Relaxed));
            records.push(Record::from_words(record));
        }
        self.position = self.position.max(written);
        // See `Writer::push`.
        fence(Ordering::Acquire);
        let now = self.word(at::WRITTEN).load(Ordering::Relaxed);
        let oldest = (now + 1).saturating_sub(self.capacity);
        let overwritten = oldest.saturating_sub(first).min(written - first.min(written));
        records.drain(begin..begin + overwritten as usize);
        self.dropped += overwritten;
    }

    fn skip_to(&mut self, oldest: u64) {
        let skipped = oldest.saturating_sub(self.position);
        self.dropped += skipped;
        self.position += skipped;
    }
}

#[cfg(all(test, feature = "report"))]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn path(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("mauve-ring-{name}-{}", std::process::id()))
    }

    #[test]
    fn records_are_read_in_order_and_overwritten_ones_are_counted() {
        let path = path("order");
        let writer = Writer::create(&path, 16).unwrap();
        let mut reader = Reader::open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(reader.tid(), current_tid());
        let mut records = Vec::new();
        let push = |range: std::ops::Range<u64>| {
            range.for_each(|time| writer.push(Record { time, ..Record::default() }));
        };
        push(0..10);
        reader.read(&mut records);
        push(10..50);
        reader.read(&mut records);
        reader.read(&mut records);
        let times: Vec<u64> = records.iter().map(|record| record.time).collect();
        assert_eq!(times, (0..10).chain(35..50).collect::<Vec<_>>());
        assert_eq!(reader.dropped, 25);
    }

    #[test]
    fn a_fast_writer_never_makes_the_reader_return_a_torn_record() {
        const COUNT: u64 = 200_000;
        let path = path("torn");
        let (created, opened) = std::sync::mpsc::channel();
        let file = path.clone();
        let writer = std::thread::spawn(move || {
            let writer = Writer::create(&file, 64).unwrap();
            created.send(()).unwrap();
            for time in 0..COUNT {
                writer.push(Record { time, id: time * 3, value: time * 7, ..Record::default() });
            }
        });
        opened.recv().unwrap();
        let mut reader = Reader::open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let mut records = Vec::new();
        while !writer.is_finished() {
            reader.read(&mut records);
        }
        writer.join().unwrap();
        reader.read(&mut records);
        for record in &records {
            assert_eq!((record.id, record.value), (record.time * 3, record.time * 7));
        }
        assert!(records.is_sorted_by(|one, next| one.time < next.time));
        assert_eq!(records.len() as u64 + reader.dropped, COUNT);
    }
}
