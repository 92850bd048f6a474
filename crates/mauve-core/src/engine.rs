//! The engine's state, and the questions about all of it.

use std::collections::VecDeque;
use std::os::fd::OwnedFd;

use mauve_sys::poller::{Driver, Event};
use mauve_sys::{Errno, Result};

use crate::arena::Arena;
use crate::handle::async_::Round;
use crate::handle::fs_event::{News, Trees};
use crate::handle::fs_poll::Glances;
use crate::handle::hook::Started;
use crate::handle::signal::Arrivals;
use crate::handle::stream::{Rare, Rush, Write, event::StreamEvent};
use crate::handle::udp::{Send, event::UdpEvent};
use crate::id::{HandleId, Kind, Token};
use crate::io::Watches;
use crate::metrics::{Counters, IdleTime};
use crate::phase::Deferred;
use crate::pool::{Carried, Finished, Outbox, Pool, Work};
use crate::pulse::{Beating, Pulse};
use crate::request::read::Reads;
use crate::request::work::Works;
use crate::run::Position;
use crate::signals::Signals;
use crate::slab::Census;
use crate::sync::Arc;
use crate::table::Table;
use crate::wheel::Wheel;
use crate::why::Describe;

/// One event loop, driven by [`next`](Self::next).
#[doc(alias = "uv_loop_t")]
pub struct Engine<D> {
    pub(crate) driver: D,
    /// Milliseconds, as of the last [`update_time`](Self::update_time).
    pub(crate) now: u64,
    pub(crate) stopping: bool,
    pub(crate) position: Position,

    // What exists.
    pub(crate) table: Table,
    pub(crate) works: Works,
    pub(crate) census: Census,

    // What the phases work on.
    pub(crate) wheel: Wheel,
    pub(crate) ready: Vec<u32>,
    pub(crate) ready_at: usize,
    pub(crate) idle: Started,
    pub(crate) prepare: Started,
    pub(crate) check: Started,
    pub(crate) deferred: VecDeque<Deferred>,
    /// How many of them the current round of the pending phase delivers.
    pub(crate) deferred_left: usize,
    /// How often the pending phase may still be repeated in this iteration.
    pub(crate) pending_rounds: u32,
    /// Whether the iteration began with nothing to do at once.
    pub(crate) may_sleep: bool,
    pub(crate) closing: Vec<HandleId>,
    pub(crate) closing_now: Vec<HandleId>,
    pub(crate) watches: Watches,
    pub(crate) events: Vec<Event>,
    pub(crate) events_at: usize,
    pub(crate) batches_left: u32,
    /// How often the driver was asked: the number of the batch in `events`.
    pub(crate) batch: u64,
    /// The listener that has many connections.
    pub(crate) rush: Rush,
    /// Requests that ended in this batch beyond one for each event: a single event can tell of
    /// many.
    pub(crate) further_events: usize,
    /// Whether the batch was there already when the loop came to poll.
    pub(crate) batch_waited: bool,
    pub(crate) stream_event: Option<StreamEvent>,
    pub(crate) writes: Arena<Write>,
    /// What some streams have.
    pub(crate) rares: Arena<Rare>,
    /// Streams that hold writes back until the callback has returned, or did.
    pub(crate) corked: Vec<HandleId>,
    /// Whether streams do so unasked.
    pub(crate) holds_writes: bool,
    /// How often the engine was asked for something to do: the number of the callback.
    pub(crate) turn: u32,
    /// After which callback the clock was last read.
    pub(crate) timed_in: u32,
    pub(crate) udp_event: Option<UdpEvent>,
    pub(crate) sends: Arena<Send>,
    /// A descriptor to get rid of connections with when there is no other left.
    pub(crate) reserve: Option<OwnedFd>,
    pub(crate) arrivals: Arrivals,
    /// Children that may have ended.
    pub(crate) exits: VecDeque<HandleId>,
    /// Opened when it is first needed.
    pub(crate) trees: Option<Trees>,
    pub(crate) news: News,
    /// The files that are being looked at on the pool.
    pub(crate) glances: Glances,
    pub(crate) signals: Arc<Signals>,
    pub(crate) round: Round,
    pub(crate) round_on: bool,
    /// Whether senders rely on the loop to look before it sleeps, and do not wake it.
    pub(crate) awake: bool,
    pub(crate) outbox: Outbox,
    pub(crate) finished: Vec<Finished>,
    /// Whether `finished` came out of the outbox, which has to hear when all are told.
    pub(crate) telling: bool,
    /// What came back with some of the finished work.
    pub(crate) carried: Carried,
    /// What came back with the work that was told of last.
    pub(crate) carried_last: Option<Box<dyn Work>>,
    /// Work that was done without the pool, to be told in the next poll phase.
    pub(crate) done_early: Vec<Finished>,
    pub(crate) reads: Reads,

    pub(crate) counters: Counters,
    pub(crate) idle_time: std::sync::Arc<IdleTime>,
    pub(crate) measures_idle_time: bool,
    /// What others may see of this loop.
    pub(crate) pulse: Beating,
    /// The last answer to somebody who asked through the pulse.
    pub(crate) answer: String,
    /// Knows more about requests than the engine does.
    pub(crate) describe: Option<Describe>,
}

impl<D: Driver> Engine<D> {
    /// A loop on `driver` whose blocking work goes to `pool`.
    #[doc(alias = "uv_loop_init")]
    pub fn new(driver: D, pool: Pool) -> Result<Self> {
        let signals = Arc::new(Signals::new(driver.waker()));
        Ok(Self::with_signals(driver, pool, signals))
    }

    /// As [`new`](Self::new), on the signal queue of an engine that is no more. Senders of that
    /// engine find their handles closed. The queue's waker must be the driver's.
    pub fn with_signals(driver: D, pool: Pool, signals: Arc<Signals>) -> Self {
        // libuv watches for ended children with a signal handle of its own, which is the first in
        // every listing. We have no use for it but to stand there.
        let mut table = Table::new();
        let mut census = Census::default();
        let born = table.birth();
        let own = table.signals.insert(Token(0), born, Default::default());
        let head = &mut table.signals[own.index()].head;
        head.internal = true;
        head.set_referenced(false, &mut census);

        // The engine's own async handle rings when the pool has finished something. It is the
        // oldest, so it comes first in every round; and it keeps no loop alive.
        let born = table.birth();
        let first = |index| signals.generation_at(index);
        let bell = table.asyncs.insert_with(Token(0), born, Default::default(), first);
        let head = &mut table.asyncs[bell.index()].head;
        head.internal = true;
        head.set_referenced(false, &mut census);
        head.activate(&mut census);
        signals.open(bell);

        let mut engine = Self {
            now: 0,
            stopping: false,
            position: Position::Outside,
            table,
            works: Works::default(),
            census,
            wheel: Wheel::default(),
            ready: Vec::new(),
            ready_at: 0,
            idle: Started::new(),
            prepare: Started::new(),
            check: Started::new(),
            deferred: VecDeque::new(),
            deferred_left: 0,
            pending_rounds: 0,
            may_sleep: true,
            closing: Vec::new(),
            closing_now: Vec::new(),
            watches: Watches::default(),
            events: Vec::new(),
            events_at: 0,
            batches_left: 0,
            batch: 0,
            rush: Rush::default(),
            further_events: 0,
            batch_waited: false,
            stream_event: None,
            udp_event: None,
            sends: Arena::new(),
            writes: Arena::new(),
            rares: Arena::new(),
            corked: Vec::new(),
            holds_writes: false,
            turn: 1,
            timed_in: 0,
            reserve: None,
            arrivals: Arrivals::default(),
            exits: VecDeque::new(),
            trees: None,
            news: News::default(),
            glances: Glances::default(),
            outbox: Outbox::new(pool, signals.clone(), bell),
            signals,
            round: Round::default(),
            round_on: false,
            awake: false,
            finished: Vec::new(),
            telling: false,
            carried: Carried::new(),
            carried_last: None,
            done_early: Vec::new(),
            reads: Reads::default(),
            counters: Counters::default(),
            idle_time: Default::default(),
            measures_idle_time: false,
            pulse: Beating::begin(),
            answer: String::new(),
            describe: None,
            driver,
        };
        engine.update_time();
        engine.pulse.set_waker(&engine.driver);
        engine
    }

    /// Ends a loop that has nothing left to do. `EBUSY` while a handle of the user exists, even
    /// an inactive one, or a request is in flight.
    #[doc(alias = "uv_loop_close")]
    pub fn close(&mut self) -> Result<()> {
        if self.census.requests > 0 || self.has_user_handles() {
            return Err(Errno::EBUSY);
        }
        let own: Vec<_> = self.handles(true);
        for (id, _) in own {
            if id.kind() == Kind::Async {
                self.silence_async(id);
            }
        }
        self.signals.settle();
        self.reads.forget_reader();
        Ok(())
    }

    /// Whether there is anything to wait for: an active and referenced handle, a request, or a
    /// handle that is closing.
    #[doc(alias = "uv_loop_alive")]
    pub fn alive(&self) -> bool {
        !self.census.is_empty() || !self.closing.is_empty() || !self.closing_now.is_empty()
    }

    /// Counts in `count` more reasons to stay alive, of which the engine knows nothing else.
    pub fn set_extra_reasons(&mut self, count: usize) {
        self.census.extra = count;
    }

    /// Has the current or next run return after the iteration that is going on.
    #[doc(alias = "uv_stop")]
    pub fn stop(&mut self) {
        self.stopping = true;
    }

    /// The loop's time in milliseconds: cached, so that all callbacks of a phase see the same.
    #[doc(alias = "uv_now")]
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Reads the clock.
    #[doc(alias = "uv_update_time")]
    #[inline]
    pub fn update_time(&mut self) {
        self.timed_in = self.turn;
        self.now = self.driver.now() / 1_000_000;
        self.table.now = self.now;
    }

    /// How long a run would wait now, in milliseconds: `Some(0)` if it would not, `None` for ever.
    #[doc(alias = "uv_backend_timeout")]
    pub fn backend_timeout(&mut self) -> Option<u64> {
        // libuv has its own wake-up descriptor to register in the first poll phase, and says so.
        let settled = self.counters.iterations > 0 && self.watches.is_settled();
        if settled { self.poll_timeout(true) } else { Some(0) }
    }

    /// How long the poll phase may wait.
    #[inline(always)]
    pub(crate) fn poll_timeout(&mut self, exact: bool) -> Option<u64> {
        // The idle handles first: a loop that has some asks most often.
        let waits = self.idle.is_empty()
            && !self.stopping
            && !self.census.is_empty()
            && self.deferred.is_empty()
            && self.exits.is_empty()
            && self.done_early.is_empty()
            && self.finished.is_empty()
            && !self.news.announced
            && self.closing.is_empty();
        if waits { self.until_next_timer(exact) } else { Some(0) }
    }

    /// Called in a forked child before anything else: the loop goes on with what it had, apart
    /// from work that was on the pool's threads. `pool` is the child's.
    #[doc(alias = "uv_loop_fork")]
    pub fn reopen_after_fork(&mut self, pool: Pool) -> Result<()> {
        self.driver.reopen_after_fork()?;
        self.pulse.take_over();
        self.pulse.set_waker(&self.driver);
        self.outbox = self.outbox.after_fork(pool, &mut self.finished, &mut self.carried);
        self.reads.forget_reader();
        self.disown_held();
        self.disown_children();
        self.rewatch_files();
        self.redeclare_watches();
        self.mend_signals();
        self.reopen_mailbox()
    }

    /// The driver, for what is its business alone.
    pub fn driver(&mut self) -> &mut D {
        &mut self.driver
    }

    /// The queue through which other threads reach this loop.
    pub fn signals(&self) -> &Arc<Signals> {
        &self.signals
    }

    /// What others may see of this loop. It is never freed.
    pub fn pulse(&self) -> &'static Pulse {
        *self.pulse
    }

    /// Counters of the poll phase.
    #[doc(alias = "uv_metrics_info")]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The time spent waiting, readable from any thread. Stays zero until
    /// [`measure_idle_time`](Self::measure_idle_time).
    pub fn idle_time(&self) -> &std::sync::Arc<IdleTime> {
        &self.idle_time
    }

    /// Starts to measure the time spent waiting.
    pub fn measure_idle_time(&mut self) {
        self.measures_idle_time = true;
    }
}
