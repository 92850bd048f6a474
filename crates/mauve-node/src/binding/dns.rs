//! Names of hosts, by the system's resolver.

use std::net::SocketAddr;

use mauve::Errno;
use mauve::dns::AddrInfoHints;
use rquickjs::{Object, Result};

use super::stream::{Callback, code};
use super::{address, functions, number};
use crate::host::current;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "lookup" => |host: String, family: i32, flags: i32, callback: Callback| {
            code(lookup(&host, family, flags, callback))
        },
        "lookupService" => |address: String, port: u16, callback: Callback| {
            code(lookup_service(&address, port, callback))
        },
    });
    object.set("ADDRCONFIG", libc::AI_ADDRCONFIG)?;
    object.set("ALL", libc::AI_ALL)?;
    object.set("V4MAPPED", libc::AI_V4MAPPED)?;
    Ok(())
}

/// Calls back with zero and the addresses as the resolver orders them.
fn lookup(host: &str, family: i32, flags: i32, callback: Callback) -> mauve::Result<()> {
    let family = match family {
        0 => libc::AF_UNSPEC,
        4 => libc::AF_INET,
        6 => libc::AF_INET6,
        _ => return Err(Errno::EAI_FAMILY),
    };
    let hints = AddrInfoHints { flags, family, socktype: libc::SOCK_STREAM, protocol: 0 };
    let tell = move |(): &mut (), found: mauve::Result<Vec<SocketAddr>>| {
        current().call_back(&callback, |_, args| match found {
            Ok(found) => {
                args.push_arg(0)?;
                args.push_arg(found.into_iter().map(address::address_text).collect::<Vec<_>>())
            }
            Err(error) => args.push_arg(number(error)),
        });
    };
    // An answer is not called off: a script that no longer wants it ignores it.
    current().lp.lookup_host_with(host, 0, hints, tell).map(drop)
}

/// Calls back with zero, the host and the service.
fn lookup_service(text: &str, port: u16, callback: Callback) -> mauve::Result<()> {
    let address = address::parse(text, port)?;
    let tell = move |(): &mut (), names: mauve::Result<mauve::dns::NameInfo>| {
        current().call_back(&callback, |_, args| match names {
            Ok(names) => {
                args.push_arg(0)?;
                args.push_arg(names.host)?;
                args.push_arg(names.service)
            }
            Err(error) => args.push_arg(number(error)),
        });
    };
    current().lp.lookup_addr_named(address, tell).map(drop)
}
