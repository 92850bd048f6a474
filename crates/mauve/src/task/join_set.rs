//! A set of tasks.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::{Location, resume_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::{AbortHandle, JoinError, JoinHandle, spawn_at};
use crate::LoopRef;
use crate::core::{Core, current};

/// A set of tasks, which are joined in the order of their completion. Dropping it aborts them.
///
/// ```
/// use std::time::Duration;
/// use mauve::JoinSet;
///
/// let lp: mauve::Loop = mauve::Loop::new()?;
/// lp.block_on(async {
///     let mut set = JoinSet::new();
///     for delay in [2, 0, 1] {
///         set.spawn(async move {
///             mauve::sleep(Duration::from_millis(delay)).await;
///             delay
///         });
///     }
///     let mut sum = 0;
///     while let Some(delay) = set.join_next().await {
///         sum += delay.unwrap();
///     }
///     assert_eq!(sum, 3);
/// });
/// # Ok::<(), mauve::Errno>(())
/// ```
#[must_use = "dropping the set aborts its tasks"]
pub struct JoinSet<T> {
    /// By number.
    tasks: HashMap<u64, JoinHandle<T>>,
    spawned: u64,
    finished: Rc<RefCell<Finished>>,
}

/// The tasks that have finished and were not joined.
#[derive(Default)]
struct Finished {
    numbers: VecDeque<u64>,
    waker: Option<Waker>,
}

impl<T> JoinSet<T> {
    /// An empty set.
    pub fn new() -> Self {
        Self { tasks: HashMap::new(), spawned: 0, finished: Rc::default() }
    }

    /// The number of tasks that were not joined.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// Whether all tasks were joined.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// Aborts all tasks. They are still to be joined.
    pub fn abort_all(&mut self) {
        self.tasks.values().for_each(JoinHandle::abort);
    }

    /// Removes all tasks from the set. They run on.
    pub fn detach_all(&mut self) {
        self.tasks.clear();
        self.finished = Rc::default();
    }
}

impl<T: 'static> JoinSet<T> {
    /// Spawns a task on the loop that runs on this thread.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    #[track_caller]
    pub fn spawn(&mut self, future: impl Future<Output = T> + 'static) -> AbortHandle {
        self.spawn_at(&current(), Location::caller(), future)
    }

    /// Spawns a task on a loop.
    ///
    /// ```
    /// use mauve::{JoinSet, Loop};
    ///
    /// let lp: Loop = Loop::new()?;
    /// let mut set = JoinSet::new();
    /// // No loop runs yet.
    /// set.spawn_on(async { 7 }, &lp);
    /// assert_eq!(lp.block_on(set.join_all()), [7]);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[track_caller]
    pub fn spawn_on<S: 'static>(
        &mut self,
        future: impl Future<Output = T> + 'static,
        lp: &LoopRef<S>,
    ) -> AbortHandle {
        self.spawn_at(&lp.core, Location::caller(), future)
    }

    fn spawn_at(
        &mut self,
        core: &Rc<Core>,
        location: &'static Location<'static>,
        future: impl Future<Output = T> + 'static,
    ) -> AbortHandle {
        let number = self.spawned;
        self.spawned += 1;
        let guard = FinishGuard { number, finished: self.finished.clone() };
        let task = spawn_at(core, location, async move {
            // Dropped with the future, whether it completes, panics or is aborted.
            let _guard = guard;
            future.await
        });
        let abort = task.abort_handle();
        self.tasks.insert(number, task);
        abort
    }

    /// Waits until one of the tasks finishes, and returns its result. `None` if the set is empty.
    ///
    /// # Cancel safety
    /// No result is lost if the future is dropped before it completes.
    pub async fn join_next(&mut self) -> Option<Result<T, JoinError>> {
        poll_fn(|context| self.poll_join_next(context)).await
    }

    /// The result of a task that has finished, if there is one.
    pub fn try_join_next(&mut self) -> Option<Result<T, JoinError>> {
        // A waker that `poll_join_next` has registered stays.
        self.take_finished(&mut Context::from_waker(Waker::noop()))
    }

    /// Polls for the next task that finishes.
    pub fn poll_join_next(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<T, JoinError>>> {
        if self.tasks.is_empty() {
            return Poll::Ready(None);
        }
        let finished = self.take_finished(context);
        if finished.is_some() {
            return Poll::Ready(finished);
        }
        let waker = context.waker().clone();
        let before = self.finished.borrow_mut().waker.replace(waker);
        drop(before);
        Poll::Pending
    }

    /// Removes the first task that has finished, and returns its result.
    fn take_finished(&mut self, context: &mut Context<'_>) -> Option<Result<T, JoinError>> {
        // No borrow is held while foreign code runs, such as that of a waker.
        let next = || self.finished.borrow().numbers.front().copied();
        while let Some(number) = next() {
            let result = match self.tasks.get_mut(&number) {
                Some(task) => match Pin::new(task).poll(context) {
                    Poll::Ready(result) => Some(result),
                    Poll::Pending => break,
                },
                None => None,
            };
            self.finished.borrow_mut().numbers.pop_front();
            if result.is_some() {
                self.tasks.remove(&number);
                return result;
            }
        }
        None
    }

    /// Aborts all tasks and waits until they have ended.
    ///
    /// # Cancel safety
    /// If the future is dropped, the tasks are aborted already. They are still in the set.
    pub async fn shutdown(&mut self) {
        self.abort_all();
        while self.join_next().await.is_some() {}
    }

    /// Waits for all tasks. Returns their outputs in the order of completion.
    ///
    /// # Cancel safety
    /// Dropping the future aborts the tasks, and loses the outputs of those that have ended.
    ///
    /// # Panics
    /// A panic of a task continues here; the other tasks are aborted. Panics if a task was aborted.
    pub async fn join_all(mut self) -> Vec<T> {
        let mut outputs = Vec::with_capacity(self.len());
        while let Some(result) = self.join_next().await {
            match result.map_err(JoinError::try_into_panic) {
                Ok(output) => outputs.push(output),
                Err(Ok(payload)) => resume_unwind(payload),
                Err(Err(error)) => panic!("{error}"),
            }
        }
        outputs
    }
}

impl<T> Default for JoinSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Spawns every future, as [`spawn`](JoinSet::spawn).
impl<T: 'static, F: Future<Output = T> + 'static> FromIterator<F> for JoinSet<T> {
    fn from_iter<I: IntoIterator<Item = F>>(futures: I) -> Self {
        let mut set = Self::new();
        for future in futures {
            set.spawn(future);
        }
        set
    }
}

impl<T> Drop for JoinSet<T> {
    fn drop(&mut self) {
        self.abort_all();
    }
}

impl<T> fmt::Debug for JoinSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinSet").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// Reports a task as finished when its future is dropped. Its result is stored right after that,
/// before another task is polled.
struct FinishGuard {
    number: u64,
    finished: Rc<RefCell<Finished>>,
}

impl Drop for FinishGuard {
    fn drop(&mut self) {
        let mut finished = self.finished.borrow_mut();
        finished.numbers.push_back(self.number);
        let waker = finished.waker.take();
        drop(finished);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}
