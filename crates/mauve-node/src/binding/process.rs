//! The process that the script runs in.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::time::Duration;

use mauve_sys::os::process::UsageScope;
use mauve_sys::os::{self, time_zone};
use rquickjs::function::Opt;
use rquickjs::{Array, Ctx, Object, Result};

use super::{define, throw};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "reallyExit", |code: i32| -> () {
        // The script may have left the terminal in raw mode.
        let _ = mauve::restore_terminal();
        std::process::exit(code)
    })?;
    define(object, "abort", || -> () { std::process::abort() })?;
    define(object, "cwd", |ctx: Ctx<'_>| match os::paths::current_dir() {
        Ok(path) => Ok(path.to_string_lossy().into_owned()),
        Err(error) => throw(&ctx, error),
    })?;
    define(object, "chdir", |ctx: Ctx<'_>, path: String| {
        os::paths::set_current_dir(path.as_ref()).or_else(|error| throw(&ctx, error))
    })?;
    define(object, "environment", environment)?;
    define(object, "executable", executable)?;
    define(object, "hrtime", || mauve_sys::clock::hrtime() as f64 / 1e6)?;
    define(object, "hrtimeParts", hrtime_parts)?;
    define(object, "memory", memory)?;
    define(object, "kill", |ctx: Ctx<'_>, pid: i32, signal: i32| {
        mauve_sys::process::kill(pid, signal).or_else(|error| throw(&ctx, error))
    })?;
    define(object, "ppid", os::process::parent_id)?;
    define(object, "umask", |mask: Opt<u32>| umask(mask.0))?;
    define(object, "getuid", || i64::from(rustix::process::getuid().as_raw()))?;
    define(object, "geteuid", || i64::from(rustix::process::geteuid().as_raw()))?;
    define(object, "getgid", || i64::from(rustix::process::getgid().as_raw()))?;
    define(object, "getegid", || i64::from(rustix::process::getegid().as_raw()))?;
    define(object, "getgroups", || -> Vec<i64> {
        let groups = rustix::process::getgroups().unwrap_or_default();
        groups.into_iter().map(|group| group.as_raw().into()).collect()
    })?;
    define(object, "setCredentials", set_credentials)?;
    define(object, "setTimeZone", |name: Option<String>| {
        let name = name.and_then(|name| CString::new(name).ok());
        // It fails only without memory; then the zone stays.
        let _ = time_zone::set(name.as_deref());
    })?;
    define(object, "timeZone", |seconds: f64| {
        time_zone::abbreviation(seconds as i64).to_string_lossy().into_owned()
    })?;
    define(object, "sleep", |milliseconds: f64| {
        match Duration::try_from_secs_f64(milliseconds / 1e3) {
            Ok(time) => std::thread::sleep(time),
            Err(_) => std::thread::sleep(Duration::MAX),
        }
    })?;
    define(object, "cpuUsage", cpu_usage)?;
    define(object, "uptimeStart", || START.with(|start| *start))?;
    object.set("pid", std::process::id())?;
    Ok(())
}

/// Calls the function `name` with ids, and with the name of a user if it needs one. Returns the
/// number of the error, or 0.
fn set_credentials(name: String, ids: Vec<u32>, user: Opt<String>) -> i32 {
    use mauve_sys::os::credentials as system;
    let first = ids.first().copied().unwrap_or_default();
    let result = match name.as_str() {
        "setuid" => system::set_uid(first),
        "seteuid" => system::set_effective_uid(first),
        "setgid" => system::set_gid(first),
        "setegid" => system::set_effective_gid(first),
        "setgroups" => system::set_groups(&ids),
        "initgroups" => match CString::new(user.0.unwrap_or_default()) {
            Ok(user) => system::init_groups(&user, first),
            Err(_) => Err(mauve::Errno::EINVAL),
        },
        _ => Err(mauve::Errno::ENOSYS),
    };
    result.map_or_else(|error| error.raw(), |()| 0)
}

thread_local! {
    /// The start time of the process: when this was accessed first.
    static START: f64 = mauve_sys::clock::hrtime() as f64 / 1e6;
}

/// Milliseconds since the start of the process.
pub(crate) fn uptime() -> f64 {
    mauve_sys::clock::hrtime() as f64 / 1e6 - START.with(|start| *start)
}

fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .map(|(name, value)| {
            (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned())
        })
        .collect()
}

fn executable() -> String {
    os::paths::current_exe().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Seconds and nanoseconds. Their sum would exceed the precision of a JavaScript number.
fn hrtime_parts(ctx: Ctx<'_>) -> Result<Array<'_>> {
    let now = mauve_sys::clock::hrtime();
    let parts = Array::new(ctx)?;
    parts.set(0, (now / 1_000_000_000) as f64)?;
    parts.set(1, (now % 1_000_000_000) as f64)?;
    Ok(parts)
}

/// Returns the file mode creation mask. Sets it if `mask` is `Some`.
fn umask(mask: Option<u32>) -> u32 {
    let set =
        |mask: u32| rustix::process::umask(rustix::fs::Mode::from_raw_mode(mask)).as_raw_mode();
    match mask {
        Some(mask) => set(mask & 0o777),
        None => {
            let mask = set(0);
            set(mask);
            mask
        }
    }
}

/// Returns `[rss, heapTotal, heapUsed]` in bytes. The engine does not report its heap while it
/// runs, so the last two are the data size and the anonymous memory of the process.
fn memory() -> Vec<f64> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kilobytes = line.trim().trim_end_matches(" kB").trim().parse::<f64>().ok()?;
        Some(kilobytes * 1024.0)
    };
    ["VmRSS:", "VmData:", "RssAnon:"].map(|name| field(name).unwrap_or(0.0)).to_vec()
}

/// Returns the user and system CPU time in microseconds, the maximum RSS in kilobytes, and the
/// numbers of page faults, blocks and context switches.
fn cpu_usage(ctx: Ctx<'_>) -> Result<Vec<f64>> {
    match os::process::resource_usage(UsageScope::Process) {
        Ok(usage) => Ok(vec![
            usage.user_time.as_micros() as f64,
            usage.system_time.as_micros() as f64,
            usage.max_resident as f64,
            usage.minor_faults as f64,
            usage.major_faults as f64,
            usage.blocks_in as f64,
            usage.blocks_out as f64,
            usage.voluntary_switches as f64,
            usage.involuntary_switches as f64,
        ]),
        Err(error) => throw(&ctx, error),
    }
}
