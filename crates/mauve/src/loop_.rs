//! The event loop.

use std::any::TypeId;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::ops::Deref;
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use mauve_core::pool::Pool;
use mauve_core::unwind::run_each;
use mauve_core::why::LoopItem;
use mauve_core::{HandleId, Phase, Token};
use mauve_sys::{Errno, Result};

#[doc(inline)]
pub use mauve_core::Mode as RunMode;

use crate::core::{Core, CurrentGuard, try_current};
use crate::handle::AnyHandle;
use crate::run::Run;
use crate::sim::Seeded;
use crate::targets::key_of;
use crate::task::{self, BlockingTask, JoinHandle, LoopHandle};
use crate::time::{Sleep, Timeout, VirtualClock};

/// An event loop with its handles, requests and tasks.
///
/// A `Loop` owns them all. Dropping it drops its tasks and callbacks and closes its handles,
/// whatever handle values and [references](LoopRef) exist. Bytes that were written to a
/// [`File`](crate::fs::File) or a standard stream are written first. It is not `Send`. The type parameter is
/// the state that callbacks get as `&mut S`, see the [crate documentation](crate).
///
/// A `Loop` dereferences to [`LoopRef`], which has the methods that do not run it.
///
/// ```
/// use std::time::Duration;
/// use mauve::{Loop, RunMode, Timer};
///
/// let lp = Loop::<u32>::new()?;
/// Timer::new(&lp).once(Duration::from_millis(1), |count, timer| {
///     *count += 1;
///     timer.close();
/// })?;
/// let mut count = 0;
/// lp.run_with(&mut count, RunMode::Default)?;
/// assert_eq!(count, 1);
/// # Ok::<(), mauve::Errno>(())
/// ```
#[doc(alias = "uv_loop_t")]
pub struct Loop<S: 'static = ()> {
    reference: LoopRef<S>,
}

/// A reference to a [`Loop`], for callbacks and tasks. Cloning it is cheap.
///
/// A reference does not keep the loop open. After the `Loop` is dropped or closed, operations on
/// its handles return [`Errno::EINVAL`], and what cannot fail does nothing: the loop is not alive, has
/// no handles, and its times are zero. Only creating a handle or a [`Sleep`] panics.
///
/// ```
/// use mauve::{Loop, LoopRef};
///
/// let lp: Loop = Loop::new()?;
/// let reference: LoopRef = lp.clone();
/// let task = lp.spawn(async move { reference.spawn(async { 6 * 7 }).await });
/// assert_eq!(lp.block_on(task).unwrap().unwrap(), 42);
/// # Ok::<(), mauve::Errno>(())
/// ```
pub struct LoopRef<S = ()> {
    pub(crate) core: Rc<Core>,
    state: PhantomData<fn(&mut S)>,
}

impl<S> LoopRef<S> {
    pub(crate) fn new(core: Rc<Core>) -> Self {
        Self { core, state: PhantomData }
    }
}

impl<S> Clone for LoopRef<S> {
    fn clone(&self) -> Self {
        Self::new(self.core.clone())
    }
}

impl<S> fmt::Debug for LoopRef<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alive = self.core.engine_with_tasks(|engine| engine.alive());
        f.debug_struct("LoopRef").field("alive", &alive).finish_non_exhaustive()
    }
}

impl<S: 'static> fmt::Debug for Loop<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alive = self.core.engine_with_tasks(|engine| engine.alive());
        f.debug_struct("Loop").field("alive", &alive).finish_non_exhaustive()
    }
}

impl<S: 'static> Deref for Loop<S> {
    type Target = LoopRef<S>;

    fn deref(&self) -> &LoopRef<S> {
        &self.reference
    }
}

impl<S: 'static> Drop for Loop<S> {
    fn drop(&mut self) {
        // Destructors of tasks and callbacks may use the loop, for example to spawn a task, which
        // is dropped at once.
        let _current = CurrentGuard::set(self.core.clone());
        let steps: [&dyn Fn(); 3] =
            [&|| self.core.executor.shut_down(), &|| self.core.targets.drop_callbacks(), &|| {
                // While it panics, this thread may own what a write waits for.
                if !std::thread::panicking() {
                    self.core.writes.wait();
                }
                self.core.close_engine();
            }];
        run_each(steps);
    }
}

impl Loop {
    /// Runs the loop: callbacks and tasks. [`RunMode::Default`] returns when nothing is left to wait
    /// for: no active referenced handle, request or task.
    ///
    /// Returns whether the loop is still alive, which happens after a [`stop`](LoopRef::stop) and
    /// with the modes that run one iteration.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mauve::{Loop, RunMode, Timer};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let timer = Timer::new(&lp);
    /// timer.every(Duration::from_millis(1), |_, _| {})?;
    /// assert!(lp.run(RunMode::Once)?, "the timer is still active");
    /// timer.close();
    /// assert!(!lp.run(RunMode::Default)?);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    ///
    /// # Errors
    /// `EBUSY` if the loop is running already, `EINVAL` if it is closed. Other errors are those of
    /// the kernel's wait.
    ///
    /// # Panics
    /// A panic of a callback continues here. The loop can be run again. A panic of a task is returned
    /// by its [`JoinHandle`].
    #[doc(alias = "uv_run")]
    pub fn run(&self, mode: RunMode) -> Result<bool> {
        self.run_with(&mut (), mode)
    }

    /// Runs the loop until `future` completes.
    ///
    /// # Panics
    /// Panics if the loop is running already or closed, or if the future panics.
    #[track_caller]
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.block_on_with(&mut (), future)
    }

    /// A reference to the loop that runs on this thread. For a loop with a state, use
    /// [`current_with`](Self::current_with).
    ///
    /// ```
    /// use mauve::Loop;
    ///
    /// let lp: Loop = Loop::new()?;
    /// assert!(lp.block_on(async { Loop::current().is_alive() }));
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    ///
    /// # Panics
    /// Panics if no loop runs on this thread, or if it has a state.
    #[track_caller]
    pub fn current() -> LoopRef {
        Self::current_with()
    }

    /// [`current`](Self::current), or `None` if there is no such loop.
    pub fn try_current() -> Option<LoopRef> {
        Self::try_current_with()
    }
}

/// Options of a new [`Loop`]. Made by [`Loop::builder`].
///
/// ```
/// use mauve::Loop;
///
/// let lp: Loop = Loop::builder().blocking_threads(16).build()?;
/// let job = lp.spawn_blocking(|| 6 * 7);
/// assert_eq!(lp.block_on(job), Ok(42));
/// # Ok::<(), mauve::Errno>(())
/// ```
#[derive(Debug)]
#[must_use = "`build` creates the loop"]
pub struct LoopBuilder<S = ()> {
    blocking_threads: Option<usize>,
    clock: Option<VirtualClock>,
    simulation: Option<Seeded>,
    state: PhantomData<fn(&mut S)>,
}

impl<S: 'static> LoopBuilder<S> {
    /// Sets how many jobs of [`spawn_blocking`](crate::spawn_blocking) may run at a time. The default is
    /// 512. All loops of the process share these threads, so the last setting counts.
    pub fn blocking_threads(mut self, count: usize) -> Self {
        self.blocking_threads = Some(count);
        self
    }

    /// Gives the loop a virtual clock, which it can share with other loops. The default is the clock of
    /// the loop that runs on this thread, or that of the system.
    pub fn clock(mut self, clock: VirtualClock) -> Self {
        self.clock = Some(clock);
        self
    }

    /// Lets a simulation decide the order of events. The default is that of the loop that runs on this thread.
    pub(crate) fn simulation(mut self, simulation: Option<Seeded>) -> Self {
        self.simulation = simulation;
        self
    }

    /// Creates the loop.
    pub fn build(self) -> Result<Loop<S>> {
        if let Some(count) = self.blocking_threads {
            Pool::of_process().limit_blocking_threads(count);
        }
        let core = Core::new_shared(TypeId::of::<S>())?;
        // All loops of a process that `mauve sim` has started have one.
        if core.clock.get().is_none()
            && let Some(clock) = self.clock.or_else(VirtualClock::current)
        {
            core.set_clock(clock);
        }
        if let Some(simulation) = self.simulation.or_else(Seeded::current) {
            simulation.set(&core);
        }
        Ok(Loop { reference: LoopRef::new(core) })
    }
}

impl<S: 'static> Loop<S> {
    /// Options of a new loop.
    pub fn builder() -> LoopBuilder<S> {
        LoopBuilder { blocking_threads: None, clock: None, simulation: None, state: PhantomData }
    }

    /// Creates a loop.
    #[doc(alias = "uv_loop_init")]
    pub fn new() -> Result<Self> {
        Self::builder().build()
    }

    /// [`current`](Loop::current), for a loop with a state: `Loop::<S>::current_with()`.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread, or if its state is not of the type `S`.
    #[track_caller]
    pub fn current_with() -> LoopRef<S> {
        Self::try_current_with().expect("no loop with a state of this type runs on this thread")
    }

    /// [`current_with`](Self::current_with), or `None` if there is no such loop.
    pub fn try_current_with() -> Option<LoopRef<S>> {
        let core = try_current()?;
        (core.state_type == TypeId::of::<S>()).then(|| LoopRef::new(core))
    }

    /// [`run`](Loop::run), with the state for the callbacks.
    pub fn run_with(&self, state: &mut S, mode: RunMode) -> Result<bool> {
        let mut run = Run::begin(&self.core)?;
        self.core.poll_tasks();
        loop {
            if let Some(alive) = run.step(state, mode)? {
                return Ok(alive);
            }
        }
    }

    /// [`block_on`](Loop::block_on), with the state for the callbacks.
    ///
    /// ```
    /// use mauve::{Idle, Loop};
    ///
    /// let lp = Loop::<u32>::new()?;
    /// Idle::new(&lp).start(|count, idle| {
    ///     *count += 1;
    ///     idle.close();
    /// })?;
    /// let mut count = 0;
    /// lp.block_on_with(&mut count, async {
    ///     mauve::sleep(std::time::Duration::from_millis(1)).await;
    /// });
    /// assert_eq!(count, 1);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[track_caller]
    pub fn block_on_with<F: Future>(&self, state: &mut S, future: F) -> F::Output {
        let mut run = match Run::begin(&self.core) {
            Ok(run) => run,
            Err(Errno::EBUSY) => panic!("`block_on` called while the loop is running"),
            Err(_) => panic!("`block_on` called on a closed loop"),
        };
        let mut future = pin!(future);
        let block_on = self.core.executor.enter_block_on();
        let mut output = None;
        loop {
            if block_on.take_woken() {
                if output.is_none()
                    && let std::task::Poll::Ready(value) = block_on.poll(future.as_mut())
                {
                    output = Some(value);
                    // The current iteration still delivers its completions, without waiting.
                    self.stop();
                }
                self.core.poll_tasks();
                if block_on.is_woken() {
                    self.core.set_no_wait(true);
                }
            }
            let ended = run.step(state, RunMode::Default).expect("polling failed").is_some();
            if ended && let Some(output) = output {
                return output;
            }
        }
    }

    /// Closes the loop, if nothing is left of its handles, requests and tasks. Operations return
    /// `EINVAL` afterwards.
    ///
    /// Dropping a loop closes it, too, whatever it still has.
    ///
    /// # Errors
    /// `EBUSY` while the loop runs, or while it has a handle, a request or a task. That includes
    /// inactive handles, and handles that were closed but whose close phase has not come: run the
    /// loop once more after a block of tasks. `EINVAL` if the loop is closed.
    #[doc(alias = "uv_loop_close")]
    pub fn close(&self) -> Result<()> {
        if self.core.executor.alive() > 0 || self.core.executor.is_running() {
            return Err(Errno::EBUSY);
        }
        self.core.spare_timers.clear(&self.core);
        self.core.engine_result(|engine| engine.close())?;
        self.core.close_engine();
        Ok(())
    }
}

impl<S: 'static> LoopRef<S> {
    /// Makes the current run return after this iteration, or the next run after its first.
    #[doc(alias = "uv_stop")]
    pub fn stop(&self) {
        self.core.try_engine(|engine| engine.stop());
    }

    /// Whether the loop has anything to wait for: an active referenced handle, a request, a task,
    /// or a closing handle.
    #[doc(alias = "uv_loop_alive")]
    pub fn is_alive(&self) -> bool {
        self.core.engine_with_tasks(|engine| engine.alive()).unwrap_or(false)
    }

    /// The loop's cached time, since an arbitrary point in the past. It is updated once per
    /// iteration, so all callbacks of a phase see the same time.
    #[doc(alias = "uv_now")]
    pub fn now(&self) -> Duration {
        Duration::from_millis(self.core.try_engine(|engine| engine.now()).unwrap_or(0))
    }

    /// Updates the cached time. Useful before starting a timer after a long computation.
    #[doc(alias = "uv_update_time")]
    pub fn update_time(&self) {
        self.core.try_engine(|engine| engine.update_time());
    }

    /// The timeout that the loop would poll with now. `None` means no timeout.
    #[doc(alias = "uv_backend_timeout")]
    pub fn backend_timeout(&self) -> Option<Duration> {
        let timeout = self.core.engine_with_tasks(|engine| engine.backend_timeout());
        timeout.unwrap_or(Some(0)).map(Duration::from_millis)
    }

    /// Reports a callback or a task of this loop that runs longer than `limit`, on stderr while it
    /// still runs: where it was made, how long it runs, and the stack of its thread. It is reported
    /// again whenever that time has doubled.
    ///
    /// The first call starts a thread. It interrupts the blocked thread by a signal to read its stack,
    /// which may end a sleep early. A callback that was made before has no location in the report.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mauve::Loop;
    ///
    /// let lp: Loop = Loop::new()?;
    /// lp.watchdog(Duration::from_millis(50));
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    pub fn watchdog(&self, limit: Duration) {
        if !self.core.is_closed() {
            let probe = self.core.engine(|engine| engine.probe());
            mauve_trace::watchdog::watch(probe, limit);
        }
    }

    /// The current phase. `None` outside of a run.
    pub fn phase(&self) -> Option<Phase> {
        self.core.try_engine(|engine| engine.phase()).flatten()
    }

    /// All handles in the order of their creation, including those that are closing.
    #[doc(alias = "uv_walk")]
    pub fn handles(&self) -> Vec<AnyHandle<S>> {
        let handles = self.core.try_engine(|engine| engine.handles(false)).unwrap_or_default();
        let handles = handles.into_iter().filter_map(|(id, token)| self.any_handle(id, token));
        handles.collect()
    }

    fn any_handle(&self, id: HandleId, token: Token) -> Option<AnyHandle<S>> {
        // Handles of futures and of the executor are internal.
        let key = key_of(token);
        let is_handle = self.core.targets.is_handle(key, id);
        is_handle.then(|| AnyHandle::new(self.clone(), id, key))
    }

    /// Everything that keeps the loop alive: active referenced handles, closing handles, requests
    /// in flight, and tasks, each with the location where it was spawned.
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
    pub fn why_alive(&self) -> Vec<LoopItem> {
        self.core.engine_with_tasks(|engine| engine.why_alive()).unwrap_or_default()
    }

    /// All handles, requests and tasks of the loop, whether they keep it alive or not.
    #[doc(alias = "uv_print_all_handles")]
    pub fn inventory(&self) -> Vec<LoopItem> {
        self.core.engine_with_tasks(|engine| engine.inventory()).unwrap_or_default()
    }

    /// Calls `visit` for each handle. Handles created by `visit` are not visited.
    pub fn walk(&self, mut visit: impl FnMut(AnyHandle<S>)) {
        self.handles().into_iter().for_each(&mut visit);
    }

    /// Spawns a task on this loop. It is polled on the loop's thread while the loop runs, and keeps
    /// the loop alive until it completes.
    #[track_caller]
    pub fn spawn<F>(&self, future: F) -> JoinHandle<F::Output>
    where
        F: Future + 'static,
        F::Output: 'static,
    {
        task::spawn_on(&self.core, future)
    }

    /// A handle for other threads, which spawns tasks on this loop.
    pub fn handle(&self) -> LoopHandle {
        LoopHandle(self.core.executor.remote().clone())
    }

    /// Waits until at least `duration` has elapsed. See [`time::sleep`](crate::time::sleep).
    ///
    /// # Cancel safety
    /// If the future is dropped, nothing waits for its deadline.
    pub fn sleep(&self, duration: Duration) -> Sleep {
        Sleep::new(&self.core, duration)
    }

    /// Waits for `future`, but at most for `duration`. See [`time::timeout`](crate::time::timeout).
    ///
    /// # Cancel safety
    /// If the returned future is dropped, or the time has elapsed, `future` is dropped.
    pub fn timeout<F: Future>(&self, duration: Duration, future: F) -> Timeout<F> {
        Timeout::new(self.sleep(duration), future)
    }

    /// Runs `work` on a thread of the pool. See [`spawn_blocking`](crate::spawn_blocking).
    #[doc(alias = "uv_queue_work")]
    pub fn spawn_blocking<T, F>(&self, work: F) -> BlockingTask<T>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        BlockingTask::spawn(self.core.clone(), work)
    }
}
