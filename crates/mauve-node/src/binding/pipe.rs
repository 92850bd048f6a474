//! Local (Unix domain) sockets.

use mauve::Pipe;
use rquickjs::{Object, Result};

use super::define;
use super::emitters::Emitter;
use super::stream::{self, Callback, code, complete};
use crate::host::current;
use crate::host::text::Text;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "create", || stream::add(Pipe::new(&current().lp).into()))?;
    define(object, "bind", |id: u64, Text(path): Text| {
        code(find(id).and_then(|pipe| pipe.bind(path)))
    })?;
    define(
        object,
        "listen",
        |id: u64, backlog: i32, callback: Callback, server: Option<Emitter>| {
            code(listen(id, backlog, callback).inspect(|()| stream::add_server(id, server)))
        },
    )?;
    define(object, "connect", |id: u64, Text(path): Text, callback: Callback| {
        code(connect(id, path, callback))
    })?;
    Ok(())
}

fn find(id: u64) -> mauve::Result<Pipe> {
    stream::find(id)?.try_into()
}

fn listen(id: u64, backlog: i32, callback: Callback) -> mauve::Result<()> {
    find(id)?.listen(backlog, move |(), _, connection| {
        stream::accept(&callback, connection.map(Into::into));
    })
}

fn connect(id: u64, path: String, callback: Callback) -> mauve::Result<()> {
    find(id)?.connect(path, move |(), _, result| complete(&callback, result))
}
