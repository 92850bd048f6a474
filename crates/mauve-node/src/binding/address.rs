//! Internet addresses as JavaScript has them: a text, a family and a port.

use std::net::{IpAddr, Ipv6Addr, SocketAddr, SocketAddrV6};

use mauve::Errno;
use rquickjs::{Array, Ctx, Result};

/// An address out of its text. An IPv6 address may name its interface after a percent sign, by
/// its number.
pub(super) fn parse(text: &str, port: u16) -> mauve::Result<SocketAddr> {
    if let Ok(ip) = text.parse::<IpAddr>() {
        return Ok(SocketAddr::new(ip, port));
    }
    let (ip, scope) = text.split_once('%').ok_or(Errno::EINVAL)?;
    let ip: Ipv6Addr = ip.parse().map_err(|_| Errno::EINVAL)?;
    let scope = match scope.parse() {
        Ok(number) => number,
        Err(_) => rustix::net::netdevice::name_to_index(
            &rustix::net::socket(
                rustix::net::AddressFamily::INET,
                rustix::net::SocketType::DGRAM,
                None,
            )
            .map_err(|error| Errno::from_raw(error.raw_os_error()))?,
            scope,
        )
        .map_err(|_| Errno::EINVAL)?,
    };
    Ok(SocketAddrV6::new(ip, port, 0, scope).into())
}

/// 4, 6, or 0 for what is no address. The name of an interface makes no difference.
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

fn is_zone(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | ':'))
}

/// `[address, family, port]`.
pub(super) fn array<'js>(ctx: &Ctx<'js>, address: SocketAddr) -> Result<Array<'js>> {
    let array = Array::new(ctx.clone())?;
    array.set(0, address_text(address))?;
    array.set(1, if address.is_ipv4() { 4 } else { 6 })?;
    array.set(2, address.port())?;
    Ok(array)
}

/// The address alone.
pub(super) fn address_text(address: SocketAddr) -> String {
    address.ip().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_known_by_its_version() {
        assert_eq!(version("127.0.0.1"), 4);
        assert_eq!(version("::1"), 6);
        assert_eq!(version("fe80::1%eth0"), 6);
        assert_eq!(version("127.0.0.1%eth0"), 0);
        assert_eq!(version("127.1"), 0);
        assert_eq!(version(""), 0);
    }

    #[test]
    fn a_numbered_interface_is_kept() {
        let address = parse("fe80::1%3", 80).unwrap();
        assert!(matches!(address, SocketAddr::V6(address) if address.scope_id() == 3));
        assert_eq!(parse("nonsense", 80), Err(Errno::EINVAL));
    }
}
