//! What only the engine knows about values.

use rquickjs::promise::PromiseState;
use rquickjs::{Array, Ctx, Object, Result, Value};
use unicode_width::UnicodeWidthChar;

use super::functions;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "promiseDetails" => promise_details,
        "proxyDetails" => proxy_details,
        "stringWidth" => |text: String| string_width(&text),
    });
    Ok(())
}

/// `[state, value]` of a promise: 0 while it is pending, 1 fulfilled, 2 rejected; `null` of
/// anything else.
fn promise_details<'js>(ctx: Ctx<'js>, value: Value<'js>) -> Result<Option<Array<'js>>> {
    let Some(promise) = value.as_promise() else { return Ok(None) };
    let details = Array::new(ctx.clone())?;
    match promise.state() {
        PromiseState::Pending => details.set(0, 0)?,
        PromiseState::Resolved => {
            details.set(0, 1)?;
            details.set(1, promise.result::<Value<'js>>().transpose()?)?;
        }
        PromiseState::Rejected => {
            details.set(0, 2)?;
            // Asking for the result of a rejected promise throws its reason.
            if let Some(Err(_)) = promise.result::<Value<'js>>() {
                details.set(1, ctx.catch())?;
            }
        }
    }
    Ok(Some(details))
}

/// Columns of a string on a terminal. Like Node, it adds up characters: a sequence of emoji that a
/// terminal may draw as one counts each of them, and control characters take no columns.
fn string_width(text: &str) -> usize {
    let width = |character: char| match character {
        // Node's widths of the soft hyphen and of the letters that flags are made of.
        '\u{ad}' => 1,
        '\u{1f1e6}'..='\u{1f1ff}' => 2,
        _ => character.width().unwrap_or(0),
    };
    text.chars().map(width).sum()
}

/// `[target, handler]` of a proxy, both `null` if it was revoked; `null` of anything else. A proxy
/// of a function or an array, whose target the engine does not tell, stands for its own target.
fn proxy_details<'js>(ctx: Ctx<'js>, value: Value<'js>) -> Result<Option<Array<'js>>> {
    if !value.is_proxy() {
        return Ok(None);
    }
    let details = Array::new(ctx.clone())?;
    let Some(proxy) = value.as_proxy() else {
        details.set(0, value)?;
        details.set(1, Object::new(ctx)?)?;
        return Ok(Some(details));
    };
    if let (Ok(target), Ok(handler)) = (proxy.target(), proxy.handler()) {
        details.set(0, target)?;
        details.set(1, handler)?;
    } else {
        // The exception says that the proxy was revoked.
        ctx.catch();
        details.set(0, Value::new_null(ctx.clone()))?;
        details.set(1, Value::new_null(ctx))?;
    }
    Ok(Some(details))
}
