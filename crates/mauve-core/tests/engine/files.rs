//! Random file operations on a pool with one thread. The loop attempts them inline, in batches or one
//! by one, or the thread performs them. Each must take effect before the next one starts.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use mauve_core::pool::{Lane, Pool, Task};
use mauve_core::{Engine, Mode, RequestId, Token, WorkCompletion};
use mauve_sys::fs::read_batch::FileRead;
use mauve_sys::fs::read_write::Position;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::fake::{FakeDriver, FakeSystem};
use crate::harness::{Report, next_report};

const FILES: usize = 2;
const SIZE: usize = 100_000;

#[derive(Clone, Debug)]
enum Op {
    /// The loop attempts small reads in batches; the thread performs large ones.
    Read {
        file: usize,
        offset: usize,
        length: usize,
    },
    Write {
        file: usize,
        offset: usize,
        byte: u8,
        by: By,
    },
    /// Removes the pages of a file from the cache, so that attempts to read them fail.
    Evict(usize),
}

#[derive(Clone, Copy, Debug)]
enum By {
    /// The loop performs it inline.
    Loop,
    /// The loop attempts it, and the thread performs it.
    Either,
    Thread,
}

fn ops() -> impl Strategy<Value = Vec<Vec<Op>>> {
    let by = prop_oneof![Just(By::Loop), Just(By::Either), Just(By::Thread)];
    let length = prop_oneof![9 => 1..5000usize, 1 => 65_000..70_000usize];
    let op = prop_oneof![
        8 => (0..FILES, 0..SIZE + 100, length)
            .prop_map(|(file, offset, length)| Op::Read { file, offset, length }),
        3 => (0..FILES, 0..SIZE - WRITTEN, any::<u8>(), by)
            .prop_map(|(file, offset, byte, by)| Op::Write { file, offset, byte, by }),
        1 => (0..FILES).prop_map(Op::Evict),
    ];
    vec(vec(op, 0..12), 1..12)
}

/// The number of bytes of a write.
const WRITTEN: usize = 3000;

struct Player {
    engine: Engine<FakeDriver>,
    files: [Arc<File>; FILES],
    /// The contents of the files after all requests that were made.
    contents: [Vec<u8>; FILES],
    /// The requests in the order in which they were made, and the expected bytes of reads.
    made: Vec<(RequestId, Option<Vec<u8>>)>,
    ended: usize,
}

impl Player {
    fn new(pool: Pool) -> Self {
        let contents = [1, 2].map(|n| (0..SIZE).map(|i| (i / 7 * n) as u8).collect::<Vec<_>>());
        let files = std::array::from_fn(|n| {
            let name = format!("mauve-files-{}-{n}-{:p}", std::process::id(), &raw const contents);
            let path = std::env::temp_dir().join(name);
            std::fs::write(&path, &contents[n]).unwrap();
            let file = File::options().read(true).write(true).open(&path).unwrap();
            std::fs::remove_file(path).unwrap();
            Arc::new(file)
        });
        let engine = Engine::new(FakeSystem::new().driver(), pool).expect("an engine");
        Self { engine, files, contents, made: Vec::new(), ended: 0 }
    }

    fn make(&mut self, op: &Op) {
        let token = Token(self.made.len() as u64);
        match *op {
            Op::Read { file, offset, length } => {
                let position = Position::At(offset as u64);
                let read = FileRead::owned(self.files[file].clone(), position, length, Vec::new());
                let id = self.engine.submit_read(token, read).unwrap();
                let all = &self.contents[file];
                let found = &all[offset.min(SIZE)..(offset + length).min(SIZE)];
                self.made.push((id, Some(found.to_vec())));
            }
            Op::Write { file, offset, byte, by } => {
                let to = self.files[file].clone();
                let write = move || to.write_all_at(&[byte; WRITTEN], offset as u64).unwrap();
                let task = Task::Run(Box::new(write.clone()));
                let id = match by {
                    By::Thread => self.engine.submit_work(token, Lane::Normal, task),
                    By::Loop | By::Either => {
                        let attempt = || {
                            let done = matches!(by, By::Loop);
                            if done {
                                write();
                            }
                            done
                        };
                        self.engine.attempt_or_submit_work(token, attempt, task)
                    }
                };
                self.made.push((id.unwrap(), None));
                self.contents[file][offset..offset + WRITTEN].fill(byte);
            }
            Op::Evict(file) => {
                let file = &self.files[file];
                let _ = rustix::fs::fdatasync(file);
                let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::DontNeed);
            }
        }
    }

    /// Checks that the report is for the oldest request that has not ended.
    fn end(&mut self, report: Report) -> Result<(), TestCaseError> {
        prop_assert_eq!(report.token(), Token(self.ended as u64));
        let (id, expected) = &self.made[self.ended];
        match (report, expected) {
            (Report::Work(WorkCompletion::Read { result, .. }), Some(expected)) => {
                let bytes = self.engine.take_read(*id).expect("the buffer of the read");
                prop_assert_eq!(result, Ok(expected.len() as u32));
                prop_assert!(bytes == *expected, "request {} has read other bytes", self.ended);
            }
            (Report::Work(WorkCompletion::Work { result, .. }), None) => {
                prop_assert_eq!(result, Ok(()));
            }
            (other, _) => prop_assert!(false, "{other:?}"),
        }
        self.ended += 1;
        Ok(())
    }
}

fn play(steps: &[Vec<Op>]) -> Result<(), TestCaseError> {
    let pool = Pool::new(1);
    let mut player = Player::new(pool.clone());
    let mut steps = steps.iter();
    // The first step is made outside of a run, and the others in callbacks if there are any.
    while let Some(step) = steps.next() {
        step.iter().for_each(|op| player.make(op));
        while player.engine.alive() {
            while let Some(report) = next_report(&mut player.engine, Mode::NoWait) {
                player.end(report)?;
                if let Some(step) = steps.next() {
                    step.iter().for_each(|op| player.make(op));
                }
            }
            std::thread::yield_now();
        }
    }
    prop_assert_eq!(player.ended, player.made.len());
    for (file, expected) in player.files.iter().zip(&player.contents) {
        let mut found = vec![0; SIZE];
        file.read_exact_at(&mut found, 0).unwrap();
        prop_assert!(found == *expected, "a file has other contents");
    }
    prop_assert_eq!(player.engine.close(), Ok(()));
    pool.shut_down();
    Ok(())
}

fn config() -> ProptestConfig {
    let config = ProptestConfig::default();
    ProptestConfig { cases: config.cases.min(150), failure_persistence: None, ..config }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn file_requests_take_effect_in_the_order_of_submission(steps in ops()) {
        play(&steps)?;
    }
}
