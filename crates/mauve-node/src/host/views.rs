//! Copies bytes between JavaScript and Rust.
//!
//! rquickjs gives access to the memory of a view only through unsafe code, because JavaScript could
//! change or free it. Therefore the engine copies: out of a view as base64 text (about 1 GB/s), and
//! into a view with `set` from a new array that owns memory of Rust.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rquickjs::function::{Constructor, This};
use rquickjs::{CString, Ctx, FromJs, Function, Object, Persistent, Result, TypedArray, Value};

use super::current;

/// `Uint8Array` and its methods, saved before the script can replace them.
pub(crate) struct ViewMethods {
    class: Persistent<Constructor<'static>>,
    set: Method,
    to_base64: Method,
}

type Method = Persistent<Function<'static>>;

impl ViewMethods {
    pub fn new(ctx: &Ctx<'_>) -> Result<Self> {
        let class: Constructor<'_> = ctx.globals().get("Uint8Array")?;
        let prototype: Object<'_> = class.get("prototype")?;
        let method = |name| -> Result<Method> {
            let method: Function<'_> = prototype.get(name)?;
            Ok(Persistent::save(ctx, method))
        };
        let (set, to_base64) = (method("set")?, method("toBase64")?);
        Ok(Self { class: Persistent::save(ctx, class), set, to_base64 })
    }
}

/// The bytes of a `Uint8Array` or a `Buffer`, copied.
pub(crate) struct Bytes(pub Vec<u8>);

impl<'js> FromJs<'js> for Bytes {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        let view = TypedArray::<u8>::from_js(ctx, value)?;
        let mut bytes = Vec::new();
        append(&view, &mut bytes);
        Ok(Self(bytes))
    }
}

/// Appends the bytes of a view. A view of a detached buffer has none.
pub(crate) fn append(view: &TypedArray<'_, u8>, bytes: &mut Vec<u8>) {
    if append_text(view, bytes).is_err() {
        // The buffer is detached; the script does not get this exception.
        drop(view.ctx().catch());
    }
}

fn append_text(view: &TypedArray<'_, u8>, bytes: &mut Vec<u8>) -> Result<()> {
    let length = length(view);
    if length == 0 {
        return Ok(());
    }
    let encode = current().view_methods(view.ctx())?.to_base64.clone().restore(view.ctx())?;
    let text: CString<'_> = encode.call((This(view.clone()),))?;
    bytes.reserve_exact(length);
    STANDARD.decode_vec(text.as_str(), bytes).expect("the engine has encoded it");
    Ok(())
}

/// Copies the bytes of a view from `start` to `end`, clamped to its length.
pub(crate) fn range(view: &TypedArray<'_, u8>, start: usize, end: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let length = length(view);
    let end = end.min(length);
    if start == 0 && end == length {
        append(view, &mut bytes);
    } else if start < end {
        match part(view, start, end) {
            Ok(part) => append(&part, &mut bytes),
            Err(_) => drop(view.ctx().catch()),
        }
    }
    bytes
}

fn part<'js>(view: &TypedArray<'js, u8>, start: usize, end: usize) -> Result<TypedArray<'js, u8>> {
    let class = current().view_methods(view.ctx())?.class.clone().restore(view.ctx())?;
    let buffer = view.arraybuffer()?;
    let (Some(whole), Some(memory)) = (buffer.as_raw(), view.as_raw()) else {
        return Err(rquickjs::Error::Unknown);
    };
    let offset = memory.addr().get() - whole.addr().get();
    class.construct((buffer, (offset + start) as f64, (end - start) as f64))
}

/// The length of a view. The script could replace its property `length`.
fn length(view: &TypedArray<'_, u8>) -> usize {
    view.as_raw().map_or(0, |memory| memory.len())
}

/// Copies `bytes` into a view at `offset`, up to its end. Returns the number of copied bytes.
pub(crate) fn fill(view: &TypedArray<'_, u8>, offset: usize, mut bytes: Vec<u8>) -> Result<usize> {
    bytes.truncate(length(view).saturating_sub(offset));
    let count = bytes.len();
    if count > 0 {
        let set = current().view_methods(view.ctx())?.set.clone().restore(view.ctx())?;
        let source = TypedArray::<u8>::new(view.ctx().clone(), bytes)?;
        set.call::<_, ()>((This(view.clone()), source, offset as f64))?;
    }
    Ok(count)
}

/// Creates a `Uint8Array` that owns `bytes`.
pub(crate) fn array<'js>(ctx: &Ctx<'js>, bytes: Vec<u8>) -> Result<Object<'js>> {
    Ok(TypedArray::new(ctx.clone(), bytes)?.into_object())
}
