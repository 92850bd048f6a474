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
    /// The place in the pool's queue; `None` once cancelled.
    ticket: Option<Ticket>,
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
                self.works.slots[id.index as usize].work =
                    Some(Work { token, ticket: Some(ticket) });
                self.census.requests += 1;
                Ok(id)
            }
            Err(error) => {
                self.works.release(id);
                Err(error)
            }
        }
    }

    /// Takes back a request that no thread has begun. Its completion still comes, with
    /// `ECANCELED`. `EBUSY` if it is too late.
    #[doc(alias = "uv_cancel")]
    pub fn cancel_work(&mut self, id: RequestId) -> Result<()> {
        let work = self.works.get_mut(id).ok_or(Errno::EBUSY)?;
        let Some(ticket) = work.ticket else {
            return Ok(());
        };
        if !self.pool.cancel(ticket) {
            return Err(Errno::EBUSY);
        }
        work.ticket = None;
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
