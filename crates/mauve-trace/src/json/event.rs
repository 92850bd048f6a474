//! Events of the Trace Event Format, one per line.

use std::io::{self, Write};
use std::ops::Range;

use super::object::{Object, text};

/// A thread of a process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Track {
    pub pid: u32,
    pub tid: u32,
}

/// A point of an arrow.
#[derive(Clone, Copy, Debug)]
pub enum Arrow {
    Start,
    Step,
    Finish,
}

/// Writes events, with the commas between them.
pub struct EventWriter<'a, W> {
    out: &'a mut W,
    any: bool,
}

impl<'a, W: Write> EventWriter<'a, W> {
    pub fn new(out: &'a mut W) -> Self {
        Self { out, any: false }
    }

    /// A span of time: a complete event.
    pub fn span(
        &mut self,
        track: Track,
        name: &str,
        category: &str,
        time: Range<u64>,
        args: Object,
    ) -> io::Result<()> {
        self.begin("X", track, name)?;
        self.time("ts", time.start)?;
        self.time("dur", time.end.saturating_sub(time.start))?;
        write!(self.out, ",\"cat\":\"{category}\"")?;
        self.end(args)
    }

    /// A point of an arrow. It belongs to the span that encloses it.
    pub fn arrow(
        &mut self,
        kind: Arrow,
        track: Track,
        category: &str,
        id: usize,
        time: u64,
    ) -> io::Result<()> {
        let phase = match kind {
            Arrow::Start => "s",
            Arrow::Step => "t",
            Arrow::Finish => "f",
        };
        self.begin(phase, track, category)?;
        self.time("ts", time)?;
        write!(self.out, ",\"cat\":\"{category}\",\"id\":{id}")?;
        if let Arrow::Finish = kind {
            // Without this the arrow ends at the next span instead of the enclosing one.
            self.out.write_all(b",\"bp\":\"e\"")?;
        }
        self.out.write_all(b"}")
    }

    pub fn instant(
        &mut self,
        track: Track,
        name: &str,
        category: &str,
        time: u64,
        args: Object,
    ) -> io::Result<()> {
        self.begin("i", track, name)?;
        self.time("ts", time)?;
        write!(self.out, ",\"s\":\"t\",\"cat\":\"{category}\"")?;
        self.end(args)
    }

    pub fn counter(&mut self, track: Track, name: &str, time: u64, args: Object) -> io::Result<()> {
        self.begin("C", track, name)?;
        self.time("ts", time)?;
        self.end(args)
    }

    pub fn metadata(&mut self, track: Track, name: &str, args: Object) -> io::Result<()> {
        self.begin("M", track, name)?;
        self.end(args)
    }

    fn begin(&mut self, phase: &str, track: Track, name: &str) -> io::Result<()> {
        let separator = if self.any { ",\n" } else { "\n" };
        self.any = true;
        let Track { pid, tid } = track;
        let name = text(name);
        write!(
            self.out,
            "{separator}{{\"ph\":\"{phase}\",\"pid\":{pid},\"tid\":{tid},\"name\":{name}"
        )
    }

    /// Nanoseconds, as microseconds with a fraction.
    fn time(&mut self, key: &str, ns: u64) -> io::Result<()> {
        write!(self.out, ",\"{key}\":{}.{:03}", ns / 1000, ns % 1000)
    }

    /// The arguments, and the end of the event.
    fn end(&mut self, args: Object) -> io::Result<()> {
        write!(self.out, ",\"args\":{}}}", args.finish())
    }
}
