//! The event loop.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::ops::Deref;
use std::pin::pin;
use std::rc::{Rc, Weak};
use std::time::Duration;

use mauve_core::pool::Lane;
use mauve_core::unwind::run_each;
use mauve_core::why::LoopItem;
use mauve_core::{HandleId, Phase, Token};
use mauve_sys::{Errno, Result};

pub use mauve_core::Mode as RunMode;

use crate::callbacks::Callbacks;
use crate::core::{Core, CurrentGuard, is_handle, try_current};
use crate::handle::AnyHandle;
use crate::run::Run;
use crate::task::{self, BlockingTask, JoinHandle, LoopHandle};
use crate::time::{Sleep, Timeout};

/// An event loop with its handles, requests and tasks.
///
/// A `Loop` owns them all. Dropping it drops its tasks and callbacks and closes its handles,
/// whatever handle values and [references](LoopRef) exist. It is not `Send`. The type parameter is
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
    pub(crate) callbacks: Rc<Callbacks<S>>,
}

impl<S> Clone for LoopRef<S> {
    fn clone(&self) -> Self {
        Self { core: self.core.clone(), callbacks: self.callbacks.clone() }
    }
}

impl<S> fmt::Debug for LoopRef<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alive = self.core.try_engine(|engine| engine.alive());
        f.debug_struct("LoopRef").field("alive", &alive).finish_non_exhaustive()
    }
}

impl<S: 'static> fmt::Debug for Loop<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let alive = self.core.try_engine(|engine| engine.alive());
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
            [&|| self.core.executor.shut_down(), &|| self.callbacks.clear(), &|| {
                self.core.close_engine()
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
}

impl<S: 'static> Loop<S> {
    /// Creates a loop.
    #[doc(alias = "uv_loop_init")]
    pub fn new() -> Result<Self> {
        let callbacks: Rc<Callbacks<S>> = Rc::new(Callbacks::new());
        let core = Core::new_shared(Rc::downgrade(&callbacks) as Weak<dyn Any>)?;
        let names = Rc::downgrade(&callbacks);
        let name_of = move |kind, token| {
            names.upgrade().map(|callbacks| callbacks.name_of(kind, token)).unwrap_or_default()
        };
        core.engine(|engine| engine.set_callback_names(Box::new(name_of)));
        Ok(Self { reference: LoopRef { core, callbacks } })
    }

    /// A reference to the loop that runs on this thread.
    ///
    /// ```
    /// use mauve::{Loop, LoopRef};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let alive = lp.block_on(async {
    ///     let lp: LoopRef = Loop::current();
    ///     lp.is_alive()
    /// });
    /// assert!(alive);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    ///
    /// # Panics
    /// Panics if no loop runs on this thread, or if its state is not of the type `S`.
    #[track_caller]
    pub fn current() -> LoopRef<S> {
        Self::try_current().expect("no loop with a state of this type runs on this thread")
    }

    /// [`current`](Self::current), or `None` if there is no such loop.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// use mauve::Loop;
    ///
    /// assert!(Loop::<()>::try_current().is_some());
    /// assert!(Loop::<String>::try_current().is_none(), "its state is of another type");
    /// std::thread::spawn(|| assert!(Loop::<()>::try_current().is_none())).join().unwrap();
    /// # Ok(())
    /// # }
    /// ```
    pub fn try_current() -> Option<LoopRef<S>> {
        let core = try_current()?;
        let callbacks = core.callbacks()?;
        Some(LoopRef { core, callbacks })
    }

    /// [`run`](Loop::run), with the state for the callbacks.
    pub fn run_with(&self, state: &mut S, mode: RunMode) -> Result<bool> {
        let mut run = Run::begin(self)?;
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
        let mut run = match Run::begin(self) {
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
        self.core.engine_result(|engine| engine.close())?;
        self.core.close_engine();
        Ok(())
    }
}

impl<S: 'static> LoopRef<S> {
    /// Makes the current run return after this iteration, or the next run after its first.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mauve::{Loop, RunMode, Timer};
    ///
    /// let lp: Loop = Loop::new()?;
    /// Timer::new(&lp).every(Duration::from_millis(1), |_, timer| timer.event_loop().stop())?;
    /// assert!(lp.run(RunMode::Default)?, "the timer is still active");
    /// # Ok::<(), mauve::Errno>(())
    /// ```
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
    ///
    /// ```
    /// use std::time::Duration;
    /// use mauve::Loop;
    ///
    /// let lp: Loop = Loop::new()?;
    /// let before = lp.now();
    /// std::thread::sleep(Duration::from_millis(5));
    /// assert_eq!(lp.now(), before, "the time is cached");
    /// lp.update_time();
    /// assert!(lp.now() > before);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_update_time")]
    pub fn update_time(&self) {
        self.core.try_engine(|engine| engine.update_time());
    }

    /// The timeout that the loop would poll with now. `None` means no timeout.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mauve::{Loop, Timer};
    ///
    /// let lp: Loop = Loop::new()?;
    /// Timer::new(&lp).once(Duration::from_millis(500), |_, timer| timer.close())?;
    /// let timeout = lp.backend_timeout().expect("a timer is started");
    /// assert!(timeout <= Duration::from_millis(500));
    /// # Ok::<(), mauve::Errno>(())
    /// ```
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
            mauve_trace::watchdog::watch(self.probe(), limit);
        }
    }

    /// The probe of the loop, for hosts that record what runs inside of callbacks.
    #[doc(hidden)]
    pub fn probe(&self) -> &'static mauve_core::probe::LoopProbe {
        self.core.engine(|engine| engine.probe())
    }

    /// For Node's layer: a stream whose peer has hung up ends in the same event as its last data, and
    /// each event of a listener accepts one connection.
    #[doc(hidden)]
    pub fn report_streams_as_node(&self) {
        self.core.engine(|engine| {
            engine.end_streams_on_hangup();
            engine.accept_in_bursts(false);
        });
    }

    /// The current phase. `None` outside of a run.
    ///
    /// ```
    /// use mauve::{Idle, Loop, Phase, RunMode};
    ///
    /// let lp: Loop = Loop::new()?;
    /// assert_eq!(lp.phase(), None);
    /// Idle::new(&lp).start(|_, idle| {
    ///     assert_eq!(idle.event_loop().phase(), Some(Phase::Idle));
    ///     idle.close();
    /// })?;
    /// lp.run(RunMode::Default)?;
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    pub fn phase(&self) -> Option<Phase> {
        self.core.try_engine(|engine| engine.phase()).flatten()
    }

    /// All handles in the order of their creation, including those that are closing.
    ///
    /// ```
    /// use mauve::{HandleKind, Loop, Tcp, Timer};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let _timer = Timer::new(&lp);
    /// let _tcp = Tcp::new(&lp);
    /// let kinds: Vec<_> = lp.handles().iter().map(|handle| handle.kind()).collect();
    /// assert_eq!(kinds, [HandleKind::Timer, HandleKind::Tcp]);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_walk")]
    pub fn handles(&self) -> Vec<AnyHandle<S>> {
        let handles = self.core.try_engine(|engine| engine.handles(false)).unwrap_or_default();
        let handles = handles.into_iter().filter_map(|(id, token)| self.any_handle(id, token));
        handles.collect()
    }

    fn any_handle(&self, id: HandleId, token: Token) -> Option<AnyHandle<S>> {
        // Handles of futures and of the executor are internal.
        let key = usize::try_from(token.0).ok().filter(|_| is_handle(token))?;
        (self.callbacks.id(key) == Some(id)).then(|| AnyHandle::new(self.clone(), id, key))
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
    ///
    /// ```
    /// use mauve::Loop;
    ///
    /// let lp: Loop = Loop::new()?;
    /// lp.spawn(std::future::pending::<()>());
    /// let task = lp.inventory()[0].to_string();
    /// assert!(task.starts_with("task spawned at "), "{task}");
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_print_all_handles")]
    pub fn inventory(&self) -> Vec<LoopItem> {
        self.core.engine_with_tasks(|engine| engine.inventory()).unwrap_or_default()
    }

    /// Calls `visit` for each handle. Handles created by `visit` are not visited.
    ///
    /// ```
    /// use mauve::{Loop, RunMode, Timer};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let _timer = Timer::new(&lp);
    /// lp.walk(|handle| handle.close());
    /// lp.run(RunMode::Default)?;
    /// lp.close()?;
    /// # Ok::<(), mauve::Errno>(())
    /// ```
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
    ///
    /// ```
    /// use mauve::Loop;
    ///
    /// let lp: Loop = Loop::new()?;
    /// let handle = lp.handle();
    /// let thread = std::thread::spawn(move || handle.spawn(async { 6 * 7 }));
    /// let task = thread.join().unwrap();
    /// assert_eq!(lp.block_on(task).unwrap(), 42);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    pub fn handle(&self) -> LoopHandle {
        LoopHandle(self.core.executor.remote().clone())
    }

    /// Waits until at least `duration` has elapsed. See [`time::sleep`](crate::time::sleep).
    pub fn sleep(&self, duration: Duration) -> Sleep {
        Sleep::new(self.core.clone(), duration)
    }

    /// Waits for `future`, but at most for `duration`.
    ///
    /// ```
    /// use std::time::Duration;
    /// use mauve::Loop;
    ///
    /// let lp: Loop = Loop::new()?;
    /// let never = std::future::pending::<()>();
    /// assert!(lp.block_on(lp.timeout(Duration::from_millis(1), never)).is_err());
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    pub fn timeout<F: Future>(&self, duration: Duration, future: F) -> Timeout<F> {
        Timeout::new(self.sleep(duration), future)
    }

    /// Runs `work` on a thread of the pool. See [`spawn_blocking`](crate::spawn_blocking).
    ///
    /// ```
    /// use mauve::Loop;
    ///
    /// let lp: Loop = Loop::new()?;
    /// let task = lp.spawn_blocking(|| (1..=10).product::<u64>());
    /// assert_eq!(lp.block_on(task), Ok(3_628_800));
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[doc(alias = "uv_queue_work")]
    pub fn spawn_blocking<T, F>(&self, work: F) -> BlockingTask<T>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        BlockingTask::new(self.core.clone(), Lane::Blocking, work)
    }
}
