//! A run of the loop: takes completions of the engine and runs their callbacks.

use mauve_core::{Batch, Completion, Step, Token};
use mauve_sys::{Errno, Result};

use crate::core::{CompletionTarget, Core, CurrentGuard, completion_target, is_handle};
use crate::loop_::{LoopRef, RunMode};
use crate::trace;

/// Number of timer callbacks that are prefetched together.
const PREFETCH: usize = 16;

/// A run in progress. Dropping it ends the run, also when a callback panics.
pub(crate) struct Run<S> {
    lp: LoopRef<S>,
    /// A loop reference for the next callback, so that a call clones no `Rc`.
    lent: Option<LoopRef<S>>,
    _current: CurrentGuard,
    _span: trace::RunSpan,
}

impl<S: 'static> Run<S> {
    /// Runs the next callback or batch of callbacks. Returns whether the loop is alive when the run
    /// has ended.
    #[inline(always)]
    pub fn step(&mut self, state: &mut S, mode: RunMode) -> Result<Option<bool>> {
        // Matched by reference: copying a completion right after it was written causes a
        // store-forwarding stall.
        match &self.lp.core.next(mode) {
            Ok(Step::Call(completion)) => self.call(state, completion.token(), completion),
            // Callbacks in a batch are short and many, so each kind has its own tight loop.
            Ok(Step::Batch(batch)) => match batch {
                Batch::Timers => self.call_timers(state),
                Batch::Idle => self.call_hooks(state, Batch::Idle),
                Batch::Prepare => self.call_hooks(state, Batch::Prepare),
                Batch::Check => self.call_hooks(state, Batch::Check),
                Batch::Work => self.call_requests(state),
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
            if self.lp.core.executor.block_on_is_woken() {
                break;
            }
        }
    }

    /// Runs the callbacks of a batch of finished requests.
    fn call_requests(&mut self, state: &mut S) {
        while let Some(completion) = &self.lp.core.next_in(Batch::Work) {
            match completion_target(completion.token()) {
                CompletionTarget::Request(key) => self.call_request(state, key, completion),
                _ => self.call(state, completion.token(), completion),
            }
            if self.lp.core.executor.block_on_is_woken() {
                break;
            }
        }
    }

    /// Runs the callback of a request, then the tasks that it has woken.
    #[inline(always)]
    fn call_request(&mut self, state: &mut S, key: usize, completion: &Completion) {
        let LoopRef { core, callbacks } = &self.lp;
        if let Some(callback) = callbacks.take_request(key) {
            let _entered = enter_callback(core, completion);
            callback.call(state, &self.lp, completion);
        }
        core.poll_tasks();
    }

    /// As [`call_hooks`](Self::call_hooks), for timers. Their callbacks are prefetched: they can be
    /// many, and are spread over memory.
    fn call_timers(&mut self, state: &mut S) {
        let mut prefetched = 0;
        while let Some(completion) = self.lp.core.next_in(Batch::Timers) {
            if prefetched == 0 {
                prefetched = PREFETCH;
                self.prefetch_timers();
            }
            prefetched -= 1;
            self.call(state, completion.token(), &completion);
            if self.lp.core.executor.block_on_is_woken() {
                break;
            }
        }
    }

    fn prefetch_timers(&self) {
        let LoopRef { core, callbacks } = &self.lp;
        core.engine(|engine| {
            let upcoming = engine.upcoming_timers();
            // Fewer are not worth the effort.
            if upcoming.len() >= PREFETCH {
                let handles = upcoming.take(PREFETCH).filter(|token| is_handle(*token));
                callbacks.prefetch(handles.map(|token| token.0 as usize));
            }
        });
    }

    /// Runs one callback, then the tasks that it has woken.
    #[inline(always)]
    fn call(&mut self, state: &mut S, token: Token, completion: &Completion) {
        let LoopRef { core, callbacks } = &self.lp;
        let task = match completion_target(token) {
            CompletionTarget::Handle(key) => {
                let _entered = enter_callback(core, completion);
                if let Completion::Close(_) = completion {
                    callbacks.run_close(key, state, &self.lp, completion);
                } else {
                    let lp = self.lent.take().unwrap_or_else(|| self.lp.clone());
                    self.lent = Some(callbacks.run(key, state, lp, completion));
                }
                None
            }
            CompletionTarget::Request(key) => return self.call_request(state, key, completion),
            CompletionTarget::Future(key) => core.complete_future(key, completion),
            CompletionTarget::Socket(key) => core.complete_socket(key, completion),
            CompletionTarget::NoCallback => {
                // The idle handle of the executor. There is nothing else to do.
                if let Completion::Idle(_) = completion {
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
fn enter_callback(core: &Core, completion: &Completion) -> impl Drop + use<> {
    trace::enter_callback(completion, || core.engine(|engine| engine.phase()))
}

impl<S> Run<S> {
    /// Begins a run. `EBUSY` if the loop is running already, `EINVAL` if it is closed.
    pub fn begin(lp: &LoopRef<S>) -> Result<Self> {
        if lp.core.is_closed() {
            return Err(Errno::EINVAL);
        }
        if lp.core.executor.begin_run() {
            lp.core.run_time.begin();
            let (current, span) = (CurrentGuard::set(lp.core.clone()), trace::enter_run());
            Ok(Self { lp: lp.clone(), lent: None, _current: current, _span: span })
        } else {
            Err(Errno::EBUSY)
        }
    }
}

impl<S> Drop for Run<S> {
    fn drop(&mut self) {
        self.lp.core.executor.end_run();
        self.lp.core.run_time.end();
        if std::thread::panicking() {
            self.lp.core.try_engine(|engine| engine.abandon_run());
        }
    }
}
