//! Conversion of socket addresses: JavaScript uses a string, a family and a port.

use std::net::{IpAddr, Ipv6Addr, SocketAddr, SocketAddrV6};

use mauve::Errno;
use rquickjs::{Array, Ctx, Result};
use rustix::net::netdevice;

/// Parses an address. An IPv6 address may have a scope after a percent sign: the number or the name
/// of an interface.
pub(super) fn parse(text: &str, port: u16) -> mauve::Result<SocketAddr> {
    if let Ok(ip) = text.parse::<IpAddr>() {
        return Ok(SocketAddr::new(ip, port));
    }
    let (ip, scope) = text.split_once('%').ok_or(Errno::EINVAL)?;
    let ip: Ipv6Addr = ip.parse().map_err(|_| Errno::EINVAL)?;
    let scope = match scope.parse() {
        Ok(number) => number,
        // As in libuv, an unknown interface is the default one.
        Err(_) => netdevice::name_to_index(&any_socket()?, scope).unwrap_or(0),
    };
    Ok(SocketAddrV6::new(ip, port, 0, scope).into())
}

/// A socket for queries about interfaces.
fn any_socket() -> mauve::Result<std::os::fd::OwnedFd> {
    use rustix::net::{AddressFamily, SocketType, socket};
    socket(AddressFamily::INET, SocketType::DGRAM, None)
        .map_err(|error| Errno::from_raw(error.raw_os_error()))
}

/// Returns 4 or 6, or 0 for an invalid address. A scope is allowed in an IPv6 address.
pub(super) fn version(text: &str) -> u8 {
    match text.parse::<IpAddr>() {
        Ok(IpAddr::V4(_)) => 4,
        Ok(IpAddr::V6(_)) => 6,
        Err(_) => match text.split_once('%') {
            Some((ip, zone)) if is_zone(zone) && ip.parse::<Ipv6Addr>().is_ok() => 6,
            _ => 0,
        },
    }
}

/// The bits of an address as hexadecimal digits, without its scope. An IPv4 address is mapped to IPv6.
pub(super) fn bits(text: &str) -> String {
    let ip =
        text.split('%').next().unwrap_or_default().parse().unwrap_or(Ipv6Addr::UNSPECIFIED.into());
    let mapped = match ip {
        IpAddr::V4(ip) => ip.to_ipv6_mapped(),
        IpAddr::V6(ip) => ip,
    };
    format!("{:x}", mapped.to_bits())
}

fn is_zone(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | ':'))
}

/// Returns `[address, family, port]`.
pub(super) fn array<'js>(ctx: &Ctx<'js>, address: SocketAddr) -> Result<Array<'js>> {
    let array = Array::new(ctx.clone())?;
    array.set(0, address_text(address))?;
    array.set(1, if address.is_ipv4() { 4 } else { 6 })?;
    array.set(2, address.port())?;
    Ok(array)
}

/// Returns the address without the port. A link-local address has the name of its interface.
pub(super) fn address_text(address: SocketAddr) -> String {
    let ip = address.ip().to_string();
    let scope = match address {
        SocketAddr::V6(v6) if v6.ip().is_unicast_link_local() => v6.scope_id(),
        _ => 0,
    };
    let name = (scope != 0).then(|| netdevice::index_to_name(any_socket().ok()?, scope).ok());
    name.flatten().map_or(ip.clone(), |name| format!("{ip}%{name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_recognises_ipv4_and_ipv6_addresses() {
        assert_eq!(version("127.0.0.1"), 4);
        assert_eq!(version("::1"), 6);
        assert_eq!(version("fe80::1%eth0"), 6);
        assert_eq!(version("127.0.0.1%eth0"), 0);
        assert_eq!(version("127.1"), 0);
        assert_eq!(version(""), 0);
    }

    #[test]
    fn a_numeric_scope_is_parsed() {
        let address = parse("fe80::1%3", 80).unwrap();
        assert!(matches!(address, SocketAddr::V6(address) if address.scope_id() == 3));
        assert_eq!(parse("nonsense", 80), Err(Errno::EINVAL));
    }
}
