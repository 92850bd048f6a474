//! Reads the files of a trace while the traced processes write them.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use mauve_sys::{Errno, SharedMemory, clock};

use crate::builder::{self, DefinedName, RawThread};
use crate::layout::process as at;
use crate::model::{Name, Process, Trace};
use crate::record::{Record, RecordKind};
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
    /// Whether it was seen. It is not in another namespace, or on a system without `/proc`.
    was_seen: bool,
    /// When it was seen no more.
    exited: Option<u64>,
}

impl ProcessFile {
    fn check_exit(&mut self) {
        if self.exited.is_none() {
            let runs = exists(self.pid);
            self.exited = (self.was_seen && !runs).then(clock::hrtime);
            self.was_seen |= runs;
        }
    }
}

/// Whether a process exists, and is not a zombie.
fn exists(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name of the program may contain parentheses.
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
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
    /// The loops and the handles that were opened before the first of these records, and still exist, and
    /// the wait and the callbacks that had not ended.
    open: Vec<Record>,
    /// Records that were dropped because they are outside of the window or too many.
    discarded: u64,
}

impl RingFile {
    fn new(reader: Option<ring::Reader>, owner: Owner, tid: u32, name: String) -> Self {
        Self { reader, owner, tid, name, records: Vec::new(), open: Vec::new(), discarded: 0 }
    }

    fn dropped(&self) -> u64 {
        self.reader.as_ref().map_or(0, |reader| reader.dropped) + self.discarded
    }

    /// The records since a time, after what was open then.
    fn since(&self, oldest: u64) -> Vec<Record> {
        let first = self.records.partition_point(|record| record.time < oldest);
        let mut open = self.open.clone();
        keep_open(&mut open, &self.records[..first]);
        // What has not ended comes after the loop and the handles that it is of.
        open.sort_by_key(is_running);
        let next = self.records.get(first).map_or(oldest, |record| record.time.max(oldest));
        let running = open.iter().find(|record| is_running(record));
        let begin = running.map_or(next, |record| record.time.max(oldest));
        for record in &mut open {
            record.time = if is_running(record) { record.time.max(oldest) } else { begin };
            if record.kind == RecordKind::HandleOpen as u8 {
                // It existed before what is shown.
                record.number = 1;
            }
        }
        open.extend_from_slice(&self.records[first..]);
        open
    }
}

/// Whether the record begins a wait or a callback.
fn is_running(record: &Record) -> bool {
    record.kind == RecordKind::WaitBegin as u8 || record.kind == RecordKind::CallbackBegin as u8
}

/// Adds the loops and handles that records open and the waits and callbacks that they begin, and removes
/// those that they close and end.
fn keep_open(open: &mut Vec<Record>, records: &[Record]) {
    const LOOP_OPEN: u8 = RecordKind::LoopOpen as u8;
    const LOOP_CLOSE: u8 = RecordKind::LoopClose as u8;
    const HANDLE_OPEN: u8 = RecordKind::HandleOpen as u8;
    const HANDLE_FD: u8 = RecordKind::HandleFd as u8;
    const HANDLE_CLOSING: u8 = RecordKind::HandleClosing as u8;
    const WAIT_BEGIN: u8 = RecordKind::WaitBegin as u8;
    const WAIT_END: u8 = RecordKind::WaitEnd as u8;
    const CALLBACK_BEGIN: u8 = RecordKind::CallbackBegin as u8;
    const CALLBACK_END: u8 = RecordKind::CallbackEnd as u8;
    for record in records {
        match record.kind {
            LOOP_OPEN | HANDLE_OPEN | HANDLE_FD | WAIT_BEGIN | CALLBACK_BEGIN => open.push(*record),
            // The records are of one thread, so the last that has begun ends first.
            WAIT_END | CALLBACK_END => {
                let begin = if record.kind == WAIT_END { WAIT_BEGIN } else { CALLBACK_BEGIN };
                if let Some(at) = open.iter().rposition(|kept| kept.kind == begin) {
                    open.remove(at);
                }
            }
            HANDLE_CLOSING => open.retain(|kept| {
                kept.kind == LOOP_OPEN
                    || is_running(kept)
                    || (kept.lp, kept.id) != (record.lp, record.id)
            }),
            LOOP_CLOSE => open.retain(|kept| kept.lp != record.lp),
            _ => {}
        }
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
        self.processes.iter_mut().for_each(ProcessFile::check_exit);
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
        self.processes.push(ProcessFile { memory, pid, was_seen: false, exited: None });
        true
    }

    fn open_ring(&mut self, path: &Path) -> bool {
        let Some(reader) = ring::Reader::open(path) else { return false };
        let (tid, name) = (reader.tid(), reader.name());
        self.rings.push(RingFile::new(Some(reader), owner(path), tid, name));
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
            keep_open(&mut ring.open, &ring.records[..old]);
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

    /// The trace up to its last record, for processes that have ended.
    pub fn trace(&mut self) -> Trace {
        self.trace_until(0)
    }

    /// The trace up to this time of [`now`](Self::now), or its last record if that is later. A loop that
    /// has recorded nothing for a time was waiting, or in a callback.
    pub fn trace_until(&mut self, until: u64) -> Trace {
        self.poll();
        let mut threads = Vec::new();
        let newest = self.rings.iter().filter_map(|ring| ring.records.last()).map(|r| r.time).max();
        let end = newest.map_or(0, |newest| newest.max(until));
        let window = self.window.map(|window| window.as_nanos() as u64);
        let oldest = window.map_or(0, |window| end.saturating_sub(window));
        let records: Vec<_> = self.rings.iter().map(|ring| ring.since(oldest)).collect();
        for (ring, records) in self.rings.iter().zip(&records) {
            let session = |process: &ProcessFile| {
                let begin = process.memory.words()[at::MONOTONIC].load(Ordering::Relaxed);
                (process.pid, format!("{begin:x}")) == ring.owner
            };
            let Some(process) = self.processes.iter().position(session) else { continue };
            threads.push(RawThread {
                process,
                tid: ring.tid,
                name: ring.name.clone(),
                dropped: ring.dropped(),
                records,
            });
        }
        let names: Vec<_> =
            self.processes.iter().map(|process| names(process, &mut self.symbols)).collect();
        let exits: Vec<_> = self.processes.iter().map(|process| process.exited).collect();
        let mut trace = builder::build(&threads, &names, &exits, end);
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
        rings.push(RingFile::new(None, owner.clone(), tid, name));
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
    if word(at::UNNAMED_CODE) != 0 {
        remarks.push(format!(
            "process {}: names of JavaScript functions are not known: start it with `mauve trace PROGRAM`, \
             or with NODE_OPTIONS=\"{}\"",
            process.pid,
            crate::generated::NODE_OPTIONS
        ));
    }
}

/// The names that a process has defined, by their numbers.
fn names(process: &ProcessFile, symbols: &mut Symbols) -> HashMap<u64, DefinedName> {
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

fn name(kind: u32, text: &str, symbols: &mut Symbols) -> DefinedName {
    if matches!(kind, at::FUNCTION | at::CODE)
        && let Some((offset, path)) = text.split_once(' ')
        && let Ok(offset) = u64::from_str_radix(offset, 16)
    {
        let mut name = symbols.name(Path::new(path), offset);
        if kind == at::CODE {
            // The line of the address in the function.
            name.line = None;
        }
        return DefinedName { name, is_script: false };
    }
    DefinedName { name: Name::from_lines(text), is_script: kind == at::SCRIPT }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(time: u64, kind: RecordKind, id: u64) -> Record {
        Record { time, kind: kind as u8, lp: 1, id, ..Record::default() }
    }

    fn ring(records: Vec<Record>) -> RingFile {
        RingFile {
            reader: None,
            owner: (1, String::new()),
            tid: 1,
            name: String::new(),
            records,
            open: Vec::new(),
            discarded: 0,
        }
    }

    #[test]
    fn what_was_opened_before_the_window_is_still_open() {
        let ring = ring(vec![
            record(10, RecordKind::LoopOpen, 0),
            record(20, RecordKind::HandleOpen, 7),
            record(30, RecordKind::HandleOpen, 8),
            record(40, RecordKind::HandleClosing, 7),
            record(50, RecordKind::CallbackEnd, 0),
            record(90, RecordKind::CallbackEnd, 0),
        ]);
        let shown = ring.since(60);
        let kinds: Vec<u8> = shown.iter().map(|record| record.kind).collect();
        let wanted = [RecordKind::LoopOpen, RecordKind::HandleOpen, RecordKind::CallbackEnd];
        assert_eq!(kinds, wanted.map(|kind| kind as u8));
        assert_eq!((shown[1].id, shown[1].number, shown[1].time), (8, 1, 90));
        // Nothing is added to a trace without a window.
        assert_eq!(ring.since(0), ring.records);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_has_exited_before_its_status_is_read() {
        assert!(exists(std::process::id()));
        let mut child = std::process::Command::new("true").spawn().expect("a program");
        let pid = child.id();
        let begin = std::time::Instant::now();
        while exists(pid) {
            assert!(begin.elapsed() < Duration::from_secs(60), "it has not exited");
            std::thread::yield_now();
        }
        child.wait().expect("a status");
        assert!(!exists(pid));
    }

    #[test]
    fn what_had_not_ended_before_the_window_is_part_of_it() {
        let mut ring = ring(vec![
            record(10, RecordKind::LoopOpen, 0),
            record(20, RecordKind::WaitBegin, 1),
            record(30, RecordKind::WaitEnd, 0),
            record(31, RecordKind::CallbackBegin, 7),
            record(32, RecordKind::HandleOpen, 7),
            record(33, RecordKind::CallbackEnd, 0),
            record(40, RecordKind::WaitBegin, 2),
        ]);
        let shown = |ring: &RingFile, oldest| {
            let records = ring.since(oldest).into_iter();
            records.map(|record| (record.time, record.kind, record.id)).collect::<Vec<_>>()
        };
        let [lp, handle, wait, end, callback] = [
            RecordKind::LoopOpen,
            RecordKind::HandleOpen,
            RecordKind::WaitBegin,
            RecordKind::WaitEnd,
            RecordKind::CallbackBegin,
        ]
        .map(|kind| kind as u8);
        // The loop still waits when the window begins.
        assert_eq!(shown(&ring, 60), [(60, lp, 0), (60, handle, 7), (60, wait, 2)]);
        ring.records.push(record(90, RecordKind::WaitEnd, 0));
        let wanted = [(60, lp, 0), (60, handle, 7), (60, wait, 2), (90, end, 0)];
        assert_eq!(shown(&ring, 60), wanted);
        // Then it is in a callback.
        ring.records.push(record(91, RecordKind::CallbackBegin, 7));
        assert_eq!(shown(&ring, 95), [(95, lp, 0), (95, handle, 7), (95, callback, 7)]);
    }
}
