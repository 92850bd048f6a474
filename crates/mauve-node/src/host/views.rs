//! Copies bytes between JavaScript and Rust.

use mauve_quickjs::append_bytes;
pub(crate) use mauve_quickjs::fill_bytes as fill;
use rquickjs::{Ctx, FromJs, Object, Result, TypedArray, Value};

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
    append_bytes(view, 0..usize::MAX, bytes);
}

/// Copies the bytes of a view from `start` to `end`, clamped to its length.
pub(crate) fn range(view: &TypedArray<'_, u8>, start: usize, end: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    append_bytes(view, start..end, &mut bytes);
    bytes
}

/// Creates a `Uint8Array` that owns `bytes`.
pub(crate) fn array<'js>(ctx: &Ctx<'js>, bytes: Vec<u8>) -> Result<Object<'js>> {
    Ok(TypedArray::new(ctx.clone(), bytes)?.into_object())
}
