//! Questions about the machine and its users.

use std::ffi::{CStr, CString};

use mauve::os::{cpu, machine, memory, paths, process, users};
use rquickjs::function::Opt;
use rquickjs::{Array, Ctx, Object, Result};

use super::{functions, throw};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "describe" => describe,
        "hostName" => || text(&machine::hostname()),
        "uptime" => || machine::uptime().as_secs_f64(),
        "loadAverage" => || machine::load_average().to_vec(),
        "totalMemory" => || memory::total() as f64,
        "freeMemory" => || memory::free() as f64,
        "availableMemory" => || memory::available() as f64,
        "parallelism" => cpu::available_parallelism,
        "processors" => processors,
        "homeDirectory" => |ctx: Ctx<'_>| match paths::home_dir() {
            Ok(path) => Ok(path.to_string_lossy().into_owned()),
            Err(error) => throw(&ctx, error),
        },
        "user" => user,
        "getPriority" => |ctx: Ctx<'_>, pid: Opt<i32>| {
            process::priority(pid.0.unwrap_or(0)).or_else(|error| throw(&ctx, error))
        },
        "setPriority" => |ctx: Ctx<'_>, pid: i32, priority: i32| {
            process::set_priority(pid, priority).or_else(|error| throw(&ctx, error))
        },
        "interfaces" => interfaces,
    });
    Ok(())
}

fn text(name: &CStr) -> String {
    name.to_string_lossy().into_owned()
}

/// The system's name, its release, its version and the machine's kind.
fn describe() -> Vec<String> {
    let found = machine::uname();
    [found.system, found.release, found.version, found.machine]
        .map(|name: CString| text(&name))
        .to_vec()
}

/// Each with its model, its speed, and its times in milliseconds in the order of `os.cpus()`.
fn processors(ctx: Ctx<'_>) -> Result<Array<'_>> {
    let all = match cpu::list() {
        Ok(all) => all,
        Err(error) => return throw(&ctx, error),
    };
    let list = Array::new(ctx.clone())?;
    for (place, cpu) in all.into_iter().enumerate() {
        let one = Array::new(ctx.clone())?;
        one.set(0, cpu.model)?;
        one.set(1, cpu.speed)?;
        let times = cpu.times;
        let times = [times.user, times.nice, times.system, times.idle, times.interrupts];
        for (index, time) in times.into_iter().enumerate() {
            one.set(2 + index, time.as_millis() as f64)?;
        }
        list.set(place, one)?;
    }
    Ok(list)
}

fn user(ctx: Ctx<'_>) -> Result<Object<'_>> {
    let user = match users::current_user() {
        Ok(user) => user,
        Err(error) => return throw(&ctx, error),
    };
    let object = Object::new(ctx)?;
    object.set("uid", user.uid)?;
    object.set("gid", user.gid)?;
    object.set("username", text(&user.name))?;
    object.set("homedir", user.home.to_string_lossy().into_owned())?;
    object.set("shell", user.shell.to_string_lossy().into_owned())?;
    Ok(object)
}

/// Name, address, netmask, hardware address, whether internal, and the scope.
fn interfaces(ctx: Ctx<'_>) -> Result<Array<'_>> {
    let all = match mauve_sys::net::interface::list() {
        Ok(all) => all,
        Err(error) => return throw(&ctx, error),
    };
    let list = Array::new(ctx.clone())?;
    for interface in all {
        let one = Object::new(ctx.clone())?;
        one.set("name", text(&interface.name))?;
        one.set("internal", interface.internal)?;
        one.set("hardware", interface.hardware.to_vec())?;
        let addresses = (interface.address.to_socket_addr(), interface.netmask.to_socket_addr());
        let (Some(address), Some(netmask)) = addresses else { continue };
        one.set("address", address.ip().to_string())?;
        one.set("netmask", netmask.ip().to_string())?;
        if let std::net::SocketAddr::V6(address) = address {
            one.set("scope", address.scope_id())?;
        }
        list.set(list.len(), one)?;
    }
    Ok(list)
}
