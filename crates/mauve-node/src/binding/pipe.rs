//! Local (Unix domain) sockets.

use mauve::{Errno, Pipe};
use rquickjs::{Object, Result};

use super::define;
use super::native_stream::NativeStream;
use super::stream::{self, Callback, code, complete};
use crate::host::current;
use crate::host::text::Text;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "create", || stream::add(NativeStream::Pipe(Pipe::new(&current().lp))))?;
    define(object, "bind", |id: u64, Text(path): Text| {
        code(find(id).and_then(|pipe| pipe.bind(path)))
    })?;
    define(object, "listen", |id: u64, backlog: i32, callback: Callback| {
        code(listen(id, backlog, callback))
    })?;
    define(object, "connect", |id: u64, Text(path): Text, callback: Callback| {
        code(connect(id, path, callback))
    })?;
    Ok(())
}

fn find(id: u64) -> mauve::Result<Pipe> {
    match stream::find(id)? {
        NativeStream::Pipe(pipe) => Ok(pipe),
        NativeStream::Tcp(_) | NativeStream::Tty(_) => Err(Errno::EINVAL),
    }
}

fn listen(id: u64, backlog: i32, callback: Callback) -> mauve::Result<()> {
    find(id)?.listen(backlog, move |(), _, connection| {
        stream::accept(&callback, connection.map(NativeStream::Pipe));
    })
}

fn connect(id: u64, path: String, callback: Callback) -> mauve::Result<()> {
    find(id)?.connect(path, move |(), result| complete(&callback, result))
}
