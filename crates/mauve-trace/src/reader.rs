//! Reads the files of a trace while the traced processes write them.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use mauve_sys::{Errno, SharedMemory, clock};

use crate::builder::{self, RawThread};
use crate::layout::process as at;
use crate::model::{Name, Process, Trace};
use crate::record::Record;
use crate::symbols::Symbols;
use crate::{ring, wakeups};

/// The most records that a reader keeps. The oldest are dropped and counted then.
const MAX_RECORDS: usize = 24 << 20;

/// Reads a trace.
pub struct Reader {
    directory: PathBuf,
    /// How much of the end of the trace is kept.
    window: Option<Duration>,
    seen: HashSet<OsString>,
    processes: Vec<ProcessFile>,
    rings: Vec<RingFile>,
    wakeups: Vec<WakeupFile>,
    /// Processes that could not record, as sentences.
    failures: Vec<String>,
    symbols: Symbols,
}

struct ProcessFile {
    memory: SharedMemory,
    pid: u32,
}

/// The process id, and when its session began: a process may be traced more than once.
type Owner = (u32, String);

struct RingFile {
    /// `None` for the wake-ups of a thread without a ring.
    reader: Option<ring::Reader>,
    owner: Owner,
    tid: u32,
    name: String,
    records: Vec<Record>,
    /// Records that were dropped because they are outside of the window or too many.
    discarded: u64,
}

impl RingFile {
    fn dropped(&self) -> u64 {
        self.reader.as_ref().map_or(0, |reader| reader.dropped) + self.discarded
    }
}

struct WakeupFile {
    reader: wakeups::Reader,
    owner: Owner,
}

impl Reader {
    /// Reads the trace in `directory`. With a window, only the end of the trace is kept.
    pub fn new(directory: &Path, window: Option<Duration>) -> Self {
        Self {
            directory: directory.to_owned(),
            window,
            seen: HashSet::new(),
            processes: Vec::new(),
            rings: Vec::new(),
            wakeups: Vec::new(),
            failures: Vec::new(),
            symbols: Symbols::default(),
        }
    }

    /// Copies what was recorded since the last call. Returns how many records that were.
    pub fn poll(&mut self) -> usize {
        self.find_files();
        let mut count = 0;
        for ring in &mut self.rings {
            let before = ring.records.len();
            if let Some(reader) = &mut ring.reader {
                reader.read(&mut ring.records);
            }
            count += ring.records.len() - before;
        }
        for file in &mut self.wakeups {
            file.reader.read(|tid, record| {
                wakeups_of(&mut self.rings, &file.owner, tid).push(record);
                count += 1;
            });
        }
        if count > 0 {
            self.discard_old();
        }
        count
    }

    fn find_files(&mut self) {
        let Ok(entries) = std::fs::read_dir(&self.directory) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            if self.seen.contains(&name) {
                continue;
            }
            let path = entry.path();
            // A file that is not complete yet is opened by a later call.
            let known = match path.extension().and_then(|extension| extension.to_str()) {
                Some("process") => self.open_process(&path),
                Some("ring") => self.open_ring(&path),
                Some("wakeups") => self.open_wakeups(&path),
                Some("error") => self.note_failure(&path),
                _ => true,
            };
            if known {
                self.seen.insert(name);
            }
        }
    }

    fn open_process(&mut self, path: &Path) -> bool {
        let Ok(memory) = SharedMemory::open(path) else { return false };
        let words = memory.words();
        if words.len() != at::WORDS || words[at::MAGIC_AT].load(Ordering::Acquire) != at::MAGIC {
            return false;
        }
        let pid = words[at::PID].load(Ordering::Relaxed) as u32;
        self.processes.push(ProcessFile { memory, pid });
        true
    }

    fn open_ring(&mut self, path: &Path) -> bool {
        let Some(reader) = ring::Reader::open(path) else { return false };
        let (owner, tid, name) = (owner(path), reader.tid(), reader.name());
        let (reader, records) = (Some(reader), Vec::new());
        self.rings.push(RingFile { reader, owner, tid, name, records, discarded: 0 });
        true
    }

    fn open_wakeups(&mut self, path: &Path) -> bool {
        let Some(reader) = wakeups::Reader::open(path) else { return false };
        self.wakeups.push(WakeupFile { reader, owner: owner(path) });
        true
    }

    fn note_failure(&mut self, path: &Path) -> bool {
        let (pid, code) = owner(path);
        let error = Errno::from_raw(code.parse().unwrap_or_default());
        self.failures.push(format!("process {pid} is not traced: {error}"));
        true
    }

    /// Drops records outside of the window, and the oldest if there are too many. Keeps up to twice
    /// the window, so that records are rarely moved.
    fn discard_old(&mut self) {
        let newest = self.rings.iter().filter_map(|ring| ring.records.last()).map(|r| r.time).max();
        let window = self.window.map_or(u64::MAX, |window| window.as_nanos() as u64);
        let oldest = newest.unwrap_or(0).saturating_sub(window);
        let total: usize = self.rings.iter().map(|ring| ring.records.len()).sum();
        for ring in &mut self.rings {
            let mut old = ring.records.partition_point(|record| record.time < oldest);
            if total > MAX_RECORDS {
                old = old.max(ring.records.len() / 2);
            } else if old <= ring.records.len() / 2 {
                continue;
            }
            let lost = total > MAX_RECORDS;
            ring.records.drain(..old);
            ring.discarded += if lost { old as u64 } else { 0 };
        }
    }

    /// Whether any process has recorded anything.
    pub fn has_records(&self) -> bool {
        self.rings.iter().any(|ring| !ring.records.is_empty())
    }

    /// The ids of the traced processes.
    pub fn pids(&self) -> Vec<u32> {
        self.processes.iter().map(|process| process.pid).collect()
    }

    /// Makes the traced processes stop recording.
    pub fn stop(&self) {
        for process in &self.processes {
            process.memory.words()[at::STOP].store(1, Ordering::Relaxed);
        }
    }

    /// The trace up to now.
    pub fn trace(&mut self) -> Trace {
        self.poll();
        let mut threads = Vec::new();
        let newest = self.rings.iter().filter_map(|ring| ring.records.last()).map(|r| r.time).max();
        let window = self.window.map(|window| window.as_nanos() as u64);
        let oldest = window.map_or(0, |window| newest.unwrap_or(0).saturating_sub(window));
        for ring in &self.rings {
            let session = |process: &ProcessFile| {
                let begin = process.memory.words()[at::MONOTONIC].load(Ordering::Relaxed);
                (process.pid, format!("{begin:x}")) == ring.owner
            };
            let Some(process) = self.processes.iter().position(session) else { continue };
            let first = ring.records.partition_point(|record| record.time < oldest);
            threads.push(RawThread {
                process,
                tid: ring.tid,
                name: ring.name.clone(),
                dropped: ring.dropped(),
                records: &ring.records[first..],
            });
        }
        let names: Vec<_> =
            self.processes.iter().map(|process| names(process, &mut self.symbols)).collect();
        let mut trace = builder::build(&threads, &names);
        trace.dropped += self.wakeups.iter().map(|file| file.reader.dropped).sum::<u64>();
        trace.processes = self.processes.iter().map(describe).collect();
        if let Some(first) = self.processes.first() {
            let word = |at: usize| first.memory.words()[at].load(Ordering::Relaxed);
            let since = trace.origin.wrapping_sub(word(at::MONOTONIC));
            trace.wall_clock = word(at::REALTIME).wrapping_add(since);
        }
        trace.remarks.clone_from(&self.failures);
        for process in &self.processes {
            remark(process, &mut trace.remarks);
        }
        trace
    }

    /// The time of the clock that records have.
    pub fn now() -> u64 {
        clock::hrtime()
    }
}

/// The owner of a file by its name: `PID-SESSION.wakeups`, or `PID-SESSION-TID-TIME.ring`.
fn owner(path: &Path) -> Owner {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut parts = name.split('-');
    let pid = parts.next().and_then(|pid| pid.parse().ok()).unwrap_or_default();
    (pid, parts.next().unwrap_or_default().to_owned())
}

/// The wake-ups of a thread that were not written to its own ring.
fn wakeups_of<'a>(rings: &'a mut Vec<RingFile>, owner: &Owner, tid: u32) -> &'a mut Vec<Record> {
    let is_of = |ring: &RingFile| ring.reader.is_none() && ring.tid == tid && ring.owner == *owner;
    let at = rings.iter().position(is_of).unwrap_or_else(|| {
        // Empty if the thread has exited.
        let name = std::fs::read_to_string(format!("/proc/{}/task/{tid}/comm", owner.0));
        let name = name.unwrap_or_default().trim_end().to_owned();
        let (owner, records) = (owner.clone(), Vec::new());
        rings.push(RingFile { reader: None, owner, tid, name, records, discarded: 0 });
        rings.len() - 1
    });
    &mut rings[at].records
}

fn describe(process: &ProcessFile) -> Process {
    let bytes: Vec<u8> = bytes(process, at::COMMAND, at::COMMAND_WORDS * 8);
    let length = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let command = String::from_utf8_lossy(&bytes[..length]).into_owned();
    Process { pid: process.pid, command }
}

fn bytes(process: &ProcessFile, at: usize, length: usize) -> Vec<u8> {
    let words = process.memory.words()[at..].iter().take(length.div_ceil(8));
    let mut bytes: Vec<u8> =
        words.flat_map(|word| word.load(Ordering::Relaxed).to_ne_bytes()).collect();
    bytes.truncate(length);
    bytes
}

fn remark(process: &ProcessFile, remarks: &mut Vec<String>) {
    let word = |at: usize| process.memory.words()[at].load(Ordering::Relaxed);
    let (threads, names) = (word(at::THREADS_LOST), word(at::NAMES_LOST));
    if threads > 0 {
        let error = Errno::from_raw(word(at::ERROR) as i32);
        remarks.push(format!("process {}: {threads} threads are not traced: {error}", process.pid));
    }
    if names > 0 {
        remarks.push(format!("process {}: {names} names did not fit", process.pid));
    }
}

/// The names that a process has defined, by their numbers.
fn names(process: &ProcessFile, symbols: &mut Symbols) -> HashMap<u64, Name> {
    let words = process.memory.words();
    let mut names = HashMap::new();
    let mut begin = at::NAMES;
    while begin + 2 < words.len() {
        let header = words[begin].load(Ordering::Acquire);
        let (kind, length) = ((header >> 32) as u32, header as u32 as usize);
        if header == 0 || begin + 2 + length.div_ceil(8) > words.len() {
            break;
        }
        let number = words[begin + 1].load(Ordering::Relaxed);
        let text = String::from_utf8_lossy(&bytes(process, begin + 2, length)).into_owned();
        names.entry(number).or_insert_with(|| name(kind, &text, symbols));
        begin += 2 + length.div_ceil(8);
    }
    names
}

fn name(kind: u32, text: &str, symbols: &mut Symbols) -> Name {
    if kind == at::FUNCTION
        && let Some((offset, path)) = text.split_once(' ')
        && let Ok(offset) = u64::from_str_radix(offset, 16)
    {
        return symbols.name(Path::new(path), offset);
    }
    let mut lines = text.lines();
    let function = lines.next().unwrap_or_default().to_owned();
    let file = lines.next().filter(|file| !file.is_empty()).map(str::to_owned);
    let line = lines.next().and_then(|line| line.parse().ok()).filter(|line| *line > 0);
    Name { function, file, line }
}
