//! Tests under many legal orders of events.
//!
//! Ready events, finished jobs and woken tasks have no promised order, and a read may return any part of what
//! was sent. A test sees the usual order only. [`run`] repeats it with others, each drawn from a
//! number, the *seed*. Time is [virtual](crate::time::pause), so the test sleeps and times out at once.
//!
//! ```
//! use std::time::Duration;
//!
//! mauve::sim::run(1..=20, async || {
//!     let job = mauve::spawn_blocking(|| 6 * 7);
//!     let result = mauve::timeout(Duration::from_secs(3600), job).await;
//!     assert_eq!(result.unwrap(), Ok(42));
//! });
//! ```
//!
//! The attribute `#[mauve::test(sim)]` does so for a test:
//!
//! ```
//! #[mauve::test(sim)]
//! async fn each_order_has_the_same_sum() {
//!     let jobs = [1, 2, 3].map(|n| mauve::spawn_blocking(move || n));
//!     let mut sum = 0;
//!     for job in jobs {
//!         sum += job.await.unwrap();
//!     }
//!     assert_eq!(sum, 6);
//! }
//! ```
//!
//! If a run panics, the message has its seed. With that number in the environment variable
//! `MAUVE_TEST_SEED`, only this run is repeated. What does not depend on threads or random numbers of
//! the test then does the same.
//!
//! Calls can fail, too: [`run_with_faults`], or `#[mauve::test(sim, faults = 0.01)]`.
//!
//! Loops that the test creates, and its [workers](crate::workers()), have the same clock and the same source of
//! decisions. `mauve sim` does this for whole programs, and says which decisions a failure needs.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use mauve_core::schedule::{FaultRates, Simulation};

use crate::core::{Core, with_current};
use crate::macro_support;
use crate::time::VirtualClock;
use crate::{Loop, PanicPayload};

/// The environment variable with the only seed to run.
const SEED: &str = "MAUVE_TEST_SEED";

/// Runs `test` on a new loop for each seed.
///
/// # Panics
/// Panics with the first seed whose run panics, or returns an error.
#[track_caller]
pub fn run<F: AsyncFn() -> T, T: Outcome>(seeds: impl IntoIterator<Item = u64>, test: F) {
    run_seeds(seeds, Faults::default(), test);
}

/// As [`run`], and lets calls fail.
///
/// ```
/// use std::io;
/// use mauve::net::{TcpListener, TcpStream};
/// use mauve::sim::{Faults, run_with_faults};
///
/// run_with_faults(1..=20, Faults::default().net(0.2), async || {
///     let listener = TcpListener::bind("127.0.0.1:0").await?;
///     let address = listener.local_addr()?;
///     // The first attempt may be refused or time out.
///     while let Err(error) = TcpStream::connect(address).await {
///         assert!(matches!(error.kind(), io::ErrorKind::ConnectionRefused | io::ErrorKind::TimedOut));
///     }
///     io::Result::Ok(())
/// });
/// ```
///
/// # Panics
/// Panics with the first seed whose run panics, or returns an error.
#[track_caller]
pub fn run_with_faults<F: AsyncFn() -> T, T: Outcome>(
    seeds: impl IntoIterator<Item = u64>,
    faults: Faults,
    test: F,
) {
    run_seeds(seeds, faults, test);
}

/// How likely calls fail, each from 0 to 1. Each fails with an error that the system documents for it, as under
/// `mauve sim --faults`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Faults(FaultRates);

impl Faults {
    /// All calls fail this often.
    #[must_use]
    pub const fn all(rate: f64) -> Self {
        Self(FaultRates::all(rate))
    }

    /// Accepting, connecting, receiving and sending fail this often, and datagrams get lost.
    #[must_use]
    pub const fn net(self, rate: f64) -> Self {
        Self(FaultRates { net: rate, ..self.0 })
    }

    /// Calls on files fail this often.
    #[must_use]
    pub const fn fs(self, rate: f64) -> Self {
        Self(FaultRates { fs: rate, ..self.0 })
    }

    /// Resolving names fails this often.
    #[must_use]
    pub const fn dns(self, rate: f64) -> Self {
        Self(FaultRates { dns: rate, ..self.0 })
    }

    /// Children are killed this often.
    #[must_use]
    pub const fn child(self, rate: f64) -> Self {
        Self(FaultRates { child: rate, ..self.0 })
    }
}

/// Returns what the last run returns. `None` without seeds.
#[track_caller]
pub(crate) fn run_seeds<F: AsyncFn() -> T, T: Outcome>(
    seeds: impl IntoIterator<Item = u64>,
    faults: Faults,
    test: F,
) -> Option<T> {
    if let Ok(only) = std::env::var(SEED) {
        let Ok(seed) = only.parse() else { panic!("{SEED} is no number: {only}") };
        return Some(run_seed(seed, faults, &test));
    }
    let mut last = None;
    for seed in seeds {
        last = Some(run_seed(seed, faults, &test));
    }
    last
}

#[track_caller]
fn run_seed<T: Outcome>(seed: u64, faults: Faults, test: &impl AsyncFn() -> T) -> T {
    let simulation = Seeded(Arc::new(Simulation::seeded(seed).with_faults(faults.0)));
    let lp = Loop::builder().clock(VirtualClock::paused()).simulation(Some(simulation)).build();
    let failure = match catch_unwind(AssertUnwindSafe(|| macro_support::run(lp, test()))) {
        Ok(outcome) => match outcome.failure() {
            Some(error) => error,
            None => return outcome,
        },
        Err(payload) => {
            let payload = PanicPayload::new(payload);
            match payload.message() {
                Some(message) => message,
                // The caller may know what it is.
                None => resume_unwind(payload.into_inner()),
            }
        }
    };
    panic!("seed {seed} fails: {failure}\nrepeat it with {SEED}={seed}");
}

/// What a test returns: nothing, or a result.
pub trait Outcome: sealed::Sealed {
    /// The error.
    #[doc(hidden)]
    fn failure(&self) -> Option<String>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for () {}
    impl<T, E> Sealed for Result<T, E> {}
}

impl Outcome for () {
    fn failure(&self) -> Option<String> {
        None
    }
}

impl<T, E: std::fmt::Debug> Outcome for Result<T, E> {
    fn failure(&self) -> Option<String> {
        self.as_ref().err().map(|error| format!("{error:?}"))
    }
}

/// The source of the decisions of a loop.
#[derive(Clone)]
pub(crate) struct Seeded(Arc<Simulation>);

impl Seeded {
    /// That of the loop which runs on this thread.
    pub fn current() -> Option<Self> {
        let simulation = |core: &Core| core.engine(|engine| engine.simulation().cloned());
        with_current(simulation).flatten().map(Self)
    }

    /// Gives it to a loop that was just created.
    pub fn set(self, core: &Core) {
        core.engine(|engine| engine.set_schedule(self.0));
    }
}

impl std::fmt::Debug for Seeded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seeded").finish_non_exhaustive()
    }
}
