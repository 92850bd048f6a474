//! File system polls: `stat` at intervals, for file systems that do not report changes.
//!
//! The queries run on the pool, when an internal timer is due. A query that is in flight when the
//! handle is stopped or closed is not cancelled, but its result is dropped.
//!
//! As in libuv, each start has its own timer. It is closed by a close phase after the handle was
//! stopped and the query has ended. A closing handle is reported one iteration after its last timer.

use std::ffi::{CStr, CString};
use std::sync::{Arc, Mutex, PoisonError};

use mauve_sys::driver::Driver;
use mauve_sys::fs::stat::{Stat, stat};
use mauve_sys::{Errno, Result};

use crate::id::{HandleId, RequestId, Token};
use crate::phase::ClosingQueue;
use crate::pool::{Lane, Task};
use crate::slab::{Entry, Life, Slab};
use crate::{Engine, WorkCompletion};

/// The state of one file system poll handle.
#[derive(Default)]
pub(crate) struct FsPoll {
    polling: Option<Polling>,
    /// The number of timers that are not closed yet.
    timers: u32,
    /// The status of the file before and after the last reported change.
    statuses: (Option<Stat>, Option<Stat>),
}

struct Polling {
    path: CString,
    interval: u64,
    timer: HandleId,
    /// When the last query began.
    began: u64,
    /// The last result of a query that succeeded.
    seen: Option<Stat>,
    /// The result of the last query; `None` before the first one has ended.
    last: Option<Result<()>>,
}

/// A query in flight.
pub(crate) struct StatQuery {
    request: RequestId,
    poll: HandleId,
    /// Distinguishes the starts of a handle.
    timer: HandleId,
    result: Arc<Mutex<Option<Result<Stat>>>>,
}

/// The queries in flight, and the timers that are closing.
#[derive(Default)]
pub(crate) struct FsPolls {
    queries: Vec<StatQuery>,
    closing_timers: Vec<HandleId>,
}

/// One file system poll handle, borrowed for one operation.
pub struct FsPollMut<'a, D> {
    pub(super) engine: &'a mut Engine<D>,
    pub(super) id: HandleId,
}

impl FsPolls {
    /// Whether a request is such a query.
    pub fn contains(&self, request: RequestId) -> bool {
        self.queries.iter().any(|query| query.request == request)
    }

    /// Whether a query is in flight.
    #[inline(always)]
    pub fn has_queries(&self) -> bool {
        !self.queries.is_empty()
    }

    /// Takes the query of a finished request.
    pub fn take_query(&mut self, request: RequestId) -> Option<StatQuery> {
        let index = self.queries.iter().position(|query| query.request == request)?;
        Some(self.queries.swap_remove(index))
    }

    /// Called by the close phase. Returns whether the handle is the timer of a file system poll, which
    /// has no close completion. The last timer of a closing handle lets the next close phase report
    /// the handle.
    #[inline]
    pub fn timer_closed(
        &mut self,
        timer: HandleId,
        token: Token,
        polls: &mut Slab<FsPoll>,
        closing: &mut ClosingQueue,
    ) -> bool {
        !self.closing_timers.is_empty() && self.end_timer(timer, token, polls, closing)
    }

    #[cold]
    fn end_timer(
        &mut self,
        timer: HandleId,
        token: Token,
        polls: &mut Slab<FsPoll>,
        closing: &mut ClosingQueue,
    ) -> bool {
        let Some(index) = self.closing_timers.iter().position(|closing| *closing == timer) else {
            return false;
        };
        self.closing_timers.swap_remove(index);
        let Some(id) = HandleId::from_bits(token.0) else { return true };
        let Some(Entry { head, body }) = polls.get_mut(id) else { return true };
        body.timers -= 1;
        if body.timers == 0 && head.life() == Life::Closing {
            closing.push(id);
        }
        true
    }
}

impl StatQuery {
    /// The handle, and the timer of the start to which the query belongs.
    pub fn of(&self) -> (HandleId, HandleId) {
        (self.poll, self.timer)
    }

    /// The result. `ECANCELED` if it was not started.
    pub fn result(&self) -> Result<Stat> {
        let result = self.result.lock().unwrap_or_else(PoisonError::into_inner).take();
        result.unwrap_or(Err(Errno::ECANCELED))
    }
}

impl<D: Driver> FsPollMut<'_, D> {
    fn entry(&mut self) -> &mut Entry<FsPoll> {
        self.engine.table.fs_polls.get_mut(self.id).expect("a borrowed handle")
    }

    /// Queries the file at `path` every `interval` milliseconds. The first query is the baseline.
    /// Returns false, and changes nothing, if it is polling already.
    #[doc(alias = "uv_fs_poll_start")]
    pub fn start(&mut self, path: &CStr, interval: u64) -> Result<bool> {
        match self.entry().head.life() {
            Life::Active => return Ok(false),
            Life::Inactive => {}
            Life::Closing => return Err(Errno::EINVAL),
        }
        let engine = &mut *self.engine;
        let timer = engine.open_timer(Token(self.id.to_bits()));
        engine.set_referenced(timer, false);
        engine.hide(timer);
        let polling = Polling {
            path: path.to_owned(),
            interval: interval.max(1),
            timer,
            began: 0,
            seen: None,
            last: None,
        };
        let Entry { head, body } = &mut engine.table.fs_polls[self.id.index()];
        body.polling = Some(polling);
        body.timers += 1;
        head.activate(&mut engine.active);
        if let Err(error) = self.query() {
            self.stop();
            return Err(error);
        }
        Ok(true)
    }

    /// Whether its close completion has to wait for a timer.
    pub(crate) fn has_timers(&mut self) -> bool {
        self.entry().body.timers > 0
    }

    /// Stops polling, if it is polling.
    #[doc(alias = "uv_fs_poll_stop")]
    pub fn stop(&mut self) {
        let Engine { table, active, .. } = &mut *self.engine;
        let Entry { head, body } = table.fs_polls.get_mut(self.id).expect("a borrowed handle");
        let Some(polling) = body.polling.take() else { return };
        if head.life() == Life::Active {
            head.deactivate(active);
        }
        let queries = &self.engine.fs_polls.queries;
        if !queries.iter().any(|query| query.timer == polling.timer) {
            self.close_timer(polling.timer);
        }
    }

    fn close_timer(&mut self, timer: HandleId) {
        if self.engine.close_handle(timer) {
            self.engine.fs_polls.closing_timers.push(timer);
        }
    }

    /// The polled path.
    #[doc(alias = "uv_fs_poll_getpath")]
    pub fn path(&mut self) -> Option<&CStr> {
        self.entry().body.polling.as_ref().map(|polling| polling.path.as_c_str())
    }

    /// The status of the file before and after the change that the last [`WorkCompletion::FsPoll`]
    /// reports.
    /// `None` if it could not be queried.
    pub fn statuses(&mut self) -> (Option<Stat>, Option<Stat>) {
        self.entry().body.statuses
    }

    /// Submits a query.
    fn query(&mut self) -> Result<()> {
        let now = self.engine.clock.now();
        let Some(polling) = &mut self.entry().body.polling else { return Ok(()) };
        polling.began = now;
        let (path, timer) = (polling.path.clone(), polling.timer);
        let result = Arc::new(Mutex::new(None));
        let filled = result.clone();
        let task = Task::Run(Box::new(move || {
            let found = stat(&path);
            *filled.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
        }));
        let request = self.engine.submit_work(Token(0), Lane::Normal, task)?;
        self.engine.fs_polls.queries.push(StatQuery { request, poll: self.id, timer, result });
        Ok(())
    }

    /// Queries the file again if `timer` is that of the last start. Returns whether it is.
    pub(crate) fn timer_due(&mut self, timer: HandleId) -> bool {
        let polling = self.entry().body.polling.as_ref();
        let due = polling.is_some_and(|polling| polling.timer == timer);
        if due && self.query().is_err() {
            // The system cannot start a thread now. The next interval tries again.
            self.schedule_query();
        }
        due
    }

    /// Handles the result of a query.
    pub(crate) fn query_ended(
        &mut self,
        timer: HandleId,
        found: Result<Stat>,
    ) -> Option<WorkCompletion> {
        let Entry { head, body } = self.entry();
        let polling = body.polling.as_mut().filter(|polling| polling.timer == timer);
        let Some(polling) = polling else {
            self.close_timer(timer);
            return None;
        };
        let before = polling.seen;
        let outcome = found.map(drop);
        let changed = match (polling.last, found) {
            (None, Ok(_)) => false,
            (Some(Ok(())), Ok(now)) => before.is_none_or(|before| differ(&before, &now)),
            (last, _) => last != Some(outcome),
        };
        polling.last = Some(outcome);
        if let Ok(now) = found {
            polling.seen = Some(now);
        }
        body.statuses = (before, found.ok());
        let token = head.token;
        self.schedule_query();
        changed.then_some(WorkCompletion::FsPoll { token, result: outcome })
    }

    /// Schedules the next query, at a multiple of the interval.
    fn schedule_query(&mut self) {
        let now = self.engine.clock.now();
        let Some(polling) = &self.entry().body.polling else { return };
        let wait = polling.interval - (now - polling.began) % polling.interval;
        let timer = polling.timer;
        if let Some(mut timer) = self.engine.timer(timer) {
            timer.start(wait, 0).expect("it is not closing");
        }
    }
}

/// Whether a file has changed. The access time does not count.
fn differ(before: &Stat, now: &Stat) -> bool {
    let facts = |stat: &Stat| {
        let owner = (stat.uid, stat.gid, stat.mode);
        let times = (stat.modified, stat.changed, stat.created);
        (stat.dev, stat.ino, stat.size, owner, times)
    };
    facts(before) != facts(now)
}
