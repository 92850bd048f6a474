//! Work on the thread pool.

use mauve_sys::poller::Driver;
use mauve_sys::{Errno, Result};

use crate::Engine;
use crate::id::{RequestId, Token};
use crate::pool::{Finished, Lane, Task, Ticket};

/// The work requests in flight.
#[derive(Default)]
pub(crate) struct Works {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

struct Slot {
    generation: u32,
    work: Option<Work>,
}

struct Work {
    token: Token,
    stage: Stage,
}

/// How far a request has come.
enum Stage {
    /// In the pool's queue, or being worked at.
    Submitted(Ticket),
    /// Taken back; its completion is under way.
    Cancelled,
    /// Done without the pool; its completion is under way.
    Done,
}

impl Works {
    fn reserve(&mut self) -> RequestId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, work: None });
            self.slots.len() as u32 - 1
        });
        RequestId { index, generation: self.slots[index as usize].generation }
    }

    fn get_mut(&mut self, id: RequestId) -> Option<&mut Work> {
        let slot = self.slots.get_mut(id.index as usize)?;
        slot.work.as_mut().filter(|_| slot.generation == id.generation)
    }

    /// Ends a request: its id is stale from now on.
    fn release(&mut self, id: RequestId) -> Option<Work> {
        let slot = self.slots.get_mut(id.index as usize)?;
        if slot.generation != id.generation {
            return None;
        }
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(id.index);
        slot.work.take()
    }
}

impl<D: Driver> Engine<D> {
    /// Has `task` run by a thread of the pool. [`Completion::Work`] tells when it has ended.
    ///
    /// [`Completion::Work`]: crate::Completion::Work
    #[doc(alias = "uv_queue_work")]
    pub fn submit_work(&mut self, token: Token, lane: Lane, task: Task) -> Result<RequestId> {
        let id = self.works.reserve();
        match self.pool.submit(lane, task, id, &self.outbox) {
            Ok(ticket) => {
                self.begin_work(id, Work { token, stage: Stage::Submitted(ticket) });
                Ok(id)
            }
            Err(error) => {
                self.works.release(id);
                Err(error)
            }
        }
    }

    /// Whether work that is submitted now would be begun at once. Only then may its submitter do
    /// it himself: with work waiting in front of it, its turn has not come, and it can still be
    /// cancelled.
    pub fn may_work_at_once(&self) -> bool {
        self.pool.has_free_thread()
    }

    /// Whether there are requests whose completion is still to come.
    pub fn has_requests(&self) -> bool {
        self.census.requests > 0
    }

    /// Tells of work that was done already, without the pool, as if a thread of the pool had done
    /// it: [`Completion::Work`] comes in the next poll phase, which does not wait.
    ///
    /// [`Completion::Work`]: crate::Completion::Work
    pub fn finish_work(&mut self, token: Token) -> RequestId {
        let id = self.works.reserve();
        self.begin_work(id, Work { token, stage: Stage::Done });
        let finished = Finished { request: id, result: Ok(()) };
        if self.is_running() {
            self.done_early.push(finished);
        } else {
            // Somebody may be waiting for the loop's descriptor, and has to hear of it.
            self.outbox.put(finished);
        }
        id
    }

    fn begin_work(&mut self, id: RequestId, work: Work) {
        self.works.slots[id.index as usize].work = Some(work);
        self.census.requests += 1;
    }

    /// Takes back a request that no thread has begun. Its completion still comes, with
    /// `ECANCELED`. `EBUSY` if it is too late.
    #[doc(alias = "uv_cancel")]
    pub fn cancel_work(&mut self, id: RequestId) -> Result<()> {
        let work = self.works.get_mut(id).ok_or(Errno::EBUSY)?;
        match work.stage {
            Stage::Submitted(ticket) if self.pool.cancel(ticket) => {}
            Stage::Submitted(_) | Stage::Done => return Err(Errno::EBUSY),
            Stage::Cancelled => return Ok(()),
        }
        work.stage = Stage::Cancelled;
        self.outbox.put(Finished { request: id, result: Err(Errno::ECANCELED) });
        Ok(())
    }

    /// The token of a finished request, which ends with this.
    pub(crate) fn end_work(&mut self, id: RequestId) -> Option<Token> {
        let work = self.works.release(id)?;
        self.census.requests -= 1;
        Some(work.token)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use mauve_sys::poller::Platform;

    use super::*;
    use crate::pool::Pool;
    use crate::{Completion, Mode, Phase, Step};

    fn engine() -> Engine<Platform> {
        Engine::new(Platform::new().unwrap(), Pool::new(1)).unwrap()
    }

    /// The completions of a run, with the phase that each comes in.
    fn run(engine: &mut Engine<Platform>, mode: Mode) -> Vec<(Token, Option<Phase>)> {
        let mut told = Vec::new();
        while let Step::Call(completion) = engine.next(mode).unwrap() {
            told.push((completion.token(), engine.phase()));
        }
        told
    }

    #[test]
    fn work_done_without_the_pool_keeps_the_loop_alive_and_is_told_in_the_poll_phase() {
        let mut engine = engine();
        let first = engine.finish_work(Token(1));
        engine.finish_work(Token(2));
        assert!(engine.alive());
        assert_eq!(engine.cancel_work(first), Err(Errno::EBUSY));
        assert_eq!(engine.close(), Err(Errno::EBUSY));
        let poll = Some(Phase::Poll);
        assert_eq!(run(&mut engine, Mode::Once), [(Token(1), poll), (Token(2), poll)]);
        assert!(!engine.alive());
        assert_eq!(engine.cancel_work(first), Err(Errno::EBUSY));
    }

    #[test]
    fn work_done_in_a_callback_is_told_in_the_next_iteration_which_does_not_wait() {
        let mut engine = engine();
        engine.finish_work(Token(1));
        let mut told = Vec::new();
        while let Step::Call(completion) = engine.next(Mode::Default).unwrap() {
            told.push((completion.token(), engine.counters().iterations));
            assert_eq!(completion, Completion::Work { token: completion.token(), result: Ok(()) });
            if told.len() < 3 {
                engine.finish_work(Token(10 + told.len() as u64));
                assert_eq!(engine.backend_timeout(), Some(0));
            }
        }
        assert_eq!(told, [(Token(1), 1), (Token(11), 2), (Token(12), 3)]);
    }

    #[test]
    fn work_is_not_done_ahead_of_work_that_waits_for_a_thread() {
        let mut engine = engine();
        assert!(engine.may_work_at_once());
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let task = Task::Run(Box::new(move || drop(wait.recv())));
        engine.submit_work(Token(1), Lane::Normal, task).unwrap();
        engine.submit_work(Token(2), Lane::Normal, Task::Call(|_| (), 0)).unwrap();
        assert!(!engine.may_work_at_once());
        go.send(()).unwrap();
        assert_eq!(run(&mut engine, Mode::Default).len(), 2);
    }
}
