//! Host names and service names.
//!
//! Lookups call the system's resolver on the thread pool, where they occupy at most half of the
//! threads. Each lookup has two forms: a function that returns a future, for tasks, and a method of
//! [`Loop`](crate::Loop) that takes a callback.
//!
//! ```
//! use mauve::{Loop, dns};
//!
//! let lp: Loop = Loop::new()?;
//! let addresses = lp.block_on(async { dns::lookup_host("localhost", 80).await })?;
//! assert!(addresses.iter().all(|address| address.ip().is_loopback() && address.port() == 80));
//! # Ok::<(), mauve::Errno>(())
//! ```

use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use mauve_core::pool::Lane;
#[doc(inline)]
pub use mauve_sys::net::resolve::AddrInfoHints;
use mauve_sys::net::resolve::{self, Query};
use mauve_sys::{Errno, Result};

use crate::core::{Core, current};
use crate::task::BlockingTask;
use crate::{LoopRef, WorkError, WorkRequest};

/// A port, by number or by the name of its service.
///
/// ```
/// use mauve::dns::Service;
///
/// assert_eq!(Service::from(53), Service::Port(53));
/// assert_eq!(Service::from("domain"), Service::Name("domain".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Service {
    /// A port number.
    Port(u16),
    /// A service name, as in `/etc/services`, or a decimal port number.
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

/// The host name and service name of a socket address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct NameInfo {
    /// The host name, or the numeric address if it has none.
    pub host: String,
    /// The service name, or the port number if it has none.
    pub service: String,
}

/// Looks up the addresses of a host, each with the port of `service`. A name that is not ASCII is
/// converted to its IDNA form.
///
/// Errors are those of the resolver, such as [`Errno::EAI_NONAME`]: `Errno::from` converts the
/// `io::Error`. `EINVAL` if the name is empty or too long.
///
/// # Panics
/// Panics if no loop runs on this thread.
#[doc(alias = "uv_getaddrinfo")]
pub fn lookup_host(host: &str, service: impl Into<Service>) -> Lookup<Vec<SocketAddr>> {
    Lookup::new(current(), query(host, service.into()), addresses)
}

/// Looks up the host name and service name of an address.
///
/// ```
/// # #[mauve::main]
/// # async fn main() -> std::io::Result<()> {
/// let names = mauve::dns::lookup_addr(([127, 0, 0, 1], 80).into()).await?;
/// println!("{} {}", names.host, names.service);
/// # Ok(())
/// # }
/// ```
///
/// # Panics
/// Panics if no loop runs on this thread.
#[doc(alias = "uv_getnameinfo")]
pub fn lookup_addr(address: SocketAddr) -> Lookup<NameInfo> {
    Lookup::new(current(), Ok(address), names)
}

impl<S: 'static> LoopRef<S> {
    /// Looks up the addresses of a host and calls `callback` with them. See [`dns::lookup_host`].
    ///
    /// [`dns::lookup_host`]: lookup_host
    #[doc(alias = "uv_getaddrinfo")]
    #[track_caller]
    pub fn lookup_host(
        &self,
        host: &str,
        service: impl Into<Service>,
        callback: impl FnOnce(&mut S, Result<Vec<SocketAddr>>) + 'static,
    ) -> Result<WorkRequest<S>> {
        self.look_up(query(host, service.into())?, addresses, callback)
    }

    /// [`lookup_host`](Self::lookup_host), restricted by `hints`.
    #[track_caller]
    pub fn lookup_host_with(
        &self,
        host: &str,
        service: impl Into<Service>,
        hints: AddrInfoHints,
        callback: impl FnOnce(&mut S, Result<Vec<SocketAddr>>) + 'static,
    ) -> Result<WorkRequest<S>> {
        self.look_up(query_with(host, service.into(), Some(hints))?, addresses, callback)
    }

    /// [`lookup_addr`](Self::lookup_addr), but fails with [`EAI_NONAME`](Errno::EAI_NONAME) if the
    /// host has no name.
    #[doc(alias = "NI_NAMEREQD")]
    #[track_caller]
    pub fn lookup_addr_named(
        &self,
        address: SocketAddr,
        callback: impl FnOnce(&mut S, Result<NameInfo>) + 'static,
    ) -> Result<WorkRequest<S>> {
        self.look_up(address, required_names, callback)
    }

    /// Looks up the names of an address and calls `callback` with them. See
    /// [`dns::lookup_addr`](lookup_addr).
    #[doc(alias = "uv_getnameinfo")]
    #[track_caller]
    pub fn lookup_addr(
        &self,
        address: SocketAddr,
        callback: impl FnOnce(&mut S, Result<NameInfo>) + 'static,
    ) -> Result<WorkRequest<S>> {
        self.look_up(address, names, callback)
    }

    #[track_caller]
    fn look_up<Q: Send + 'static, T: Send + 'static>(
        &self,
        query: Q,
        lookup: fn(Q) -> Result<T>,
        callback: impl FnOnce(&mut S, Result<T>) + 'static,
    ) -> Result<WorkRequest<S>> {
        let work = move || lookup(query);
        self.queue_work_in(Lane::Slow, work, |state, result| callback(state, flatten(result)))
    }
}

/// A lookup in progress, as a future. Dropping it does not stop the lookup.
#[must_use = "the lookup runs, but its result is lost unless this is awaited"]
pub struct Lookup<T>(LookupState<T>);

impl<T> std::fmt::Debug for Lookup<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lookup").finish_non_exhaustive()
    }
}

enum LookupState<T> {
    Submitted(BlockingTask<Result<T>>),
    /// The arguments were invalid. `None` once the error was returned.
    Invalid(Option<Errno>),
}

impl<T: Send + 'static> Lookup<T> {
    fn new<Q: Send + 'static>(
        core: Rc<Core>,
        query: Result<Q>,
        lookup: fn(Q) -> Result<T>,
    ) -> Self {
        Self(match query {
            Ok(query) => {
                LookupState::Submitted(BlockingTask::new(core, Lane::Slow, move || lookup(query)))
            }
            Err(error) => LookupState::Invalid(Some(error)),
        })
    }

    /// Cancels the lookup if no thread has started it. The future then returns
    /// [`Errno::EAI_CANCELED`]. `EBUSY` if the lookup was started.
    ///
    /// ```
    /// # #[mauve::main]
    /// # async fn main() -> std::io::Result<()> {
    /// let lookup = mauve::dns::lookup_host("127.0.0.1", 80);
    /// match lookup.cancel() {
    ///     Ok(()) => assert!(lookup.await.is_err()),
    ///     // A thread has started it already.
    ///     Err(_busy) => assert!(lookup.await.is_ok()),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[doc(alias = "uv_cancel")]
    pub fn cancel(&self) -> io::Result<()> {
        match &self.0 {
            LookupState::Submitted(task) => task.cancel(),
            LookupState::Invalid(_) => Err(Errno::EBUSY.into()),
        }
    }
}

impl<T: Send> Future for Lookup<T> {
    type Output = io::Result<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        match &mut self.0 {
            LookupState::Submitted(task) => {
                Pin::new(task).poll(context).map(|result| Ok(flatten(result)?))
            }
            LookupState::Invalid(error) => {
                let error = error.take().expect("`Lookup` polled after completion");
                Poll::Ready(Err(error.into()))
            }
        }
    }
}

fn query(host: &str, service: Service) -> Result<Query> {
    query_with(host, service, None)
}

fn query_with(host: &str, service: Service, hints: Option<AddrInfoHints>) -> Result<Query> {
    let service = match service {
        Service::Port(port) => port.to_string(),
        Service::Name(name) => name,
    };
    Query::new(Some(host.as_bytes()), Some(service.as_bytes()), hints)
}

fn addresses(query: Query) -> Result<Vec<SocketAddr>> {
    query.resolve().map(|answer| answer.addresses())
}

fn names(address: SocketAddr) -> Result<NameInfo> {
    resolve::reverse_lookup(address, false).map(|(host, service)| NameInfo { host, service })
}

fn required_names(address: SocketAddr) -> Result<NameInfo> {
    resolve::reverse_lookup(address, true).map(|(host, service)| NameInfo { host, service })
}

/// Merges the error of the pool into that of the lookup.
fn flatten<T>(result: Result<Result<T>, WorkError>) -> Result<T> {
    match result {
        Ok(result) => result,
        Err(WorkError::Cancelled) => Err(Errno::EAI_CANCELED),
        Err(WorkError::NoThread(error)) => Err(error),
        Err(WorkError::Panicked(_)) => Err(Errno::EAI_FAIL),
    }
}
