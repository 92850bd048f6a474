//! The loop.

use std::future::Future;
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use mauve_core::pool::Lane;
use mauve_core::why::Item;
use mauve_core::{Batch, Completion, Counters, HandleId, Phase, Step, Token};
use mauve_sys::{Errno, Result};

pub use mauve_core::Mode as RunMode;

use crate::calls::Calls;
use crate::core::{Core, Current, Receiver, is_callback, receiver};
use crate::handle::AnyHandle;
use crate::task::{self, Blocking, JoinHandle, Sleep, Timeout};

/// An event loop, and everything that hangs on it.
///
/// A `Loop` is a name: clones mean the same loop. It belongs to the thread that made it. The type
/// parameter is that of the state which the callbacks share, see the [crate documentation](crate).
#[doc(alias = "uv_loop_t")]
pub struct Loop<S = ()> {
    pub(crate) core: Rc<Core>,
    pub(crate) calls: Rc<Calls<S>>,
}

impl<S> Clone for Loop<S> {
    fn clone(&self) -> Self {
        Self { core: self.core.clone(), calls: self.calls.clone() }
    }
}

impl Loop {
    /// Runs the loop. Returns whether something is left to wait for: after a
    /// [`stop`](Self::stop), or because the mode ended the run.
    #[doc(alias = "uv_run")]
    pub fn run(&self, mode: RunMode) -> Result<bool> {
        self.run_with(&mut (), mode)
    }

    /// Runs the loop until `future` is ready.
    ///
    /// # Panics
    /// If the loop is running already, or if polling the future does.
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.block_on_with(&mut (), future)
    }
}

impl<S: 'static> Loop<S> {
    /// Makes a loop.
    #[doc(alias = "uv_loop_init")]
    pub fn new() -> Result<Self> {
        Ok(Self { core: Rc::new(Core::new()?), calls: Rc::new(Calls::new()) })
    }

    /// Runs the loop with the state that its callbacks share.
    pub fn run_with(&self, state: &mut S, mode: RunMode) -> Result<bool> {
        let mut run = Run::begin(self)?;
        self.core.poll_tasks();
        loop {
            if let Some(alive) = run.step(state, mode)? {
                return Ok(alive);
            }
        }
    }

    /// [`block_on`](Loop::block_on) with the state that the callbacks share.
    pub fn block_on_with<F: Future>(&self, state: &mut S, future: F) -> F::Output {
        let mut run = Run::begin(self).expect("block_on cannot be called inside a run of its loop");
        let mut future = pin!(future);
        let main = self.core.executor.enter_main();
        let mut output = None;
        loop {
            if main.take_woken() {
                if output.is_none() {
                    let mut context = std::task::Context::from_waker(main.waker());
                    if let std::task::Poll::Ready(value) = future.as_mut().poll(&mut context) {
                        output = Some(value);
                        // What this iteration has still to deliver is delivered; it waits no more.
                        self.stop();
                    }
                }
                self.core.poll_tasks();
                if main.is_woken() {
                    self.core.set_restless(true);
                }
            }
            let ended = run.step(state, RunMode::Default).expect("the poller can wait").is_some();
            if ended && let Some(output) = output {
                return output;
            }
        }
    }

    /// Has the current or next run return after the iteration that is going on.
    #[doc(alias = "uv_stop")]
    pub fn stop(&self) {
        self.core.engine(|engine| engine.stop());
    }

    /// Whether there is anything to wait for: an active handle that is not unreferenced, work on
    /// the pool, a task, or a handle that is closing.
    #[doc(alias = "uv_loop_alive")]
    pub fn alive(&self) -> bool {
        self.core.engine_with_tasks(|engine| engine.alive())
    }

    /// The loop's time, since some point in the past. It is cached: all callbacks of a phase see
    /// the same.
    #[doc(alias = "uv_now")]
    pub fn now(&self) -> Duration {
        Duration::from_millis(self.core.engine(|engine| engine.now()))
    }

    /// Reads the clock. Of use after long computations, before starting a timer.
    #[doc(alias = "uv_update_time")]
    pub fn update_time(&self) {
        self.core.engine(|engine| engine.update_time());
    }

    /// How long a run would wait now; `None` for ever.
    #[doc(alias = "uv_backend_timeout")]
    pub fn backend_timeout(&self) -> Option<Duration> {
        self.core.engine_with_tasks(|engine| engine.backend_timeout()).map(Duration::from_millis)
    }

    /// The phase that the loop is in; `None` outside of a run.
    pub fn phase(&self) -> Option<Phase> {
        self.core.engine(|engine| engine.phase())
    }

    /// Counters of the poll phase.
    #[doc(alias = "uv_metrics_info")]
    pub fn counters(&self) -> Counters {
        self.core.engine(|engine| engine.counters())
    }

    /// Starts to measure how long the loop waits.
    pub fn measure_idle_time(&self) {
        self.core.engine(|engine| engine.measure_idle_time());
    }

    /// How long the loop has waited since [`measure_idle_time`](Self::measure_idle_time).
    #[doc(alias = "uv_metrics_idle_time")]
    pub fn idle_time(&self) -> Duration {
        let now = crate::hrtime();
        Duration::from_nanos(self.core.engine(|engine| engine.idle_time().at(now)))
    }

    /// All handles in the order of their creation, closing ones included.
    #[doc(alias = "uv_walk")]
    pub fn handles(&self) -> Vec<AnyHandle<S>> {
        let handles = self.core.engine(|engine| engine.handles(false)).into_iter();
        let handles = handles.filter_map(|(id, token)| self.any_handle(id, token));
        handles.collect()
    }

    fn any_handle(&self, id: HandleId, token: Token) -> Option<AnyHandle<S>> {
        // Handles behind futures and tasks are nobody's to see.
        let key = usize::try_from(token.0).ok().filter(|_| is_callback(token))?;
        (self.calls.id(key) == Some(id)).then(|| AnyHandle::new(self.clone(), id, key))
    }

    /// Everything that keeps the loop from ending: active handles that are referenced, closing
    /// handles, requests in flight, and tasks (as one, with their number).
    ///
    /// ```
    /// use std::time::Duration;
    /// use mauve::{Loop, Timer};
    ///
    /// let lp = Loop::<()>::new()?;
    /// Timer::new(&lp).once(Duration::from_secs(5), |_, timer| timer.close())?;
    /// let why = lp.why_alive();
    /// assert_eq!(why.len(), 1);
    /// assert!(why[0].to_string().contains("due in 5000 ms"), "{}", why[0]);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_print_active_handles")]
    pub fn why_alive(&self) -> Vec<Item> {
        self.core.engine_with_tasks(|engine| engine.why_alive())
    }

    /// Everything that exists on the loop, whether it keeps it alive or not.
    #[doc(alias = "uv_print_all_handles")]
    pub fn inventory(&self) -> Vec<Item> {
        self.core.engine_with_tasks(|engine| engine.inventory())
    }

    /// Visits all handles. A handle made meanwhile is not visited; one that is closed is.
    pub fn walk(&self, mut visit: impl FnMut(AnyHandle<S>)) {
        self.handles().into_iter().for_each(&mut visit);
    }

    /// Ends the loop. `EBUSY` while there is a handle, even an inactive one, or work on the pool.
    /// Dropping the last name of a loop ends it too, whatever is left on it.
    #[doc(alias = "uv_loop_close")]
    pub fn close(&self) -> Result<()> {
        self.core.engine(|engine| engine.close())?;
        self.core.closed.set(true);
        Ok(())
    }

    /// Starts a task on this loop. It runs when the loop does, on the same thread, and keeps the
    /// loop alive until it ends.
    pub fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + 'static,
        F::Output: 'static,
    {
        task::spawn_on(&self.core, future)
    }

    /// A future that is ready after `duration`.
    pub fn sleep(&self, duration: Duration) -> Sleep {
        Sleep::new(self.core.clone(), duration)
    }

    /// Gives `future` so much time.
    pub fn timeout<F: Future>(&self, duration: Duration, future: F) -> Timeout<F> {
        Timeout::new(self.core.clone(), duration, future)
    }

    /// Runs `work` on a thread of the pool; the future has its result.
    #[doc(alias = "uv_queue_work")]
    pub fn spawn_blocking<T, F>(&self, work: F) -> Blocking<T>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        Blocking::new(self.core.clone(), Lane::Normal, work)
    }
}

/// How many timers are looked at before they are called.
const LOOK_AHEAD: usize = 16;

/// A run that is going on. Also ends it properly when a callback panics.
struct Run<S> {
    lp: Loop<S>,
    /// A name of the loop to lend to callbacks; out while one runs.
    spare: Option<Loop<S>>,
    _current: Current,
}

impl<S: 'static> Run<S> {
    /// Runs what comes next: a callback, the timers or hooks of a phase, or the end of the run.
    #[inline(always)]
    fn step(&mut self, state: &mut S, mode: RunMode) -> Result<Option<bool>> {
        // The completion stays where the engine has put it: to copy what has just been written
        // stalls the processor.
        match &self.lp.core.next(mode) {
            Ok(Step::Call(completion)) => self.call(state, completion.token(), completion),
            // Many short callbacks: each kind has a loop of its own.
            Ok(Step::Batch(batch)) => match batch {
                Batch::Timers => self.call_timers(state),
                Batch::Idle => self.call_hooks(state, Batch::Idle),
                Batch::Prepare => self.call_hooks(state, Batch::Prepare),
                Batch::Check => self.call_hooks(state, Batch::Check),
                Batch::Work => self.call_finished(state),
            },
            Ok(Step::Done { alive }) => return Ok(Some(*alive)),
            Err(error) => return Err(*error),
        }
        Ok(None)
    }

    #[inline(always)]
    fn call_hooks(&mut self, state: &mut S, batch: Batch) {
        while let Some(completion) = self.lp.core.next_in(batch) {
            self.call(state, completion.token(), &completion);
            // The future of a `block_on` is polled after every callback, as tasks are.
            if self.lp.core.executor.main_is_woken() {
                break;
            }
        }
    }

    /// Reports a batch of finished requests: pools and tasks that read finish many at once.
    fn call_finished(&mut self, state: &mut S) {
        while let Some(completion) = &self.lp.core.next_in(Batch::Work) {
            match receiver(completion.token()) {
                Receiver::Request(key) => self.call_ending(state, key, completion),
                _ => self.call(state, completion.token(), completion),
            }
            if self.lp.core.executor.main_is_woken() {
                break;
            }
        }
    }

    /// Runs the callback of a request, and the tasks that it has woken.
    #[inline(always)]
    fn call_ending(&mut self, state: &mut S, key: usize, completion: &Completion) {
        let Loop { core, calls } = &self.lp;
        if let Some(ending) = calls.take_ending(key) {
            ending(state, &self.lp, completion);
        }
        core.poll_tasks();
    }

    /// As [`call_hooks`](Self::call_hooks), for timers: they can be many, and their closures are
    /// spread over memory.
    fn call_timers(&mut self, state: &mut S) {
        let mut known = 0;
        while let Some(completion) = self.lp.core.next_in(Batch::Timers) {
            if known == 0 {
                known = LOOK_AHEAD;
                self.look_ahead();
            }
            known -= 1;
            self.call(state, completion.token(), &completion);
            if self.lp.core.executor.main_is_woken() {
                break;
            }
        }
    }

    fn look_ahead(&self) {
        let Loop { core, calls } = &self.lp;
        core.engine(|engine| {
            let upcoming = engine.upcoming_timers();
            // A few are not worth the trouble.
            if upcoming.len() >= LOOK_AHEAD {
                let callbacks = upcoming.take(LOOK_AHEAD).filter(|token| is_callback(*token));
                calls.look_ahead(callbacks.map(|token| token.0 as usize));
            }
        });
    }

    /// Runs one callback, and the tasks that it has woken.
    #[inline(always)]
    fn call(&mut self, state: &mut S, token: Token, completion: &Completion) {
        let Loop { core, calls } = &self.lp;
        match receiver(token) {
            Receiver::Callback(key) => match completion {
                Completion::Close(_) => calls.run_last(key, state, &self.lp, completion),
                _ => {
                    let lp = self.spare.take().unwrap_or_else(|| self.lp.clone());
                    self.spare = Some(calls.run(key, state, lp, completion));
                }
            },
            Receiver::Request(key) => return self.call_ending(state, key, completion),
            Receiver::Future(key) => {
                if let Some(task) = core.complete_future(key, completion) {
                    return core.poll_task(task);
                }
            }
            Receiver::Socket(key) => {
                if let Some(task) = core.complete_socket(key, completion) {
                    return core.poll_task(task);
                }
            }
            Receiver::Executor => {}
        }
        core.poll_tasks();
    }
}

impl<S> Run<S> {
    fn begin(lp: &Loop<S>) -> Result<Self> {
        if lp.core.executor.begin_run() {
            Ok(Self { lp: lp.clone(), spare: None, _current: Current::set(lp.core.clone()) })
        } else {
            Err(Errno::EBUSY)
        }
    }
}

impl<S> Drop for Run<S> {
    fn drop(&mut self) {
        self.lp.core.executor.end_run();
        if std::thread::panicking() {
            self.lp.core.engine(|engine| engine.abandon_run());
        }
    }
}
