//! Bytes that cross between JavaScript and Rust.
//!
//! The engine lends its buffers as raw memory, for JavaScript could change or free them while Rust
//! looks. Here they are looked at for the length of one copy, in which no JavaScript runs.

use rquickjs::{Ctx, FromJs, Object, Result, TypedArray, Value};

/// The bytes of a `Uint8Array`, a `Buffer` or another view, copied.
pub(crate) struct Bytes(pub Vec<u8>);

impl<'js> FromJs<'js> for Bytes {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        let view = TypedArray::<u8>::from_js(ctx, value)?;
        Ok(Self(copy(&view)))
    }
}

fn copy(view: &TypedArray<'_, u8>) -> Vec<u8> {
    look(view, <[u8]>::to_vec)
}

/// Shows the bytes of a view to `work`, which must run no JavaScript.
#[allow(unsafe_code)]
pub(crate) fn look<R>(view: &TypedArray<'_, u8>, work: impl FnOnce(&[u8]) -> R) -> R {
    // SAFETY: the engine runs on this thread alone, and `work` runs none of it, so nothing can
    // change, move or free the bytes meanwhile.
    work(unsafe { view.as_bytes() }.unwrap_or_default())
}

/// The bytes of a view from `start` to `end`, copied; what is outside of it is left out.
pub(crate) fn range(view: &TypedArray<'_, u8>, start: usize, end: usize) -> Vec<u8> {
    look(view, |all| all.get(start..end.min(all.len())).unwrap_or_default().to_vec())
}

/// Copies `bytes` into a view at `offset`; returns how many had room.
#[allow(unsafe_code)]
pub(crate) fn fill(view: &TypedArray<'_, u8>, offset: usize, bytes: &[u8]) -> usize {
    let Some(memory) = view.as_raw() else { return 0 };
    let count = bytes.len().min(memory.len().saturating_sub(offset));
    if count > 0 {
        // SAFETY: `memory` is what the view covers now, and `offset + count` is within it. No
        // JavaScript runs during the copy, and `bytes` is Rust's own.
        unsafe {
            let target = memory.as_ptr().cast::<u8>().add(offset);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), target, count);
        }
    }
    count
}

/// Bytes of Rust as a fresh `Uint8Array`.
pub(crate) fn array<'js>(ctx: &Ctx<'js>, bytes: Vec<u8>) -> Result<Object<'js>> {
    Ok(TypedArray::new(ctx.clone(), bytes)?.into_object())
}
