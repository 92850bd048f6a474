//! Builds the heads of outgoing messages.
//!
//! All input is in the arguments: no property of a message is read or written.

use std::cell::RefCell;

use mauve_quickjs::{Kind, Local, NativeCall, native_function};
use rquickjs::convert::Coerced;
use rquickjs::{Object, Result};

use super::fields::{Fields, Invalid};
use crate::binding::define;
use crate::http::outgoing::{Head, State, bit};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    object.set("buildHead", native_function(object.ctx(), c"buildHead", 9, build_head)?)?;
    define(object, "setDate", |date: String| DATE.set(date))?;
    let bits = Object::new(object.ctx().clone())?;
    for (name, bit) in bit::ALL {
        bits.set(*name, *bit)?;
    }
    object.set("state", bits)
}

thread_local! {
    /// The value of the field `Date`.
    static DATE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The first element of the result for a `Trailer` field without chunked encoding.
const INVALID_TRAILER: i32 = -4;

/// Most heads are shorter.
const TYPICAL_SIZE: usize = 512;

/// `buildHead(state, firstLine, headers, isStored, unique, status, length, timeout, maxRequests)` returns
/// `[state, head]` or `[state, head, length]`, and `[error, name, value]` for an invalid field.
///
/// `headers` is what [`Fields::add_all`] accepts. `unique` is a list of names or `undefined`.
fn build_head<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
    let ctx = call.ctx();
    let number = |number: i32| Local::number(ctx, f64::from(number));
    let state = State(call.arg(0).to_number()? as u32);
    let is_stored = call.arg(3).is_truthy();
    let unique = call.arg(4);
    let unique = if unique.kind() == Kind::Object { unique.to_value().get()? } else { vec![] };
    let mut text = Vec::with_capacity(TYPICAL_SIZE);
    call.arg(1).with_text(|line| text.extend_from_slice(line))?;
    let mut fields = Fields::new(text, is_stored, unique);
    fields.has_length = call.arg(6).is_truthy();
    if let Err(Invalid { reason, name, value }) = fields.add_all(&call.arg(2), is_stored)? {
        return Ok(Local::array(&[&number(reason), &name, &value])?);
    }
    let Fields { mut text, found, length: own_length, .. } = fields;
    let length = match call.arg(6).kind() {
        Kind::Int(length) => Some(length.to_string()),
        Kind::Float(_) => Some(owned(&call.arg(6))?),
        _ => None,
    };
    let timeout = Some(call.arg(7).to_number()?).filter(|time| *time != 0.0 && !time.is_nan());
    let max_requests = call.arg(8);
    // As an operand of `|`.
    let has_max =
        max_requests.kind() != Kind::Int(0) && max_requests.to_value().get::<Coerced<i32>>()?.0 > 0;
    let max_requests = if has_max { Some(owned(&max_requests)?) } else { None };
    let completed = DATE.with_borrow(|date| {
        let head = Head {
            state,
            found,
            status: call.arg(5).kind().as_int().unwrap_or(0),
            length: length.as_deref(),
            date,
            timeout: timeout.map(|time| (time / 1000.0).floor()),
            max_requests: max_requests.as_deref(),
        };
        head.complete(&mut text)
    });
    let Some(State(state)) = completed else {
        return Ok(Local::array(&[&number(INVALID_TRAILER)])?);
    };
    let (state, head) = (Local::number(ctx, f64::from(state)), Local::text(ctx, &text)?);
    Ok(match own_length {
        Some(length) => Local::array(&[&state, &head, &Local::number(ctx, length.to_number()?)])?,
        None => Local::array(&[&state, &head])?,
    })
}

/// A value as a string.
fn owned(value: &Local<'_, '_>) -> Result<String> {
    Ok(value.with_text(|text| String::from_utf8_lossy(text).into_owned())?)
}
