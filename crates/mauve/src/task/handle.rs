//! Spawning tasks from other threads.

use std::fmt;
use std::future::{Future, poll_fn};
use std::panic::Location;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use mauve_core::unwind::catch;

use super::executor::RemoteQueue;
use super::{JoinError, spawn_at};
use crate::core::current;

/// Spawns tasks on a loop from any thread. Made by [`LoopRef::handle`](crate::LoopRef::handle).
///
/// A handle does not keep the loop alive: a task that is spawned after the end of a run starts in
/// the next one. If the loop was dropped, tasks are cancelled.
///
/// ```
/// let lp: mauve::Loop = mauve::Loop::new()?;
/// let handle = lp.handle();
/// let answer = lp.block_on(async {
///     let (sender, task) = std::sync::mpsc::channel();
///     let thread = std::thread::spawn(move || {
///         sender.send(handle.spawn(async { 6 * 7 })).unwrap();
///     });
///     thread.join().unwrap();
///     task.recv().unwrap().await
/// });
/// assert_eq!(answer.unwrap(), 42);
/// # Ok::<(), mauve::Errno>(())
/// ```
#[derive(Clone)]
pub struct LoopHandle(pub(crate) Arc<RemoteQueue>);

impl LoopHandle {
    /// Spawns a task on the loop. It is polled on the loop's thread.
    #[track_caller]
    pub fn spawn<F>(&self, future: F) -> RemoteJoinHandle<F::Output>
    where
        F: Future + Send + 'static,
        F::Output: Send + 'static,
    {
        self.spawn_at(Location::caller(), || future)
    }

    /// Spawns a task on the loop, whose future `make` creates on the loop's thread. So the future
    /// need not be `Send`: it may own sockets of the loop.
    ///
    /// ```
    /// use mauve::net::TcpListener;
    ///
    /// let lp: mauve::Loop = mauve::Loop::new()?;
    /// let handle = lp.handle();
    /// let thread = std::thread::spawn(move || {
    ///     handle.spawn_with(|| async { drop(std::rc::Rc::new(1)) })
    /// });
    /// lp.block_on(thread.join().unwrap()).unwrap();
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    #[track_caller]
    pub fn spawn_with<F>(
        &self,
        make: impl FnOnce() -> F + Send + 'static,
    ) -> RemoteJoinHandle<F::Output>
    where
        F: Future + 'static,
        F::Output: Send + 'static,
    {
        self.spawn_at(Location::caller(), make)
    }

    /// Runs `work` on the loop and returns its output. The returned future is `Send`, though that of
    /// `work` need not be: so a handler of axum or tonic can use sockets of the loop.
    ///
    /// ```
    /// use futures_lite::{AsyncReadExt, AsyncWriteExt};
    /// use mauve::net::UnixStream;
    ///
    /// fn needs_send<F: Future + Send>(future: F) -> F { future }
    ///
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// let handle = mauve::Loop::current().handle();
    /// let count = needs_send(handle.run(async || {
    ///     let (mut one, mut two) = UnixStream::pair()?;
    ///     one.write_all(b"hello").await?;
    ///     two.read(&mut [0; 10]).await
    /// }));
    /// assert_eq!(count.await??, 5);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Cancel safety
    /// Dropping the future aborts `work`.
    #[track_caller]
    pub fn run<T: Send + 'static>(
        &self,
        work: impl AsyncFnOnce() -> T + Send + 'static,
    ) -> impl Future<Output = Result<T, JoinError>> + Send + 'static {
        let task = self.spawn_at(Location::caller(), move || async move { work().await });
        let mut task = AbortGuard(task);
        poll_fn(move |context| Pin::new(&mut task.0).poll(context))
    }

    fn spawn_at<F>(
        &self,
        location: &'static Location<'static>,
        make: impl FnOnce() -> F + Send + 'static,
    ) -> RemoteJoinHandle<F::Output>
    where
        F: Future + 'static,
        F::Output: Send + 'static,
    {
        let shared = Arc::new(Mutex::new(RemoteState::default()));
        let guard = EndGuard(shared.clone());
        self.0.spawn(Box::new(move || {
            drop(spawn_at(&current(), location, async move {
                let result = run(make, &guard.0).await;
                lock(&guard.0).result = Some(result);
                drop(guard);
            }));
        }));
        RemoteJoinHandle { shared, queue: self.0.clone() }
    }
}

/// Runs the future until it completes, panics or is aborted.
async fn run<F: Future>(
    make: impl FnOnce() -> F,
    shared: &Mutex<RemoteState<F::Output>>,
) -> Result<F::Output, JoinError> {
    let mut future = pin!(Some(catch(make).map_err(JoinError::panic)?));
    let result = poll_fn(|context| {
        let mut state = lock(shared);
        if state.aborted {
            return Poll::Ready(Err(JoinError::CANCELLED));
        }
        let before = state.task.replace(context.waker().clone());
        // A waker is foreign code: not under the lock.
        drop(state);
        drop(before);
        let future = future.as_mut().as_pin_mut().expect("dropped below");
        match catch(|| future.poll(context)) {
            Ok(poll) => poll.map(Ok),
            Err(payload) => Poll::Ready(Err(JoinError::panic(payload))),
        }
    })
    .await;
    // A panic of its destructor is returned, as that of a local task.
    let dropped = catch(|| future.set(None)).map_err(JoinError::panic);
    match result {
        Err(error) if error.is_panic() => Err(error),
        result => dropped.and(result),
    }
}

impl fmt::Debug for LoopHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoopHandle").finish_non_exhaustive()
    }
}

/// The result of a task that a [`LoopHandle`] has spawned, as a future for any thread. Dropping it
/// detaches the task.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// let handle = mauve::Loop::current().handle();
/// let thread = std::thread::spawn(move || {
///     let task = handle.spawn(async { 6 * 7 });
///     // Any executor can join the task.
///     futures_lite::future::block_on(task)
/// });
/// # while !thread.is_finished() { mauve::sleep(std::time::Duration::from_millis(1)).await; }
/// assert_eq!(thread.join().unwrap()?, 42);
/// # Ok(())
/// # }
/// ```
///
/// # Panics
/// Polling it panics if the task is not finished, and this thread is that of its loop but runs another one.
/// Then the loop of the task does not run meanwhile.
pub struct RemoteJoinHandle<T> {
    shared: Arc<Mutex<RemoteState<T>>>,
    /// The queue of the loop that runs the task.
    queue: Arc<RemoteQueue>,
}

struct RemoteState<T> {
    result: Option<Result<T, JoinError>>,
    ended: bool,
    aborted: bool,
    /// The waker of the task.
    task: Option<Waker>,
    /// The waker of the one that joins it.
    joiner: Option<Waker>,
}

impl<T> Default for RemoteState<T> {
    fn default() -> Self {
        Self { result: None, ended: false, aborted: false, task: None, joiner: None }
    }
}

impl<T> RemoteJoinHandle<T> {
    /// Aborts the task: its future is dropped on the loop's thread.
    pub fn abort(&self) {
        let mut state = lock(&self.shared);
        state.aborted = true;
        let task = state.task.take();
        drop(state);
        if let Some(task) = task {
            task.wake();
        }
    }

    /// Whether the task has finished.
    pub fn is_finished(&self) -> bool {
        lock(&self.shared).ended
    }
}

impl<T> Future for RemoteJoinHandle<T> {
    type Output = Result<T, JoinError>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut state = lock(&self.shared);
        match state.result.take() {
            Some(result) if state.ended => Poll::Ready(result),
            result => {
                assert!(!state.ended, "`RemoteJoinHandle` polled after completion");
                state.result = result;
                self.queue.assert_current("a task");
                let before = state.joiner.replace(context.waker().clone());
                drop(state);
                drop(before);
                Poll::Pending
            }
        }
    }
}

impl<T> fmt::Debug for RemoteJoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finished = self.is_finished();
        f.debug_struct("RemoteJoinHandle").field("finished", &finished).finish_non_exhaustive()
    }
}

/// Aborts the task when it is dropped.
struct AbortGuard<T>(RemoteJoinHandle<T>);

impl<T> Drop for AbortGuard<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Ends the task for its join handle when it is dropped, also if it never ran.
struct EndGuard<T>(Arc<Mutex<RemoteState<T>>>);

impl<T> Drop for EndGuard<T> {
    fn drop(&mut self) {
        let mut state = lock(&self.0);
        state.ended = true;
        state.result.get_or_insert(Err(JoinError::CANCELLED));
        let wakers = (state.joiner.take(), state.task.take());
        drop(state);
        if let (Some(joiner), _) = wakers {
            joiner.wake();
        }
    }
}

fn lock<T>(state: &Mutex<RemoteState<T>>) -> MutexGuard<'_, RemoteState<T>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
