//! Information about the system, its resources and the current user.

use std::ffi::{CStr, CString};

use mauve_sys::os::{cpu, machine, memory, paths, process, users};
use rquickjs::function::Opt;
use rquickjs::{Array, Ctx, Object, Result};

use super::{define, throw};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "describe", describe)?;
    define(object, "hostName", |ctx: Ctx<'_>| match machine::hostname() {
        Ok(name) => Ok(text(&name)),
        Err(error) => throw(&ctx, error),
    })?;
    define(object, "uptime", || machine::uptime().as_secs_f64())?;
    define(object, "loadAverage", || machine::load_average().to_vec())?;
    define(object, "totalMemory", || memory::total() as f64)?;
    define(object, "freeMemory", || memory::free() as f64)?;
    define(object, "availableMemory", || memory::available() as f64)?;
    define(object, "parallelism", cpu::available_parallelism)?;
    define(object, "processors", processors)?;
    define(object, "homeDirectory", |ctx: Ctx<'_>| match paths::home_dir() {
        Ok(path) => Ok(path.to_string_lossy().into_owned()),
        Err(error) => throw(&ctx, error),
    })?;
    define(object, "user", user)?;
    define(object, "getPriority", |ctx: Ctx<'_>, pid: Opt<i32>| {
        process::priority(pid.0.unwrap_or(0)).or_else(|error| throw(&ctx, error))
    })?;
    define(object, "setPriority", |ctx: Ctx<'_>, pid: i32, priority: i32| {
        process::set_priority(pid, priority).or_else(|error| throw(&ctx, error))
    })?;
    define(object, "interfaces", interfaces)?;
    define(object, "errors", errors)?;
    Ok(())
}

/// The system errors by name (`os.constants.errno`).
fn errors(ctx: Ctx<'_>) -> Result<Object<'_>> {
    let object = Object::new(ctx)?;
    macro_rules! set {
        ($($name:ident)*) => { $(object.set(stringify!($name), libc::$name)?;)* };
    }
    set! {
        E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN EALREADY EBADF EBADMSG EBUSY
        ECANCELED ECHILD ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDESTADDRREQ EDOM EDQUOT
        EEXIST EFAULT EFBIG EHOSTUNREACH EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN
        EISDIR ELOOP EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENETDOWN ENETRESET
        ENETUNREACH ENFILE ENOBUFS ENODATA ENODEV ENOENT ENOEXEC ENOLCK ENOLINK ENOMEM ENOMSG
        ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ENOTCONN ENOTDIR ENOTEMPTY ENOTSOCK ENOTSUP
        ENOTTY ENXIO EOPNOTSUPP EOVERFLOW EPERM EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE
        EROFS ESPIPE ESRCH ESTALE ETIME ETIMEDOUT ETXTBSY EWOULDBLOCK EXDEV
    }
    Ok(object)
}

fn text(name: &CStr) -> String {
    name.to_string_lossy().into_owned()
}

/// Returns `[sysname, release, version, machine]` (uname).
fn describe(ctx: Ctx<'_>) -> Result<Vec<String>> {
    let found = match machine::uname() {
        Ok(found) => found,
        Err(error) => return throw(&ctx, error),
    };
    Ok([found.system, found.release, found.version, found.machine]
        .map(|name: CString| text(&name))
        .to_vec())
}

/// Returns `[model, speed, user, nice, sys, idle, irq]` per CPU, with times in milliseconds.
fn processors(ctx: Ctx<'_>) -> Result<Array<'_>> {
    let all = match cpu::list() {
        Ok(all) => all,
        Err(error) => return throw(&ctx, error),
    };
    let list = Array::new(ctx.clone())?;
    for (index, cpu) in all.into_iter().enumerate() {
        let entry = Array::new(ctx.clone())?;
        entry.set(0, cpu.model)?;
        entry.set(1, cpu.speed)?;
        let times = cpu.times;
        let times = [times.user, times.nice, times.system, times.idle, times.interrupts];
        for (field, time) in times.into_iter().enumerate() {
            entry.set(2 + field, time.as_millis() as f64)?;
        }
        list.set(index, entry)?;
    }
    Ok(list)
}

fn user(ctx: Ctx<'_>) -> Result<Object<'_>> {
    let user = match users::current_user() {
        Ok(user) => user,
        Err(error) => return throw(&ctx, error),
    };
    let object = Object::new(ctx)?;
    object.set("uid", i64::from(user.uid))?;
    object.set("gid", i64::from(user.gid))?;
    object.set("username", text(&user.name))?;
    object.set("homedir", user.home.to_string_lossy().into_owned())?;
    object.set("shell", user.shell.to_string_lossy().into_owned())?;
    Ok(object)
}

/// The addresses of the network interfaces.
/// The addresses of each interface, by its name.
fn interfaces(ctx: Ctx<'_>) -> Result<Object<'_>> {
    let all = match mauve_sys::net::interface::list() {
        Ok(all) => all,
        Err(error) => return throw(&ctx, error),
    };
    let names = Object::new(ctx.clone())?;
    for interface in all {
        let addresses = (interface.address.to_socket_addr(), interface.netmask.to_socket_addr());
        let (Some(address), Some(netmask)) = addresses else { continue };
        let (family, prefix) = match netmask.ip() {
            std::net::IpAddr::V4(mask) => ("IPv4", mask.to_bits().count_ones()),
            std::net::IpAddr::V6(mask) => ("IPv6", mask.to_bits().count_ones()),
        };
        let hardware = interface.hardware.iter().map(|byte| format!("{byte:02x}"));
        let entry = Object::new(ctx.clone())?;
        entry.set("address", address.ip().to_string())?;
        entry.set("netmask", netmask.ip().to_string())?;
        entry.set("family", family)?;
        entry.set("mac", hardware.collect::<Vec<_>>().join(":"))?;
        entry.set("internal", interface.internal)?;
        entry.set("cidr", format!("{}/{prefix}", address.ip()))?;
        if let std::net::SocketAddr::V6(address) = address {
            entry.set("scopeid", i64::from(address.scope_id()))?;
        }
        let name = text(&interface.name);
        let list = match names.get::<_, Option<Array<'_>>>(name.as_str())? {
            Some(list) => list,
            None => Array::new(ctx.clone())?,
        };
        list.set(list.len(), entry)?;
        names.set(name, list)?;
    }
    Ok(names)
}
