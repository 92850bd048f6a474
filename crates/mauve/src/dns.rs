//! Names of hosts and services.
//!
//! The system's resolver is asked on the thread pool, where it may occupy half of the threads at
//! most. Each question comes in two forms: a future for the loop that runs on this thread, and a
//! method of [`Loop`] with a closure for the answer.
//!
//! ```
//! use mauve::{Loop, dns};
//!
//! let lp: Loop = Loop::new()?;
//! let addresses = lp.block_on(async { dns::resolve("localhost", 80).await })?;
//! assert!(addresses.iter().all(|address| address.ip().is_loopback() && address.port() == 80));
//! # Ok::<(), mauve::Errno>(())
//! ```

use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use mauve_core::pool::Lane;
pub use mauve_sys::net::resolve::Hints;
use mauve_sys::net::resolve::{self, Query};
use mauve_sys::{Errno, Result};

use crate::core::{Core, current};
use crate::task::Blocking;
use crate::{Loop, Work, WorkError};

/// What is asked for at a host: a port, or a service by its name.
///
/// ```
/// use mauve::dns::Service;
///
/// assert_eq!(Service::from(53), Service::Port(53));
/// assert_eq!(Service::from("domain"), Service::Name("domain".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Service {
    /// A port by its number.
    Port(u16),
    /// What the system's list of services knows under this name, or a number in digits.
    Name(String),
}

impl From<u16> for Service {
    fn from(port: u16) -> Self {
        Self::Port(port)
    }
}

impl From<&str> for Service {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

impl From<String> for Service {
    fn from(name: String) -> Self {
        Self::Name(name)
    }
}

/// The names of an address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Names {
    /// The host; in digits if it has no name.
    pub host: String,
    /// The service at its port; in digits if it has no name.
    pub service: String,
}

/// Finds the addresses of a host, each with the port of `service`. A name with letters beyond
/// ASCII is encoded as the domain name system wants it.
///
/// Errors are those of the resolver, such as [`Errno::EAI_NONAME`]; `EINVAL` if the name is
/// empty or too long.
///
/// # Panics
/// Outside of a running loop.
#[doc(alias = "uv_getaddrinfo")]
pub fn resolve(host: &str, service: impl Into<Service>) -> Lookup<Vec<SocketAddr>> {
    Lookup::new(current(), query(host, service.into()), ask)
}

/// Finds the names of an address.
///
/// # Panics
/// Outside of a running loop.
#[doc(alias = "uv_getnameinfo")]
pub fn reverse(address: SocketAddr) -> Lookup<Names> {
    Lookup::new(current(), Ok(address), ask_names)
}

impl<S: 'static> Loop<S> {
    /// Finds the addresses of a host, and calls `found` with them. See [`dns::resolve`].
    ///
    /// ```
    /// use mauve::{Loop, RunMode};
    ///
    /// let lp = Loop::<usize>::new()?;
    /// lp.resolve("127.0.0.1", 53, |count, found| *count = found.unwrap().len())?;
    /// let mut count = 0;
    /// lp.run_with(&mut count, RunMode::Default)?;
    /// assert_eq!(count, 1);
    /// # Ok::<(), mauve::Errno>(())
    /// ```
    ///
    /// [`dns::resolve`]: fn@resolve
    #[doc(alias = "uv_getaddrinfo")]
    pub fn resolve(
        &self,
        host: &str,
        service: impl Into<Service>,
        found: impl FnOnce(&mut S, Result<Vec<SocketAddr>>) + 'static,
    ) -> Result<Work<S>> {
        let query = query(host, service.into())?;
        let work = move || ask(query);
        self.queue_in(Lane::Slow, work, |state, result| found(state, flatten(result)))
    }

    /// [`resolve`](Self::resolve) with a say in what kind of addresses are found.
    pub fn resolve_with(
        &self,
        host: &str,
        service: impl Into<Service>,
        hints: Hints,
        found: impl FnOnce(&mut S, Result<Vec<SocketAddr>>) + 'static,
    ) -> Result<Work<S>> {
        let query = query_with(host, service.into(), Some(hints))?;
        let work = move || ask(query);
        self.queue_in(Lane::Slow, work, |state, result| found(state, flatten(result)))
    }

    /// [`reverse`](Self::reverse), but a host without a name is
    /// [`EAI_NONAME`](Errno::EAI_NONAME).
    pub fn reverse_named(
        &self,
        address: SocketAddr,
        found: impl FnOnce(&mut S, Result<Names>) + 'static,
    ) -> Result<Work<S>> {
        let work = move || ask_known_names(address);
        self.queue_in(Lane::Slow, work, |state, result| found(state, flatten(result)))
    }

    /// Finds the names of an address, and calls `found` with them. See [`dns::reverse`](reverse).
    #[doc(alias = "uv_getnameinfo")]
    pub fn reverse(
        &self,
        address: SocketAddr,
        found: impl FnOnce(&mut S, Result<Names>) + 'static,
    ) -> Result<Work<S>> {
        let work = move || ask_names(address);
        self.queue_in(Lane::Slow, work, |state, result| found(state, flatten(result)))
    }
}

/// A question to the resolver that is on its way. Dropping it does not stop the question.
#[must_use = "the resolver is asked, but its answer is lost, unless this is awaited"]
pub struct Lookup<T>(State<T>);

enum State<T> {
    Asked(Blocking<Result<T>>),
    /// The question made no sense; `None` once that was told.
    Refused(Option<Errno>),
}

impl<T: Send + 'static> Lookup<T> {
    fn new<Q: Send + 'static>(
        core: Rc<Core>,
        question: Result<Q>,
        ask: fn(Q) -> Result<T>,
    ) -> Self {
        Self(match question {
            Ok(question) => State::Asked(Blocking::new(core, Lane::Slow, move || ask(question))),
            Err(error) => State::Refused(Some(error)),
        })
    }

    /// Takes the question back if no thread has begun with it: the future then yields
    /// [`Errno::EAI_CANCELED`]. `EBUSY` if it is too late.
    #[doc(alias = "uv_cancel")]
    pub fn cancel(&self) -> Result<()> {
        match &self.0 {
            State::Asked(asked) => asked.cancel(),
            State::Refused(_) => Err(Errno::EBUSY),
        }
    }
}

impl<T: Send> Future for Lookup<T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T>> {
        match &mut self.0 {
            State::Asked(asked) => Pin::new(asked).poll(context).map(flatten),
            State::Refused(error) => {
                Poll::Ready(Err(error.take().expect("polled after it was ready")))
            }
        }
    }
}

fn query(host: &str, service: Service) -> Result<Query> {
    query_with(host, service, None)
}

fn query_with(host: &str, service: Service, hints: Option<Hints>) -> Result<Query> {
    let service = match service {
        Service::Port(port) => port.to_string(),
        Service::Name(name) => name,
    };
    Query::new(Some(host.as_bytes()), Some(service.as_bytes()), hints)
}

fn ask(query: Query) -> Result<Vec<SocketAddr>> {
    query.resolve().map(|answer| answer.addresses())
}

fn ask_names(address: SocketAddr) -> Result<Names> {
    resolve::reverse_lookup(address, false).map(|(host, service)| Names { host, service })
}

fn ask_known_names(address: SocketAddr) -> Result<Names> {
    resolve::reverse_lookup(address, true).map(|(host, service)| Names { host, service })
}

/// The answer, or why there is none.
fn flatten<T>(result: Result<Result<T>, WorkError>) -> Result<T> {
    match result {
        Ok(answer) => answer,
        Err(WorkError::Cancelled) => Err(Errno::EAI_CANCELED),
        Err(WorkError::NoThread(error)) => Err(error),
        Err(WorkError::Panicked) => Err(Errno::EAI_FAIL),
    }
}
