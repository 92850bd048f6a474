//! `emit` of `EventEmitter`, for the most frequent case: no listener or one.

use std::cell::RefCell;
use std::ffi::CStr;

use mauve_quickjs::{
    Kind, Local, LocalAtom, NativeCall, NativeFunction, SavedAtom, native_function,
};
use rquickjs::{Ctx, Function, Object, Persistent, Result};

use super::define;

thread_local! {
    static STATE: RefCell<Option<State>> = const { RefCell::new(None) };
}

/// Names of properties, and the functions for the other cases.
struct State {
    events: SavedAtom,
    error: SavedAtom,
    general: Persistent<Function<'static>>,
    capture: Persistent<Function<'static>>,
}

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "createEmit", create)
}

/// Creates `emit`. `general` is the same function in JavaScript, and `capture` gets the emitter, what its
/// listener has returned, and the arguments of `emit`.
fn create<'js>(
    ctx: Ctx<'js>,
    general: Persistent<Function<'static>>,
    capture: Persistent<Function<'static>>,
) -> Result<Function<'js>> {
    let (events, error) = (SavedAtom::new(&ctx, "_events")?, SavedAtom::new(&ctx, "error")?);
    STATE.set(Some(State { events, error, general, capture }));
    native_function::<Emit>(&ctx)
}

struct Emit;

impl NativeFunction for Emit {
    const NAME: &'static CStr = c"emit";
    const LENGTH: u8 = 1;

    fn call<'a, 'js>(call: &NativeCall<'a, 'js>) -> Result<Local<'a, 'js>> {
        let (ctx, this) = (call.ctx(), call.this());
        let Some(listener) = find_listener(call, &this)? else {
            let general = saved(ctx, |state| &state.general)?;
            return call.forward(&general, &this, 0);
        };
        if listener.kind() == Kind::Undefined {
            return Ok(Local::boolean(ctx, false));
        }
        let result = call.forward(&listener, &this, 1)?;
        if result.kind() != Kind::Undefined {
            let args: Vec<_> = (0..call.count()).map(|index| call.arg(index)).collect();
            let all: Vec<_> = [&this, &result].into_iter().chain(&args).collect();
            saved(ctx, |state| &state.capture)?.call(&this, &all)?;
        }
        Ok(Local::boolean(ctx, true))
    }
}

/// The listener, or `undefined` if there is none. Returns `None` for several listeners, and for 'error',
/// which needs one.
fn find_listener<'a, 'js>(
    call: &NativeCall<'a, 'js>,
    this: &Local<'a, 'js>,
) -> Result<Option<Local<'a, 'js>>> {
    let name = call.arg(0);
    if this.kind() != Kind::Object || !matches!(name.kind(), Kind::String | Kind::Symbol) {
        return Ok(None);
    }
    let name = LocalAtom::of(&name)?;
    let table = STATE.with_borrow(|state| match state {
        Some(state) if !state.error.is(&name) => this.get_saved(&state.events).map(Some),
        _ => Ok(None),
    })?;
    let Some(table) = table else { return Ok(None) };
    let listener = match table.kind() {
        Kind::Object => table.get(&name)?,
        _ => return Ok(None),
    };
    let is_plain = listener.kind() == Kind::Undefined || listener.is_function();
    Ok(is_plain.then_some(listener))
}

fn saved<'a, 'js>(
    ctx: &'a Ctx<'js>,
    function: impl FnOnce(&State) -> &Persistent<Function<'static>>,
) -> Result<Local<'a, 'js>> {
    let function = STATE.with_borrow(|state| state.as_ref().map(|state| function(state).clone()));
    let function = function.expect("set when the function was created").restore(ctx)?;
    Ok(Local::new(ctx, &function.into_value()))
}
