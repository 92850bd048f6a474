//! Work on the thread pool.

use mauve_sys::driver::Driver;
use mauve_sys::{Errno, Result};

use crate::Engine;
use crate::id::{RequestId, Token};
use crate::pool::{self, Finished, Lane, Outbox, Task, Ticket};
use crate::slots::Slots;
use crate::trace;

/// The work requests in flight.
#[derive(Default)]
pub(crate) struct Works {
    slots: Slots<WorkSlot>,
}

struct WorkSlot {
    generation: u32,
    work: Option<WorkRequest>,
}

pub(crate) struct WorkRequest {
    pub token: Token,
    /// When it was submitted, in milliseconds.
    pub since: u64,
    pub stage: Stage,
}

/// The state of a work request.
pub(crate) enum Stage {
    /// Queued at the pool, or running.
    Submitted(Ticket),
    /// Running on a thread, or the next to be taken by one. It cannot be cancelled.
    Started,
    /// Cancelled, to be reported.
    Cancelled,
    /// Performed inline, to be reported.
    Done,
    /// Queued in the process from which this one was forked. It does not run here, and can be
    /// cancelled.
    Orphaned,
    /// A read that the loop keeps, or that was queued when another loop submitted a job. With a
    /// ticket: queued by the loop itself. It may be running.
    Read(Option<Ticket>),
    /// A read that blocks: running on a thread, or the next to be taken by one.
    ReadStarted,
    /// A read that is done, to be reported.
    ReadDone(Result<u32>),
}

impl Works {
    pub fn is_empty(&self) -> bool {
        self.slots.taken() == 0
    }

    #[inline]
    pub fn reserve(&mut self) -> RequestId {
        let index = self.slots.take(|_| WorkSlot { generation: 0, work: None });
        RequestId { index: index as u32, generation: self.slots[index].generation }
    }

    fn get_mut(&mut self, id: RequestId) -> Option<&mut WorkRequest> {
        let slot = self.slots.get_mut(id.index as usize)?;
        slot.work.as_mut().filter(|_| slot.generation == id.generation)
    }

    /// The token of a request in flight.
    pub fn token_of(&self, id: RequestId) -> Option<Token> {
        let slot = self.slots.get(id.index as usize)?;
        slot.work.as_ref().filter(|_| slot.generation == id.generation).map(|work| work.token)
    }

    pub fn contains(&self, id: RequestId) -> bool {
        self.slots.get(id.index as usize).is_some_and(|slot| slot.generation == id.generation)
    }

    #[inline]
    pub fn set_stage(&mut self, id: RequestId, stage: Stage) {
        if let Some(work) = self.get_mut(id) {
            work.stage = stage;
        }
    }

    /// Ends a request: its id is stale from now on.
    #[inline(always)]
    fn release(&mut self, id: RequestId) -> Option<WorkRequest> {
        let slot = self.slots.get_mut(id.index as usize)?;
        if slot.generation != id.generation {
            return None;
        }
        slot.generation = slot.generation.wrapping_add(1);
        let work = slot.work.take();
        self.slots.free(id.index as usize);
        work
    }
}

impl Works {
    /// The requests in flight: id, token and time of submission.
    pub fn iter(&self) -> impl Iterator<Item = (RequestId, Token, u64)> {
        self.slots.iter().zip(0..).filter_map(|(slot, index)| {
            let work = slot.work.as_ref()?;
            Some((RequestId { index, generation: slot.generation }, work.token, work.since))
        })
    }
}

impl Works {
    /// In a forked child: updates the requests that were submitted to the parent's pool.
    fn orphan(&mut self, outbox: &Outbox) {
        for work in self.slots.iter_mut().filter_map(|slot| slot.work.as_mut()) {
            work.stage = match work.stage {
                Stage::Submitted(ticket) if outbox.was_queued(ticket) => Stage::Orphaned,
                Stage::Submitted(_) => Stage::Started,
                Stage::Read(_) => Stage::ReadStarted,
                _ => continue,
            };
        }
    }
}

impl<D: Driver> Engine<D> {
    /// In a forked child: replaces the parent's pool, even without
    /// [`reopen_after_fork`](Self::reopen_after_fork), because daemons fork and continue with their
    /// loop. Called before each use of the pool.
    #[inline(always)]
    pub(crate) fn enter_process(&mut self) {
        if self.pool.is_inherited() {
            self.reopen_pool();
        }
    }

    #[cold]
    pub(crate) fn reopen_pool(&mut self) {
        self.works.orphan(self.pool.outbox());
        self.pool.reopen_after_fork();
        if !self.is_running() {
            // The parent may have consumed the waker's event while the queue is not empty.
            self.wakeups.queue().leave(false);
        }
    }

    /// Runs `task` on a thread of the pool. [`WorkCompletion::Work`] reports its end.
    ///
    /// [`WorkCompletion::Work`]: crate::WorkCompletion::Work
    #[doc(alias = "uv_queue_work")]
    #[inline(always)] // See `Outbox::submit`.
    pub fn submit_work(&mut self, token: Token, lane: Lane, task: Task) -> Result<RequestId> {
        self.enter_process();
        if self.pool.has_kept_reads() {
            self.start_reads();
        }
        let id = self.reserve_work();
        let submitted = self.pool.outbox().submit(lane, task, id);
        self.enter_work(id, token, submitted.map(Stage::Submitted))
    }

    /// Performs an operation that does not block, if a thread of the pool would start it at once.
    /// `attempt` returns whether it is done. [`WorkCompletion::Work`] then reports it in the next poll
    /// phase, which does not wait.
    ///
    /// [`WorkCompletion::Work`]: crate::WorkCompletion::Work
    pub fn attempt_work(
        &mut self,
        token: Token,
        attempt: impl FnOnce() -> bool,
    ) -> Option<RequestId> {
        self.start_inline()?;
        let done = attempt();
        self.pool.outbox().end_inline();
        if done { self.finish_work(token).ok() } else { None }
    }

    /// As [`submit_work`](Self::submit_work), and as [`attempt_work`](Self::attempt_work) before:
    /// `task` does what is left to do if `attempt` returns false.
    #[inline]
    pub fn attempt_or_submit_work(
        &mut self,
        token: Token,
        attempt: impl FnOnce() -> bool,
        task: Task,
    ) -> Result<RequestId> {
        let Some(ticket) = self.start_inline() else {
            return self.submit_work(token, Lane::Normal, task);
        };
        if attempt() {
            self.pool.outbox().end_inline();
            return self.finish_work(token);
        }
        let id = self.reserve_work();
        self.pool.outbox().submit_started(ticket, task, id);
        self.enter_work(id, token, Ok(Stage::Started))
    }

    /// The id of a new request.
    #[inline(always)]
    pub(super) fn reserve_work(&mut self) -> RequestId {
        let id = self.works.reserve();
        if trace::is_on() {
            self.trace_submit(id);
        }
        id
    }

    /// Starts an inline operation, if a thread would start it at once.
    #[inline]
    fn start_inline(&mut self) -> Option<Ticket> {
        self.enter_process();
        if self.pool.has_kept_reads() {
            self.start_reads();
        }
        let running = self.is_running();
        let (outbox, _reads, inline) = self.pool.inline(running);
        outbox.start_inline(inline)
    }

    /// Whether a request is in flight.
    pub fn has_request(&self, id: RequestId) -> bool {
        self.works.contains(id)
    }

    /// Whether requests are in flight.
    pub fn has_requests(&self) -> bool {
        self.active.has_requests()
    }

    /// Creates a request that is done already, and reports it.
    #[inline]
    fn finish_work(&mut self, token: Token) -> Result<RequestId> {
        let id = self.reserve_work();
        let running = self.is_running();
        self.pool.report_inline(running, Finished { request: id, result: Ok(()) });
        self.enter_work(id, token, Ok(Stage::Done))
    }

    /// Enters a request whose id was reserved, or releases the id if it was not submitted.
    #[inline(always)]
    pub(super) fn enter_work(
        &mut self,
        id: RequestId,
        token: Token,
        stage: Result<Stage>,
    ) -> Result<RequestId> {
        match stage {
            Ok(stage) => {
                let work = WorkRequest { token, since: self.clock.now(), stage };
                self.works.slots[id.index as usize].work = Some(work);
                self.active.begin_request();
                Ok(id)
            }
            Err(error) => {
                self.works.release(id);
                Err(error)
            }
        }
    }

    /// Cancels a request that has not started. Its completion reports `ECANCELED`. Fails with
    /// `EBUSY` if it has started.
    #[doc(alias = "uv_cancel")]
    pub fn cancel_work(&mut self, id: RequestId) -> Result<()> {
        self.enter_process();
        let work = self.works.get_mut(id).ok_or(Errno::EBUSY)?;
        let carried = match work.stage {
            Stage::Submitted(ticket) => {
                let task = self.pool.outbox().cancel(ticket).ok_or(Errno::EBUSY)?;
                work.stage = Stage::Cancelled;
                match task {
                    Task::Carry(work) => Some(work),
                    Task::Call(..) | Task::Run(_) => None,
                }
            }
            Stage::Read(ticket) => {
                let outbox = self.pool.outbox();
                let removed = ticket.map_or_else(|| outbox.cancel_read(id), |t| outbox.cancel(t));
                drop(removed.ok_or(Errno::EBUSY)?);
                work.stage = Stage::ReadDone(Err(Errno::ECANCELED));
                None
            }
            Stage::Orphaned => {
                work.stage = Stage::Cancelled;
                None
            }
            Stage::Cancelled | Stage::ReadDone(Err(Errno::ECANCELED)) => return Ok(()),
            Stage::Done | Stage::Started | Stage::ReadStarted | Stage::ReadDone(_) => {
                return Err(Errno::EBUSY);
            }
        };
        self.pool.outbox().put(Finished { request: id, result: Err(Errno::ECANCELED) }, carried);
        Ok(())
    }

    /// The work that [`WorkCompletion::Work`] reported last, if it was submitted as [`Task::Carry`].
    ///
    /// [`WorkCompletion::Work`]: crate::WorkCompletion::Work
    pub fn take_carried(&mut self) -> Option<Box<dyn pool::Work>> {
        self.pool.take_carried()
    }

    /// Removes a finished request.
    #[inline(always)] // See `handle_events`.
    pub(crate) fn end_work(&mut self, id: RequestId) -> Option<WorkRequest> {
        let work = self.works.release(id)?;
        if trace::is_on() {
            self.trace_completed(id);
        }
        self.active.end_request();
        self.pool.keep_carried(id);
        Some(work)
    }
}
