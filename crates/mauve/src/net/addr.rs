//! Socket addresses, and names that resolve to them.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

use self::sealed::{Resolution, Resolve};
use crate::dns;

/// Converts to one or more socket addresses, as [`std::net::ToSocketAddrs`] does.
///
/// Host names are looked up on the thread pool, so the loop does not block. The trait is sealed. It
/// is implemented for these types, and for references to them:
///
/// * [`SocketAddr`], [`SocketAddrV4`], [`SocketAddrV6`], and slices of `SocketAddr`,
/// * an IP address with a port, such as `(Ipv4Addr::LOCALHOST, 80)`,
/// * a host name or IP address with a port, such as `("example.com", 80)`,
/// * `&str` and [`String`], such as `"example.com:80"` and `"[::1]:80"`.
///
/// ```
/// use mauve::Loop;
/// use mauve::net::{TcpListener, TcpStream};
///
/// let lp: Loop = Loop::new()?;
/// lp.block_on(async {
///     let listener = TcpListener::bind("127.0.0.1:0").await?;
///     let port = listener.local_addr()?.port();
///     let stream = TcpStream::connect(("localhost", port)).await?;
///     assert_eq!(stream.peer_addr()?, listener.local_addr()?);
///     std::io::Result::Ok(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait ToSocketAddrs: Resolve {}

mod sealed {
    use std::io;
    use std::net::SocketAddr;

    use crate::dns::Lookup;

    pub trait Resolve {
        /// Starts to resolve the address. Does not block.
        fn resolve(&self) -> Resolution;
    }

    /// The addresses, or the lookup that finds them.
    #[derive(Debug)]
    pub enum Resolution {
        One(SocketAddr),
        Many(Vec<SocketAddr>),
        Lookup(Lookup<Vec<SocketAddr>>),
        Invalid(io::Error),
    }
}

impl Resolution {
    fn invalid(message: &'static str) -> Self {
        Self::Invalid(io::Error::new(ErrorKind::InvalidInput, message))
    }

    async fn addresses(self) -> io::Result<Vec<SocketAddr>> {
        match self {
            Self::One(address) => Ok(vec![address]),
            Self::Many(addresses) => Ok(addresses),
            Self::Lookup(lookup) => lookup.await,
            Self::Invalid(error) => Err(error),
        }
    }

    /// The addresses of a host.
    fn of_host(host: &str, port: u16) -> Self {
        match host.parse::<IpAddr>() {
            Ok(ip) => Self::One((ip, port).into()),
            Err(_) => Self::Lookup(dns::lookup_host(host, port)),
        }
    }
}

/// Calls `attempt` with each address in turn, until it succeeds. Otherwise returns the last error.
pub(super) async fn try_each<T>(
    addresses: impl ToSocketAddrs,
    mut attempt: impl AsyncFnMut(SocketAddr) -> io::Result<T>,
) -> io::Result<T> {
    let addresses = match addresses.resolve() {
        // The common case needs no list.
        Resolution::One(address) => return attempt(address).await,
        resolution => resolution.addresses().await?,
    };
    let mut last = none_found();
    for address in addresses {
        match attempt(address).await {
            Ok(value) => return Ok(value),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// The address if there is one, which is the common case. Otherwise what [`first`] waits for.
#[inline]
pub(super) fn only(addresses: impl ToSocketAddrs) -> Result<SocketAddr, Resolution> {
    match addresses.resolve() {
        Resolution::One(address) => Ok(address),
        resolution => Err(resolution),
    }
}

/// The first address.
pub(super) async fn first(resolution: Resolution) -> io::Result<SocketAddr> {
    let first = resolution.addresses().await?.into_iter().next();
    first.ok_or_else(none_found)
}

fn none_found() -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, "no address was found")
}

macro_rules! convert_into_one {
    ($($address:ty),*) => {$(
        impl ToSocketAddrs for $address {}
        impl Resolve for $address {
            fn resolve(&self) -> Resolution {
                Resolution::One((*self).into())
            }
        }
    )*};
}

convert_into_one!(
    SocketAddr,
    SocketAddrV4,
    SocketAddrV6,
    (IpAddr, u16),
    (Ipv4Addr, u16),
    (Ipv6Addr, u16)
);

impl ToSocketAddrs for [SocketAddr] {}
impl Resolve for [SocketAddr] {
    fn resolve(&self) -> Resolution {
        Resolution::Many(self.to_vec())
    }
}

impl<const N: usize> ToSocketAddrs for [SocketAddr; N] {}
impl<const N: usize> Resolve for [SocketAddr; N] {
    fn resolve(&self) -> Resolution {
        self[..].resolve()
    }
}

impl ToSocketAddrs for (&str, u16) {}
impl Resolve for (&str, u16) {
    fn resolve(&self) -> Resolution {
        Resolution::of_host(self.0, self.1)
    }
}

impl ToSocketAddrs for (String, u16) {}
impl Resolve for (String, u16) {
    fn resolve(&self) -> Resolution {
        Resolution::of_host(&self.0, self.1)
    }
}

impl ToSocketAddrs for str {}
impl Resolve for str {
    fn resolve(&self) -> Resolution {
        if let Ok(address) = self.parse() {
            return Resolution::One(address);
        }
        let Some((host, port)) = self.rsplit_once(':') else {
            return Resolution::invalid("the address has no port");
        };
        match port.parse() {
            Ok(port) => Resolution::of_host(host, port),
            Err(_) => Resolution::invalid("the port is not a number"),
        }
    }
}

impl ToSocketAddrs for String {}
impl Resolve for String {
    fn resolve(&self) -> Resolution {
        self[..].resolve()
    }
}

impl<T: ToSocketAddrs + ?Sized> ToSocketAddrs for &T {}
impl<T: Resolve + ?Sized> Resolve for &T {
    fn resolve(&self) -> Resolution {
        (**self).resolve()
    }
}
