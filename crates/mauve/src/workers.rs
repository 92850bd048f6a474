//! Many cores: one loop per thread, which share a listening address.
//!
//! Threads share only [`Shared`]: the shutdown request, the wakers of the futures that wait for it,
//! and the ports of the listeners. The kernel distributes connections (`SO_REUSEPORT`).

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::future::{Future, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::thread;
use std::time::Duration;

use mauve_core::unwind::{Payload, catch};

use crate::Loop;
use crate::net::{TcpListener, TcpStream};
use crate::sim::Seeded;
use crate::time::{Instant, VirtualClock, sleep_until};

/// Starts `count` threads with one loop each. Every loop runs the future that `run` returns.
///
/// A server calls [`Worker::listen`] and [`Worker::serve`] in each worker, and the kernel distributes
/// the connections. A worker that panics or returns an error shuts the others down, with a deadline
/// of [30 seconds](Workers::shutdown).
///
/// ```
/// use std::time::Duration;
/// use futures_lite::AsyncWriteExt;
///
/// let workers = mauve::workers(2, async |worker| {
///     let listener = worker.listen("127.0.0.1:0".parse().unwrap())?;
///     worker.serve(listener, async |mut stream| {
///         stream.write_all(b"hello").await.ok();
///     })
///     .await
/// })?;
/// // A server would wait for a signal here.
/// workers.shutdown(Duration::from_secs(5));
/// workers.join()?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// `InvalidInput` if `count` is zero, and the error of starting a thread or creating a loop.
pub fn workers<F>(count: usize, run: F) -> io::Result<Workers>
where
    F: AsyncFn(Worker) -> io::Result<()> + Send + Sync + 'static,
{
    if count == 0 {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the number of workers is zero"));
    }
    let run = Arc::new(run);
    let mut workers =
        Workers { shared: Arc::new(Shared::new()), threads: Vec::with_capacity(count) };
    for index in 0..count {
        let worker = Worker { index, count, shared: workers.shared.clone() };
        let run = run.clone();
        let thread = thread::Builder::new().name(format!("mauve-worker-{index}"));
        match thread.spawn(move || run_worker(worker, &*run)) {
            Ok(thread) => workers.threads.push(thread),
            Err(error) => {
                workers.shutdown(Duration::ZERO);
                workers.wait();
                return Err(error);
            }
        }
    }
    Ok(workers)
}

/// Deadline of the other workers after one has failed.
const FAILURE_DEADLINE: Duration = Duration::from_secs(30);

/// The threads that [`workers`] has started. Dropping it leaves them running.
#[derive(Debug)]
#[must_use = "the workers run until the process exits, unless they are joined"]
pub struct Workers {
    shared: Arc<Shared>,
    threads: Vec<thread::JoinHandle<Outcome>>,
}

/// What a worker's thread returns.
type Outcome = Result<io::Result<()>, Payload>;

impl Workers {
    /// Requests a graceful shutdown: [`Worker::serve`] stops accepting and waits for its connections.
    /// After `deadline`, the loop of a worker that has not returned is dropped with its tasks.
    ///
    /// A later request can only make the deadline earlier.
    pub fn shutdown(&self, deadline: Duration) {
        self.shared.shut_down(deadline);
    }

    /// A handle that requests the shutdown from anywhere, for example from a worker.
    pub fn shutdown_handle(&self) -> ShutdownHandle {
        ShutdownHandle { shared: self.shared.clone() }
    }

    /// Waits for all workers.
    ///
    /// # Errors
    /// The first error of a worker, in the order of their indices. `TimedOut` if a worker had not
    /// returned at the deadline of the [shutdown](Self::shutdown).
    ///
    /// # Panics
    /// Continues the panic of a worker, after all have ended.
    pub fn join(mut self) -> io::Result<()> {
        let mut result = Ok(());
        for outcome in self.wait() {
            match outcome {
                Ok(Ok(())) => {}
                Ok(Err(error)) => result = result.and(Err(error)),
                Err(payload) => std::panic::resume_unwind(payload),
            }
        }
        result
    }

    fn wait(&mut self) -> Vec<Outcome> {
        self.threads.drain(..).map(|thread| thread.join().unwrap_or_else(Err)).collect()
    }
}

/// Requests the shutdown of [workers](Workers), from any thread.
#[derive(Clone, Debug)]
pub struct ShutdownHandle {
    shared: Arc<Shared>,
}

impl ShutdownHandle {
    /// As [`Workers::shutdown`].
    pub fn shutdown(&self, deadline: Duration) {
        self.shared.shut_down(deadline);
    }
}

/// One of the [`workers`]: its index, its listeners, and the shutdown request.
///
/// ```
/// let workers = mauve::workers(2, async |worker| {
///     println!("worker {} of {}", worker.index(), worker.count());
///     Ok(())
/// })?;
/// workers.join()?;
/// # std::io::Result::Ok(())
/// ```
#[derive(Clone, Debug)]
pub struct Worker {
    index: usize,
    count: usize,
    shared: Arc<Shared>,
}

impl Worker {
    /// The index of this worker, from zero.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The number of workers.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Binds to an address and listens. All workers may listen on the same address, and the kernel
    /// distributes connections. With port 0, the workers share the port that the first one gets.
    ///
    /// # Errors
    /// The errors of `bind` and `listen`, such as `AddrInUse`.
    ///
    /// # Panics
    /// Panics if no loop runs on this thread.
    pub fn listen(&self, address: SocketAddr) -> io::Result<TcpListener> {
        if address.port() != 0 {
            return TcpListener::bind_shared(address);
        }
        // The lock is held while binding, so that only one worker binds to port 0.
        let mut state = self.shared.lock();
        let port = state.ports.get(&address).copied().unwrap_or(0);
        let listener = TcpListener::bind_shared(SocketAddr::new(address.ip(), port))?;
        state.ports.insert(address, listener.local_addr()?.port());
        Ok(listener)
    }

    /// Waits until the shutdown is requested.
    ///
    /// # Cancel safety
    /// Nothing is lost if the future is dropped: the next call completes at once if the shutdown was
    /// requested.
    pub async fn shutdown_requested(&self) {
        self.deadline_other_than(None).await;
    }

    /// Accepts connections and spawns `handle` for each, until the shutdown is requested. Then closes
    /// the listener and waits until all connections are handled.
    ///
    /// Connections are accepted with [`TcpListener::accept_next`]. A panic in `handle` ends its
    /// connection only.
    ///
    /// # Errors
    /// The error of a listener that cannot accept any more.
    ///
    /// # Cancel safety
    /// Dropping the future closes the listener. The tasks of accepted connections continue.
    pub async fn serve<H>(&self, listener: TcpListener, handle: H) -> io::Result<()>
    where
        H: AsyncFn(TcpStream) + 'static,
    {
        let handle = Rc::new(handle);
        let open = Rc::new(OpenConnections::default());
        loop {
            match self.until_shutdown(listener.accept_next()).await {
                Some(Ok((stream, _))) => {
                    let (handle, guard) = (handle.clone(), open.add());
                    crate::spawn(async move {
                        let _guard = guard;
                        handle(stream).await;
                    });
                }
                Some(Err(error)) => return Err(error),
                None => break,
            }
        }
        drop(listener);
        open.none_left().await;
        Ok(())
    }

    /// Waits for `future`. `None` if the shutdown is requested first.
    async fn until_shutdown<R>(&self, future: impl Future<Output = R>) -> Option<R> {
        match race(self.shutdown_requested(), future).await {
            First::Left(()) => None,
            First::Right(output) => Some(output),
        }
    }

    /// Waits until the deadline of the shutdown has passed.
    async fn deadline_passed(&self) {
        let mut deadline = self.deadline_other_than(None).await;
        loop {
            let changed = self.deadline_other_than(Some(deadline));
            match race(sleep_until(deadline), changed).await {
                First::Left(()) => return,
                First::Right(earlier) => deadline = earlier,
            }
        }
    }

    /// Waits until there is a deadline other than `known`.
    fn deadline_other_than(&self, known: Option<Instant>) -> DeadlineChange<'_> {
        DeadlineChange { shared: &self.shared, known, key: None }
    }
}

/// Runs a worker on this thread.
fn run_worker(worker: Worker, run: &impl AsyncFn(Worker) -> io::Result<()>) -> Outcome {
    let shared = worker.shared.clone();
    let outcome = catch(|| {
        let mut builder = Loop::builder();
        if let Some(clock) = &shared.clock {
            builder = builder.clock(clock.clone());
        }
        let lp: Loop = builder.simulation(shared.simulation.clone()).build()?;
        lp.block_on(async {
            match race(run(worker.clone()), worker.deadline_passed()).await {
                First::Left(result) => result,
                First::Right(()) => Err(io::ErrorKind::TimedOut.into()),
            }
        })
    });
    if !matches!(outcome, Ok(Ok(()))) {
        shared.shut_down(FAILURE_DEADLINE);
    }
    outcome
}

/// The output of the future that completed first.
enum First<A, B> {
    Left(A),
    Right(B),
}

/// Waits for the first of two futures. If both are ready, it is the left one.
async fn race<A: Future, B: Future>(left: A, right: B) -> First<A::Output, B::Output> {
    let (mut left, mut right) = (pin!(left), pin!(right));
    poll_fn(|context| {
        if let Poll::Ready(output) = left.as_mut().poll(context) {
            return Poll::Ready(First::Left(output));
        }
        right.as_mut().poll(context).map(First::Right)
    })
    .await
}

/// What the threads share.
struct Shared {
    /// The clock of the loop that has started them, if it is virtual.
    clock: Option<VirtualClock>,
    /// The simulation of that loop.
    simulation: Option<Seeded>,
    state: Mutex<SharedState>,
}

#[derive(Default)]
struct SharedState {
    /// Set by a request to shut down.
    deadline: Option<Instant>,
    /// The wakers of the pending [`DeadlineChange`]s.
    wakers: HashMap<u64, Waker>,
    next_key: u64,
    /// The ports of the listeners that were bound to port 0, by the requested address.
    ports: HashMap<SocketAddr, u16>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, SharedState> {
        // No operation on the state leaves it inconsistent when it panics.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn new() -> Self {
        Self {
            clock: VirtualClock::current(),
            simulation: Seeded::current(),
            state: Mutex::default(),
        }
    }

    /// Sets the deadline to the end of `duration`, unless an earlier one is set.
    fn shut_down(&self, duration: Duration) {
        let now = self.clock.as_ref().map_or_else(Instant::now, VirtualClock::now);
        let deadline = now.after(duration);
        let mut state = self.lock();
        if state.deadline.is_some_and(|earlier| earlier <= deadline) {
            return;
        }
        state.deadline = Some(deadline);
        let wakers = std::mem::take(&mut state.wakers);
        drop(state);
        wakers.into_values().for_each(Waker::wake);
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("deadline", &self.lock().deadline).finish_non_exhaustive()
    }
}

/// The future of [`Worker::deadline_other_than`].
struct DeadlineChange<'a> {
    shared: &'a Shared,
    known: Option<Instant>,
    /// The key of its waker, once it was polled.
    key: Option<u64>,
}

impl Future for DeadlineChange<'_> {
    type Output = Instant;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Instant> {
        let mut state = self.shared.lock();
        if let Some(deadline) = state.deadline
            && self.known != Some(deadline)
        {
            return Poll::Ready(deadline);
        }
        let key = self.key.unwrap_or(state.next_key);
        if self.key.is_none() {
            state.next_key += 1;
        }
        let replaced = state.wakers.insert(key, context.waker().clone());
        // Dropping a waker runs code of the executor: not under the lock.
        drop(state);
        drop(replaced);
        self.key = Some(key);
        Poll::Pending
    }
}

impl Drop for DeadlineChange<'_> {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            let waker = self.shared.lock().wakers.remove(&key);
            drop(waker);
        }
    }
}

/// The number of connections that a [`Worker::serve`] handles.
#[derive(Default)]
struct OpenConnections {
    count: Cell<usize>,
    /// Woken when the last one is handled.
    waker: RefCell<Option<Waker>>,
}

impl OpenConnections {
    fn add(self: &Rc<Self>) -> OpenGuard {
        self.count.set(self.count.get() + 1);
        OpenGuard(self.clone())
    }

    /// Waits until no connection is open.
    async fn none_left(&self) {
        poll_fn(|context| {
            if self.count.get() == 0 {
                return Poll::Ready(());
            }
            self.waker.replace(Some(context.waker().clone()));
            Poll::Pending
        })
        .await;
    }
}

/// Counts one connection until dropped.
struct OpenGuard(Rc<OpenConnections>);

impl Drop for OpenGuard {
    fn drop(&mut self) {
        let open = &self.0;
        open.count.set(open.count.get() - 1);
        if open.count.get() == 0
            && let Some(waker) = open.waker.take()
        {
            waker.wake();
        }
    }
}
