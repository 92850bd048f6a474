//! Work on the thread pool.

use mauve_sys::fs::together::Outcome;
use mauve_sys::driver::Driver;
use mauve_sys::{Errno, Result};

use crate::Engine;
use crate::id::{RequestId, Token};
use crate::pool::{self, Finished, Lane, Task, Ticket};

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

pub(crate) struct Work {
    pub token: Token,
    /// When it was handed over, in milliseconds.
    pub since: u64,
    pub stage: Stage,
}

/// How far a request has come.
pub(crate) enum Stage {
    /// In the pool's queue, or being worked at.
    Submitted(Ticket),
    /// Taken back; its completion is under way.
    Cancelled,
    /// Done without the pool; its completion is under way.
    Done,
    /// A read that is to be attempted, at this place of the queue.
    Queued(u32),
    /// A read that was attempted; its completion is under way.
    Attempted(Outcome),
}

impl Works {
    #[inline]
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

    /// Notes how a queued read came out, unless it was taken back.
    #[inline]
    pub fn set_attempted(&mut self, id: RequestId, outcome: Outcome) {
        if let Some(Work { stage: stage @ Stage::Queued(_), .. }) = self.get_mut(id) {
            *stage = Stage::Attempted(outcome);
        }
    }

    /// Ends a request: its id is stale from now on.
    #[inline(always)]
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

impl Works {
    /// The requests in flight: their names, and since when they are.
    pub fn iter(&self) -> impl Iterator<Item = (RequestId, Token, u64)> {
        self.slots.iter().zip(0..).filter_map(|(slot, index)| {
            let work = slot.work.as_ref()?;
            Some((RequestId { index, generation: slot.generation }, work.token, work.since))
        })
    }
}

impl<D: Driver> Engine<D> {
    /// Has `task` run by a thread of the pool. [`Completion::Work`] tells when it has ended.
    ///
    /// [`Completion::Work`]: crate::Completion::Work
    #[doc(alias = "uv_queue_work")]
    #[inline(always)] // See `Outbox::submit`.
    pub fn submit_work(&mut self, token: Token, lane: Lane, task: Task) -> Result<RequestId> {
        let id = self.works.reserve();
        self.pool.reads.way_changes();
        match self.pool.outbox.submit(lane, task, id) {
            Ok(ticket) => {
                let stage = Stage::Submitted(ticket);
                self.enter_work(id, Work { token, since: self.clock.now, stage });
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
        self.pool.outbox.pool().has_free_thread()
    }

    /// Whether there are requests whose completion is still to come.
    pub fn has_requests(&self) -> bool {
        self.active.requests > 0
    }

    /// Tells of work that was done already, without the pool, as if a thread of the pool had done
    /// it: [`Completion::Work`] comes in the next poll phase, which does not wait.
    ///
    /// [`Completion::Work`]: crate::Completion::Work
    pub fn finish_work(&mut self, token: Token) -> RequestId {
        let id = self.begin_work(Work { token, since: self.clock.now, stage: Stage::Done });
        let finished = Finished { request: id, result: Ok(()) };
        if self.is_running() {
            self.pool.done_early.push(finished);
        } else {
            // Somebody may be waiting for the loop's descriptor, and has to hear of it.
            self.pool.outbox.put(finished, None);
        }
        id
    }

    #[inline]
    pub(super) fn begin_work(&mut self, work: Work) -> RequestId {
        let id = self.works.reserve();
        self.enter_work(id, work);
        id
    }

    fn enter_work(&mut self, id: RequestId, work: Work) {
        self.works.slots[id.index as usize].work = Some(work);
        self.active.requests += 1;
    }

    /// Takes back a request that no thread has begun. Its completion still comes, with
    /// `ECANCELED`. `EBUSY` if it is too late.
    #[doc(alias = "uv_cancel")]
    pub fn cancel_work(&mut self, id: RequestId) -> Result<()> {
        let work = self.works.get_mut(id).ok_or(Errno::EBUSY)?;
        let task = match work.stage {
            Stage::Submitted(ticket) => self.pool.outbox.cancel(ticket).ok_or(Errno::EBUSY)?,
            Stage::Done | Stage::Attempted(_) => return Err(Errno::EBUSY),
            Stage::Cancelled => return Ok(()),
            Stage::Queued(index) => {
                // Its completion is under way already.
                work.stage = Stage::Cancelled;
                self.pool.reads.withdraw(index);
                return Ok(());
            }
        };
        work.stage = Stage::Cancelled;
        let carried = match task {
            Task::Carry(work) => Some(work),
            Task::Call(..) | Task::Run(_) => None,
        };
        self.pool.outbox.put(Finished { request: id, result: Err(Errno::ECANCELED) }, carried);
        Ok(())
    }

    /// What came back with the work that [`Completion::Work`] has just told of, if it was submitted
    /// as [`Task::Carry`].
    ///
    /// [`Completion::Work`]: crate::Completion::Work
    pub fn take_carried(&mut self) -> Option<Box<dyn pool::Work>> {
        self.pool.carried_last.take()
    }

    /// A finished request, which ends with this.
    #[inline(always)] // See `handle_events`.
    pub(crate) fn end_work(&mut self, id: RequestId) -> Option<Work> {
        let work = self.works.release(id)?;
        self.active.requests -= 1;
        if let Some((of, _)) = self.pool.carried.last()
            && *of == id
        {
            self.pool.carried_last = self.pool.carried.pop().map(|(_, work)| work);
        }
        Some(work)
    }
}
