//! `getaddrinfo` and `getnameinfo`.

use std::net::SocketAddr;

use mauve::Errno;
use mauve::dns::AddrInfoHints;
use rquickjs::{Object, Result};

use super::stream::{Callback, code};
use super::{address, define, number};
use crate::host::current;
use crate::host::text::Text;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "lookup", |Text(host): Text, family: i32, flags: i32, callback: Callback| {
        code(lookup(&host, family, flags, callback))
    })?;
    define(object, "lookupService", |Text(address): Text, port: u16, callback: Callback| {
        code(lookup_service(&address, port, callback))
    })?;
    super::dns_message::fill(object)?;
    object.set("ADDRCONFIG", libc::AI_ADDRCONFIG)?;
    object.set("ALL", libc::AI_ALL)?;
    object.set("V4MAPPED", libc::AI_V4MAPPED)?;
    Ok(())
}

/// Calls back with 0 and the addresses in the order of the resolver, or with an errno.
fn lookup(host: &str, family: i32, flags: i32, callback: Callback) -> mauve::Result<()> {
    let family = match family {
        0 => libc::AF_UNSPEC,
        4 => libc::AF_INET,
        6 => libc::AF_INET6,
        _ => return Err(Errno::EAI_FAMILY),
    };
    // Node looks up the empty name instead of one that cannot be encoded, which is an error.
    if idna::domain_to_ascii(host).is_err() {
        return Err(Errno::EINVAL);
    }
    let hints = AddrInfoHints { flags, family, socktype: libc::SOCK_STREAM, protocol: 0 };
    let on_result = move |(): &mut (), found: mauve::Result<Vec<SocketAddr>>| {
        current().call_back(&callback, |_, args| match found {
            Ok(found) => {
                args.push_arg(0)?;
                args.push_arg(found.into_iter().map(address::address_text).collect::<Vec<_>>())
            }
            Err(error) => args.push_arg(number(error)),
        });
    };
    // The request is never cancelled. A script that no longer needs the result ignores it.
    current().lp.lookup_host_with(host, 0, hints, on_result).map(drop)
}

/// Calls back with 0, the host name and the service name, or with an errno.
fn lookup_service(text: &str, port: u16, callback: Callback) -> mauve::Result<()> {
    let address = address::parse(text, port)?;
    let on_result = move |(): &mut (), names: mauve::Result<mauve::dns::NameInfo>| {
        current().call_back(&callback, |_, args| match names {
            Ok(names) => {
                args.push_arg(0)?;
                args.push_arg(names.host)?;
                args.push_arg(names.service)
            }
            Err(error) => args.push_arg(number(error)),
        });
    };
    current().lp.lookup_addr_named(address, on_result).map(drop)
}
