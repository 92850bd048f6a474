//! The native functions of the built-in modules: one file per area, whose `fill` defines the
//! functions of one binding object.
//!
//! System errors are passed to JavaScript as libuv's negative numbers. Synchronous functions throw
//! the number, asynchronous ones pass it to their callback. JavaScript converts it to Node's error.
//!
//! No function returns a `u32` that may exceed `i32::MAX`: rquickjs makes a negative number of it.

pub(crate) use native::define;
pub(crate) use owned_fds::add_inherited;
use rquickjs::{Ctx, Exception, IntoJs, Object, Result};

mod address;
mod arguments;
mod assertion;
mod buffer;
mod call_source;
mod callee;
mod columns;
mod crypto;
mod dns;
mod dns_message;
pub(crate) mod emitters;
mod engine_messages;
mod errno;
mod error_messages;
mod error_texts;
mod events;
mod fs;
mod glob;
mod histogram;
mod host;
mod http;
mod intl;
mod keys;
mod line_diff;
mod messaging;
mod modules;
mod native;
mod os;
mod owned_fds;
mod parse_args;
mod path;
mod perf;
mod pipe;
mod pool_request;
mod process;
pub(crate) mod promise_hooks;
mod serialize;
mod signals;
mod spawn;
mod stdio;
mod stdio_streams;
mod stream;
mod tables;
mod tcp;
mod test_reporter;
mod text_encodings;
mod timers;
mod udp;
mod url;
mod url_format;
mod url_legacy;
mod url_resolve;
mod util;
mod v8_messages;
pub(crate) mod waits;
pub(crate) mod workers;
mod zlib;

/// Creates the binding object of a name. `internal/loader` caches it.
pub(crate) fn get<'js>(ctx: Ctx<'js>, name: String) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    match name.as_str() {
        "buffer" => buffer::fill(&object)?,
        "crypto" => crypto::fill(&object)?,
        "dns" => dns::fill(&object)?,
        "errno" => errno::fill(&object)?,
        "events" => events::fill(&object)?,
        "fs" => fs::fill(&object)?,
        "host" => host::fill(&object)?,
        "http" => http::fill(&object)?,
        "intl" => intl::fill(&object)?,
        "messaging" => messaging::fill(&object)?,
        "modules" => modules::fill(&object)?,
        "os" => os::fill(&object)?,
        "path" => path::fill(&object).and_then(|()| glob::fill(&object))?,
        "perf" => perf::fill(&object)?,
        "pipe" => pipe::fill(&object)?,
        "process" => process::fill(&object)?,
        "promise_hooks" => promise_hooks::fill(&object)?,
        "serialize" => serialize::fill(&object)?,
        "signals" => signals::fill(&object)?,
        "spawn" => spawn::fill(&object)?,
        "stdio" => stdio::fill(&object)?,
        "stdio_streams" => stdio_streams::fill(&object)?,
        "stream" => stream::fill(&object)?,
        "tcp" => tcp::fill(&object)?,
        "test" => test_reporter::fill(&object)?,
        "timers" => timers::fill(&object)?,
        "udp" => udp::fill(&object)?,
        "url" => url::fill(&object)?,
        "util" => util::fill(&object)?,
        "workers" => workers::fill(&object)?,
        "zlib" => zlib::fill(&object)?,
        _ => return Err(Exception::throw_message(&ctx, &format!("No such binding: {name}"))),
    }
    Ok(object)
}

pub(crate) use process::uptime;

/// Throws a system error as libuv's number.
pub(crate) fn throw<T>(ctx: &Ctx<'_>, error: mauve::Errno) -> Result<T> {
    Err(ctx.throw(number(error).into_js(ctx)?))
}

/// The number of a system error in libuv, which is negative.
pub(crate) fn number(error: mauve::Errno) -> i32 {
    -error.raw()
}
