//! A run of the loop: takes completions of the engine and runs their callbacks.

use std::any::Any;
use std::rc::Rc;

use mauve_core::{Completion, HookBatch, Step, WorkBatch};
use mauve_sys::{Errno, Result};

use crate::core::{Core, CurrentGuard};
use crate::loop_::RunMode;
use crate::targets::{Report, Target, key_of};
use crate::trace;

/// Number of timer callbacks that are prefetched together.
const PREFETCH: usize = 16;

/// A run in progress. Dropping it ends the run, even if a callback panics.
pub(crate) struct Run {
    core: Rc<Core>,
    /// A reference for the next callback, so that a call clones no `Rc`.
    lent: Option<Rc<Core>>,
    _current: CurrentGuard,
    _span: trace::RunSpan,
}

impl Run {
    /// Runs the next callback or batch of callbacks. Returns whether the loop is alive when the run
    /// has ended.
    #[inline(always)]
    pub fn step(&mut self, state: &mut dyn Any, mode: RunMode) -> Result<Option<bool>> {
        // Matched by reference: copying a completion right after it was written causes a
        // store-forwarding stall.
        match &self.core.next(mode) {
            Ok(Step::Call(completion)) => self.call(state, Report::Event(completion)),
            // Callbacks in a batch are short and many, so each kind has its own tight loop.
            Ok(Step::Hooks(batch)) => match batch {
                HookBatch::Timers => self.call_timers(state),
                HookBatch::Idle => self.call_hooks(state, HookBatch::Idle),
                HookBatch::Prepare => self.call_hooks(state, HookBatch::Prepare),
                HookBatch::Check => self.call_hooks(state, HookBatch::Check),
            },
            Ok(Step::Work(batch)) => self.call_work(state, *batch),
            Ok(Step::Done { alive }) => return Ok(Some(*alive)),
            Err(error) => return Err(*error),
        }
        Ok(None)
    }

    #[inline(always)]
    fn call_hooks(&mut self, state: &mut dyn Any, batch: HookBatch) {
        while let Some(token) = self.core.engine(|engine| batch.next(engine)) {
            self.call(state, Report::Hook(batch, token));
            // The future of a `block_on` is polled after every callback, as tasks are.
            if self.core.executor.block_on_is_woken() {
                break;
            }
        }
    }

    /// As [`call_hooks`](Self::call_hooks), for finished requests.
    #[inline(always)]
    fn call_work(&mut self, state: &mut dyn Any, batch: WorkBatch) {
        while let Some(completion) = self.core.engine(|engine| batch.next(engine)) {
            self.call(state, Report::Work(&completion));
            if self.core.executor.block_on_is_woken() {
                break;
            }
        }
    }

    /// As [`call_hooks`](Self::call_hooks), for timers. Their callbacks are prefetched: they can be
    /// many, and are spread over memory.
    fn call_timers(&mut self, state: &mut dyn Any) {
        let mut prefetched = 0;
        let batch = HookBatch::Timers;
        while let Some(token) = self.core.engine(|engine| batch.next(engine)) {
            if prefetched == 0 {
                prefetched = PREFETCH;
                self.prefetch_timers();
            }
            prefetched -= 1;
            self.call(state, Report::Hook(batch, token));
            if self.core.executor.block_on_is_woken() {
                break;
            }
        }
    }

    fn prefetch_timers(&self) {
        self.core.engine(|engine| {
            let upcoming = engine.upcoming_timers();
            // Fewer are not worth the effort.
            if upcoming.len() >= PREFETCH {
                self.core.targets.prefetch(upcoming.take(PREFETCH).map(key_of));
            }
        });
    }

    /// Runs one callback, then the tasks that it has woken.
    #[inline(always)]
    fn call(&mut self, state: &mut dyn Any, report: Report<'_>) {
        let core = &self.core;
        let key = key_of(report.token());
        let mut targets = core.targets.borrow();
        let task = match targets.get_mut(key).map(|slot| &mut slot.0) {
            Some(Target::Handle(handle)) => {
                if let Report::Event(Completion::Close(_)) = report {
                    let _event = handle.close();
                    targets.free(key);
                    drop(targets);
                    if let Some(close) = core.targets.take_close(key) {
                        let _entered = enter_callback(core, report);
                        close.call(state, core, report);
                    }
                } else if let Some(event) = handle.run_event(core, key) {
                    drop(targets);
                    let _entered = enter_callback(core, report);
                    let lent = self.lent.take().unwrap_or_else(|| core.clone());
                    self.lent = Some(event.call(state, lent, report));
                }
                None
            }
            Some(Target::Request(callback)) => {
                let callback = callback.take();
                targets.free(key);
                drop(targets);
                if let Some(callback) = callback {
                    let _entered = enter_callback(core, report);
                    callback.call(state, core, report);
                }
                None
            }
            Some(Target::Future(_)) => core.complete_future(targets, key, report),
            Some(Target::Socket(socket)) => {
                let Report::Event(completion) = report else { return };
                let task = socket.wake_only_reader(completion);
                drop(targets);
                if task.is_none() {
                    core.complete_socket(key, completion);
                }
                task
            }
            Some(Target::Free) => None,
            None => {
                drop(targets);
                // The idle handle of the executor. There is nothing else to do.
                if let Report::Hook(HookBatch::Idle, _) = report {
                    return core.poll_yielded();
                }
                None
            }
        };
        match task {
            Some(task) => core.poll_task(task),
            None => core.poll_tasks(),
        }
    }
}

/// Enters the span of a callback.
#[inline(always)]
fn enter_callback(core: &Core, report: Report<'_>) -> impl Drop + use<> {
    trace::enter_callback(report, || core.engine(|engine| engine.phase()))
}

impl Run {
    /// Begins a run. `EBUSY` if the loop is running already, `EINVAL` if it is closed.
    pub fn begin(core: &Rc<Core>) -> Result<Self> {
        if core.is_closed() {
            return Err(Errno::EINVAL);
        }
        if core.executor.begin_run() {
            core.run_time.begin();
            let (current, span) = (CurrentGuard::set(core.clone()), trace::enter_run());
            Ok(Self { core: core.clone(), lent: None, _current: current, _span: span })
        } else {
            Err(Errno::EBUSY)
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.core.executor.end_run();
        self.core.run_time.end();
        if std::thread::panicking() {
            self.core.try_engine(|engine| engine.abandon_run());
        }
    }
}
