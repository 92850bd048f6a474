//! What built-in modules can ask of the machine: one file per area, each a function that makes an
//! object of functions.
//!
//! System errors cross the border as negative numbers, those of libuv: functions that answer at
//! once throw the number, functions that answer later give it to their callback. JavaScript makes
//! Node's errors out of them.

pub(crate) use owned::keep_inherited;
use rquickjs::{Ctx, Exception, IntoJs, Object, Result};

mod address;
mod buffer;
mod descriptors;
mod dns;
mod errno;
mod fs;
mod host;
mod http;
mod modules;
mod os;
mod owned;
mod perf;
mod pipe;
mod process;
pub(crate) mod promise_hooks;
mod signals;
mod spawn;
mod stdio;
mod stream;
mod tcp;
mod timers;
mod udp;
mod url;
mod util;

/// The binding of a name, made anew; the loader keeps it.
pub(crate) fn get<'js>(ctx: Ctx<'js>, name: String) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    match name.as_str() {
        "buffer" => buffer::fill(&object)?,

        "descriptors" => descriptors::fill(&object)?,
        "dns" => dns::fill(&object)?,
        "errno" => errno::fill(&object)?,
        "fs" => fs::fill(&object)?,
        "host" => host::fill(&object)?,
        "http" => http::fill(&object)?,
        "modules" => modules::fill(&object)?,
        "os" => os::fill(&object)?,
        "perf" => perf::fill(&object)?,
        "pipe" => pipe::fill(&object)?,
        "process" => process::fill(&object)?,
        "promise_hooks" => promise_hooks::fill(&object)?,
        "signals" => signals::fill(&object)?,
        "spawn" => spawn::fill(&object)?,
        "stdio" => stdio::fill(&object)?,
        "stream" => stream::fill(&object)?,
        "tcp" => tcp::fill(&object)?,
        "timers" => timers::fill(&object)?,
        "udp" => udp::fill(&object)?,
        "url" => url::fill(&object)?,
        "util" => util::fill(&object)?,
        _ => return Err(Exception::throw_message(&ctx, &format!("No such binding: {name}"))),
    }
    Ok(object)
}

/// Gives an object native functions, each under its own name or another.
macro_rules! functions {
    ($object:expr, { $($name:literal => $function:expr),* $(,)? }) => {{
        let ctx = $object.ctx().clone();
        $($object.set($name, rquickjs::Function::new(ctx.clone(), $function)?.with_name($name)?)?;)*
    }};
}
use functions;

pub(crate) use process::uptime;

/// Throws a system error as its number.
pub(crate) fn throw<T>(ctx: &Ctx<'_>, error: mauve::Errno) -> Result<T> {
    Err(ctx.throw(number(error).into_js(ctx)?))
}

/// A system error as JavaScript gets it.
pub(crate) fn number(error: mauve::Errno) -> i32 {
    -error.raw()
}
