//! Writes the parts of outgoing messages to a stream, framed.

use mauve_quickjs::{Kind, Local, NativeCall, native_function};
use rquickjs::{Function, Object, Persistent, Result};

use super::stream;
use crate::host::{text, views};
use crate::http::Framing;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    object.set("sendPart", native_function(object.ctx(), c"sendPart", 8, send_part)?)
}

/// `sendPart(stream, pending, head, body, isUtf8, framing, trailer, callback)` writes
/// `[chunk, encoding, chunk, encoding, …]` (or `undefined`), the head (or an empty string), and a part of the body,
/// a string or a `Uint8Array`.
///
/// Returns 0 if all bytes were written synchronously, 1 if the callback will be called, or an errno.
fn send_part<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let ctx = call.ctx();
    let (pending, head, body, is_utf8) =
        (call.arg(1), call.arg(2), call.arg(3), call.arg(4).is_truthy());
    let framing = match call.arg(5).kind() {
        Kind::Int(0) => Framing::Length,
        Kind::Int(1) => Framing::Chunk,
        _ => Framing::LastChunk,
    };
    let mut bytes = Vec::with_capacity(1024);
    if pending.kind() == Kind::Object {
        stream::append_chunks(&pending.to_value().get()?, &mut bytes)?;
    }
    let mut part = Vec::new();
    match body.kind() {
        Kind::String => text::encode(&body, !is_utf8, &mut part)?,
        _ => views::append(&body.to_value().get()?, &mut part),
    }
    // Text and the head before it are encoded together.
    let is_text = is_utf8 && !part.is_empty() && framing == Framing::Length;
    text::encode(&head, !is_text, &mut bytes)?;
    let mut trailer = Vec::new();
    if framing == Framing::LastChunk {
        text::encode(&call.arg(6), true, &mut trailer)?;
    }
    framing.append(&part, &trailer, &mut bytes);
    let sent = if bytes.is_empty() {
        0
    } else {
        let callback: Function<'js> = call.arg(7).to_value().get()?;
        let id = call.arg(0).to_number()? as u64;
        stream::send(id, &bytes, || Persistent::save(ctx, callback))
    };
    Ok(Local::number(ctx, f64::from(sent)))
}
