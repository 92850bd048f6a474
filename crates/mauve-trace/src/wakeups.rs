//! A ring of wake-ups with several writers, in shared memory.
//!
//! `uv_async_send` may be called by any thread and from a signal handler, where no ring of the thread
//! can be created. So such wake-ups are written to one ring of the process. A writer claims a slot by
//! incrementing a number; it never waits and allocates nothing. The last word of a record is its number
//! plus one, so that a reader detects records that are not complete and those that were overwritten.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering, fence};

use mauve_sys::{Result, SharedMemory, fork, thread};

use crate::layout::wakeups as at;
use crate::record::{Record, WORDS};

/// The writer.
pub(crate) struct Writer {
    memory: SharedMemory,
    /// The fork generation of the process that it belongs to.
    generation: u64,
}

impl Writer {
    pub fn create(path: &Path) -> Result<Self> {
        let memory = SharedMemory::create(path, at::RECORDS + at::CAPACITY * WORDS)?;
        memory.words()[at::MAGIC_AT].store(at::MAGIC, Ordering::Release);
        Ok(Self { memory, generation: fork::generation() })
    }

    /// Writes a record of the calling thread.
    pub fn push(&self, mut record: Record) {
        // A forked child has a ring of its own as soon as its loop records something.
        if self.generation != fork::generation() {
            return;
        }
        record.number = thread::current_tid();
        let words = self.memory.words();
        let number = words[at::CLAIMED].fetch_add(1, Ordering::Relaxed);
        record.value = number + 1;
        let slot = slot(words, number);
        slot[WORDS - 1].store(0, Ordering::Relaxed);
        // A reader that sees a part of this record sees that the slot is being overwritten.
        fence(Ordering::Release);
        let values = record.to_words();
        for (word, value) in slot.iter().zip(values).take(WORDS - 1) {
            word.store(value, Ordering::Relaxed);
        }
        slot[WORDS - 1].store(values[WORDS - 1], Ordering::Release);
    }
}

fn slot(words: &[AtomicU64], number: u64) -> &[AtomicU64] {
    let begin = at::RECORDS + (number % at::CAPACITY as u64) as usize * WORDS;
    &words[begin..begin + WORDS]
}

/// Copies records from the ring.
#[cfg(feature = "report")]
pub(crate) struct Reader {
    memory: SharedMemory,
    /// How many records were copied or dropped.
    position: u64,
    /// The record that was not complete when the ring was last read.
    incomplete: Option<u64>,
    /// How many records were overwritten before they were copied, or never completed.
    pub dropped: u64,
}

#[cfg(feature = "report")]
impl Reader {
    /// Opens a ring. `None` if the file is not a ring, or not one yet.
    pub fn open(path: &Path) -> Option<Self> {
        let memory = SharedMemory::open(path).ok()?;
        let words = memory.words();
        let valid = words.len() == at::RECORDS + at::CAPACITY * WORDS
            && words[at::MAGIC_AT].load(Ordering::Acquire) == at::MAGIC;
        valid.then_some(Self { memory, position: 0, incomplete: None, dropped: 0 })
    }

    /// Calls `each` with the id of the thread and the record, for records since the last call.
    pub fn read(&mut self, mut each: impl FnMut(u32, Record)) {
        let words = self.memory.words();
        let claimed = words[at::CLAIMED].load(Ordering::Acquire);
        let oldest = claimed.saturating_sub(at::CAPACITY as u64);
        self.dropped += oldest.saturating_sub(self.position);
        self.position = self.position.max(oldest);
        while self.position < claimed {
            let slot = slot(words, self.position);
            let number = slot[WORDS - 1].load(Ordering::Acquire);
            let copy: [u64; WORDS] = std::array::from_fn(|at| slot[at].load(Ordering::Relaxed));
            fence(Ordering::Acquire);
            let complete =
                number == self.position + 1 && slot[WORDS - 1].load(Ordering::Relaxed) == number;
            if complete {
                let mut record = Record::from_words(copy);
                let tid = std::mem::take(&mut record.number);
                record.value = 0;
                each(tid, record);
            } else if number <= self.position && self.incomplete != Some(self.position) {
                // Its writer was interrupted, or has been killed. Read again by the next call.
                self.incomplete = Some(self.position);
                return;
            } else {
                self.dropped += 1;
            }
            self.position += 1;
        }
    }
}

#[cfg(all(test, feature = "report"))]
mod tests {
    use super::*;

    fn ring(name: &str) -> (Writer, Reader) {
        let name = format!("mauve-wakeups-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let writer = Writer::create(&path).unwrap();
        let reader = Reader::open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        (writer, reader)
    }

    #[test]
    fn records_of_several_threads_are_read_or_counted_as_dropped() {
        const COUNT: u64 = 100_000;
        let (writer, mut reader) = ring("threads");
        let mut records: Vec<(u32, Record)> = Vec::new();
        std::thread::scope(|scope| {
            for thread in 1..=3u64 {
                let writer = &writer;
                scope.spawn(move || {
                    for time in 0..COUNT {
                        writer.push(Record { time, id: time * 3 + thread, ..Record::default() });
                    }
                });
            }
            for _ in 0..100 {
                reader.read(|tid, record| records.push((tid, record)));
            }
        });
        reader.read(|tid, record| records.push((tid, record)));
        reader.read(|tid, record| records.push((tid, record)));
        assert_eq!(records.len() as u64 + reader.dropped, 3 * COUNT);
        let mut threads: Vec<u32> = records.iter().map(|(tid, _)| *tid).collect();
        threads.sort_unstable();
        threads.dedup();
        assert!(threads.len() <= 3 && !threads.contains(&0), "{threads:?}");
        assert!(records.iter().all(|(_, record)| (1..=3).contains(&(record.id - record.time * 3))));
    }

    #[test]
    fn a_record_that_is_never_completed_does_not_hide_later_ones() {
        let (writer, mut reader) = ring("incomplete");
        writer.push(Record { time: 1, ..Record::default() });
        // What a writer does that is killed in between.
        writer.memory.words()[at::CLAIMED].fetch_add(1, Ordering::Relaxed);
        writer.push(Record { time: 2, ..Record::default() });
        let mut times = Vec::new();
        reader.read(|_, record| times.push(record.time));
        assert_eq!(times, [1]);
        reader.read(|_, record| times.push(record.time));
        assert_eq!((times, reader.dropped), (vec![1, 2], 1));
    }
}
