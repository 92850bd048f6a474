//! Copies of the memory of typed arrays.

use std::ops::Range;

use rquickjs::TypedArray;

/// Appends a part of a `Uint8Array`, clamped to its length. One whose buffer is detached has no bytes.
///
/// ```
/// use mauve_quickjs::{append_bytes, fill_bytes};
/// use rquickjs::{Context, Runtime, TypedArray};
///
/// let runtime = Runtime::new()?;
/// Context::full(&runtime)?.with(|ctx| -> rquickjs::Result<()> {
///     let view: TypedArray<u8> = ctx.eval("new Uint8Array([1, 2, 3, 4]).subarray(1)")?;
///     assert_eq!(fill_bytes(&view, 2, &[5, 6]), 1);
///     let mut bytes = vec![0];
///     append_bytes(&view, 1..9, &mut bytes);
///     assert_eq!(bytes, [0, 3, 5]);
///     Ok(())
/// })?;
/// # Ok::<(), rquickjs::Error>(())
/// ```
pub fn append_bytes(view: &TypedArray<'_, u8>, range: Range<usize>, bytes: &mut Vec<u8>) {
    let Some(memory) = view.as_raw() else { return };
    // SAFETY: QuickJS owns the memory, and only JavaScript of this thread frees or changes it. None runs
    // until the copy is complete.
    let all = unsafe { memory.as_ref() };
    let end = range.end.min(all.len());
    bytes.extend_from_slice(&all[range.start.min(end)..end]);
}

/// Copies `bytes` into a `Uint8Array` at `offset`, up to its end. Returns the number of copied bytes.
pub fn fill_bytes(view: &TypedArray<'_, u8>, offset: usize, bytes: &[u8]) -> usize {
    let Some(memory) = view.as_raw() else { return 0 };
    let count = memory.len().saturating_sub(offset).min(bytes.len());
    if count > 0 {
        // SAFETY: `offset + count` is within the memory, which QuickJS owns. No JavaScript runs until the
        // copy is complete. `bytes` may be of the same memory, which `copy` permits.
        unsafe { memory.as_ptr().cast::<u8>().add(offset).copy_from(bytes.as_ptr(), count) };
    }
    count
}

/// Copies a `Uint8Array` into another one at `offset`, up to its end. Returns the number of copied bytes.
///
/// ```
/// use mauve_quickjs::{append_bytes, copy_bytes};
/// use rquickjs::{Context, Runtime, TypedArray};
///
/// let runtime = Runtime::new()?;
/// Context::full(&runtime)?.with(|ctx| -> rquickjs::Result<()> {
///     let source: TypedArray<u8> = ctx.eval("new Uint8Array([1, 2, 3])")?;
///     let target: TypedArray<u8> = ctx.eval("new Uint8Array(4)")?;
///     assert_eq!(copy_bytes(&source, &target, 2), 2);
///     let mut bytes = Vec::new();
///     append_bytes(&target, 0..4, &mut bytes);
///     assert_eq!(bytes, [0, 0, 1, 2]);
///     Ok(())
/// })?;
/// # Ok::<(), rquickjs::Error>(())
/// ```
pub fn copy_bytes(
    source: &TypedArray<'_, u8>,
    target: &TypedArray<'_, u8>,
    offset: usize,
) -> usize {
    let Some(memory) = source.as_raw() else { return 0 };
    // SAFETY: QuickJS owns the memory, and no JavaScript runs until the copy is complete.
    fill_bytes(target, offset, unsafe { memory.as_ref() })
}
