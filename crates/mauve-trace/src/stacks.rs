//! Builds the tree of frames from samples, and names callbacks by the functions of the program in them.

use std::collections::{HashMap, HashSet};

use crate::model::{Frame, FrameIndex, NameIndex, Sample, ThreadIndex, Trace};

/// A sample whose frames are still to come: the callback, the time, and the names from the innermost on.
type OpenSample = (usize, u64, Vec<NameIndex>);

/// The samples so far.
pub(crate) struct Stacks {
    /// The names of functions of JavaScript.
    pub scripts: HashSet<NameIndex>,
    /// The sample that each thread writes.
    pub open: Vec<Option<OpenSample>>,
    frames: Vec<Frame>,
    known: HashMap<Frame, FrameIndex>,
    samples: Vec<Sample>,
}

impl Stacks {
    pub fn new(threads: usize) -> Self {
        Self {
            scripts: HashSet::new(),
            open: vec![None; threads],
            frames: Vec::new(),
            known: HashMap::new(),
            samples: Vec::new(),
        }
    }

    /// Ends the sample of a thread.
    pub fn end(&mut self, thread: ThreadIndex) {
        let Some((callback, time, names)) = self.open[thread].take() else { return };
        let mut caller = None;
        for name in names.into_iter().rev() {
            let frame = Frame { caller, name };
            caller = Some(*self.known.entry(frame).or_insert_with(|| {
                self.frames.push(frame);
                self.frames.len() - 1
            }));
        }
        if let Some(frame) = caller {
            self.samples.push(Sample { callback, time, covers: 0, frame });
        }
    }

    /// Adds the frames and samples to the trace.
    pub fn finish(mut self, trace: &mut Trace) {
        (0..self.open.len()).for_each(|thread| self.end(thread));
        self.samples.sort_by_key(|sample| sample.time);
        let mut covered: HashMap<usize, u64> = HashMap::new();
        for sample in &mut self.samples {
            let begin = trace.callbacks[sample.callback].begin;
            let before = covered.insert(sample.callback, sample.time).unwrap_or(begin);
            sample.covers = sample.time.saturating_sub(before);
        }
        for (callback, name) in self.functions(trace) {
            trace.callbacks[callback].name = Some(name);
        }
        (trace.frames, trace.samples) = (self.frames, self.samples);
    }

    /// The function of JavaScript that each callback spent most time in, of those that Node itself has called.
    fn functions(&self, trace: &Trace) -> HashMap<usize, NameIndex> {
        let mut times: HashMap<(usize, NameIndex), u64> = HashMap::new();
        for sample in &self.samples {
            if let Some(name) = self.function(trace, sample.frame) {
                *times.entry((sample.callback, name)).or_default() += sample.covers;
            }
        }
        let mut longest: HashMap<usize, (u64, NameIndex)> = HashMap::new();
        for ((callback, name), time) in times {
            let found = longest.entry(callback).or_insert((time, name));
            // Of two with the same time, the one that was named first.
            if (time, std::cmp::Reverse(name)) > (found.0, std::cmp::Reverse(found.1)) {
                *found = (time, name);
            }
        }
        longest.into_iter().map(|(callback, (_, name))| (callback, name)).collect()
    }

    /// The outermost function of JavaScript in a stack that is not a part of Node.
    fn function(&self, trace: &Trace, innermost: FrameIndex) -> Option<NameIndex> {
        let mut found = None;
        let mut next = Some(innermost);
        while let Some(frame) = next.map(|at| self.frames[at]) {
            let file = trace.names[frame.name].file.as_deref();
            let is_of_node = file.is_none_or(|file| file.starts_with("node:"));
            if self.scripts.contains(&frame.name) && !is_of_node {
                found = Some(frame.name);
            }
            next = frame.caller;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::{DefinedName, RawThread, build};
    use crate::model::{CallbackKind, Name};
    use crate::record::{Record, RecordKind};

    fn record(time: u64, kind: RecordKind) -> Record {
        Record { time, kind: kind as u8, lp: 1, ..Record::default() }
    }

    fn name(function: &str, file: &str, is_script: bool) -> DefinedName {
        let file = Some(file.to_owned());
        let name = Name { function: function.to_owned(), file, line: Some(3) };
        DefinedName { name, is_script }
    }

    #[test]
    fn a_callback_is_named_by_the_function_of_the_program_in_its_stacks() {
        let names = HashMap::from([
            (1, name("node::OnRead", "node.cc", false)),
            (2, name("emit", "node:events", true)),
            (3, name("handle", "/app/server.js", true)),
            (4, name("hash", "/app/hash.js", true)),
        ]);
        let callback = Record {
            small: CallbackKind::Read as u8,
            value: 1,
            ..record(100, RecordKind::CallbackBegin)
        };
        let on_loop = [callback, record(109, RecordKind::CallbackEnd)];
        let mut of_sampler = Vec::new();
        for (time, frames) in [(104, &[4, 3, 2][..]), (106, &[3, 2])] {
            of_sampler.push(Record { id: 100, ..record(time, RecordKind::Sample) });
            let frame = |value: &u64| Record { value: *value, ..record(time, RecordKind::Frame) };
            of_sampler.extend(frames.iter().map(frame));
        }
        // A callback that is not known.
        of_sampler.push(Record { id: 101, ..record(107, RecordKind::Sample) });
        of_sampler.push(Record { value: 4, ..record(107, RecordKind::Frame) });
        let thread =
            |tid, records| RawThread { process: 0, tid, name: String::new(), dropped: 0, records };
        let trace = build(&[thread(1, &on_loop), thread(2, &of_sampler)], &[names], &[], 0);
        let named = trace.callbacks[0].name.map(|name| trace.names[name].to_string());
        assert_eq!(named.as_deref(), Some("handle (/app/server.js:3)"));
        let covers: Vec<u64> = trace.samples.iter().map(|sample| sample.covers).collect();
        assert_eq!(covers, [4, 2]);
        // The tree: emit, handle in it, and hash in that.
        let callers: Vec<_> = trace.frames.iter().map(|frame| frame.caller).collect();
        assert_eq!(callers, [None, Some(0), Some(1)]);
    }
}
