//! Local sockets.

use mauve::{Errno, Pipe};
use rquickjs::{Object, Result};

use super::functions;
use super::stream::{self, Callback, Stream, answer, code};
use crate::host::current;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "create" => || stream::add(Stream::Pipe(Pipe::new(&current().lp))),
        "bind" => |id: u32, path: String| code(find(id).and_then(|pipe| pipe.bind(path))),
        "listen" => |id: u32, backlog: i32, callback: Callback| code(listen(id, backlog, callback)),
        "connect" => |id: u32, path: String, callback: Callback| code(connect(id, path, callback)),
    });
    Ok(())
}

fn find(id: u32) -> mauve::Result<Pipe> {
    match stream::find(id)? {
        Stream::Pipe(pipe) => Ok(pipe),
        Stream::Tcp(_) => Err(Errno::EINVAL),
    }
}

fn listen(id: u32, backlog: i32, callback: Callback) -> mauve::Result<()> {
    find(id)?.listen(backlog, move |(), _, connection| {
        stream::announce(&callback, connection.map(Stream::Pipe));
    })
}

fn connect(id: u32, path: String, callback: Callback) -> mauve::Result<()> {
    find(id)?.connect(path, move |(), result| answer(&callback, result))
}
