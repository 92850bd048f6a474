//! What only the engine knows about values.

use rquickjs::promise::PromiseState;
use rquickjs::{Array, Ctx, Object, Result, Value};

use super::functions;

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "promiseDetails" => promise_details,
        "proxyDetails" => proxy_details,
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

/// `[target, handler]` of a proxy; `null` of anything else.
fn proxy_details<'js>(ctx: Ctx<'js>, value: Value<'js>) -> Result<Option<Array<'js>>> {
    let Some(proxy) = value.as_proxy() else { return Ok(None) };
    let details = Array::new(ctx)?;
    details.set(0, proxy.target()?)?;
    details.set(1, proxy.handler()?)?;
    Ok(Some(details))
}
