//! The memory of `SharedArrayBuffer`s, which engines of several threads have in common.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicUsize, Ordering, fence};

use rquickjs::{Ctx, Result, Value, qjs};

/// Precedes the bytes. Their alignment is that of the header.
#[repr(C, align(16))]
struct Header {
    references: AtomicUsize,
    size: usize,
}

const HEADER: usize = size_of::<Header>();

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.checked_add(HEADER)?, align_of::<Header>()).ok()
}

/// Makes `SharedArrayBuffer`s of an engine shareable, and allows `Atomics.wait` to block its thread.
pub fn enable_shared_memory(ctx: &Ctx<'_>) {
    let functions = qjs::JSSharedArrayBufferFunctions {
        sab_alloc: Some(allocate),
        sab_free: Some(release),
        sab_dup: Some(retain),
        sab_opaque: ptr::null_mut(),
    };
    // SAFETY: the context is valid. The engine copies the functions, which keep what it expects of them.
    unsafe {
        let runtime = qjs::JS_GetRuntime(ctx.as_raw().as_ptr());
        qjs::JS_SetSharedArrayBufferFunctions(runtime, &raw const functions);
        qjs::JS_SetCanBlock(runtime, true);
    }
}

unsafe extern "C" fn allocate(_: *mut c_void, size: qjs::size_t) -> *mut c_void {
    let size = size as usize;
    let Some(layout) = layout(size) else { return ptr::null_mut() };
    // SAFETY: the layout is not empty.
    let memory = unsafe { alloc_zeroed(layout) };
    if memory.is_null() {
        return ptr::null_mut();
    }
    // SAFETY: the memory is aligned and large enough for the header, and nothing else refers to it yet.
    unsafe {
        memory.cast::<Header>().write(Header { references: AtomicUsize::new(1), size });
        memory.add(HEADER).cast()
    }
}

/// The header of memory that [`allocate`] returned and that has a reference.
///
/// # Safety
/// `bytes` must be such memory.
unsafe fn header(bytes: *mut c_void) -> *mut Header {
    // SAFETY: the header precedes the bytes in one allocation.
    unsafe { bytes.cast::<u8>().sub(HEADER).cast() }
}

unsafe extern "C" fn retain(_: *mut c_void, bytes: *mut c_void) {
    // SAFETY: the caller has a reference, so the header is valid.
    unsafe { (*header(bytes)).references.fetch_add(1, Ordering::Relaxed) };
}

unsafe extern "C" fn release(_: *mut c_void, bytes: *mut c_void) {
    // SAFETY: the caller gives up its reference, so the header is valid until it is the last.
    unsafe {
        let header = header(bytes);
        if (*header).references.fetch_sub(1, Ordering::Release) == 1 {
            fence(Ordering::Acquire);
            let size = (*header).size;
            dealloc(header.cast(), layout(size).expect("it was allocated with this layout"));
        }
    }
}

/// A reference to the memory of a `SharedArrayBuffer`. It may move to another thread.
#[derive(Debug)]
pub struct SharedMemory {
    bytes: NonNull<u8>,
    length: usize,
}

// SAFETY: only scripts read and write the bytes, and they expect data races. The count of references is atomic.
unsafe impl Send for SharedMemory {}

impl SharedMemory {
    /// The memory of a `SharedArrayBuffer`, or `None` if `value` is something else.
    pub fn of(value: &Value<'_>) -> Option<Self> {
        let mut length: qjs::size_t = 0;
        // SAFETY: the context and the value are valid. The engine returns the memory of any kind of buffer.
        let bytes = unsafe {
            let ctx = value.ctx().as_raw().as_ptr();
            qjs::JS_GetArrayBuffer(ctx, &raw mut length, value.as_raw())
        };
        let Some(bytes) = NonNull::new(bytes) else {
            value.ctx().catch();
            return None;
        };
        // SAFETY: the caller passes a buffer with shared memory, which `allocate` returned.
        unsafe { retain(ptr::null_mut(), bytes.as_ptr().cast()) };
        Some(Self { bytes, length: length as usize })
    }

    /// Creates a `SharedArrayBuffer` with this memory.
    ///
    /// # Errors
    /// If there is no memory for the object.
    pub fn open<'js>(&self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        // SAFETY: the engine adds a reference of its own, which it releases with the function of `enable_shared_memory`.
        unsafe {
            let raw = ctx.as_raw().as_ptr();
            let length = self.length as qjs::size_t;
            let bytes = self.bytes.as_ptr();
            // It cannot grow, so it has no other maximum.
            let value = qjs::JS_NewArrayBuffer(raw, bytes, length, 0, None, ptr::null_mut(), true);
            if qjs::JS_IsException(value) {
                return Err(rquickjs::Error::Exception);
            }
            Ok(Value::from_raw(ctx.clone(), value))
        }
    }
}

impl Clone for SharedMemory {
    fn clone(&self) -> Self {
        // SAFETY: `self` has a reference.
        unsafe { retain(ptr::null_mut(), self.bytes.as_ptr().cast()) };
        Self { bytes: self.bytes, length: self.length }
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        // SAFETY: `self` gives up its reference.
        unsafe { release(ptr::null_mut(), self.bytes.as_ptr().cast()) };
    }
}

#[cfg(test)]
mod tests {
    use rquickjs::{Context, Runtime, Value};

    use super::{SharedMemory, enable_shared_memory};

    #[test]
    fn two_engines_share_memory() {
        let contexts = [(); 2]
            .map(|()| Context::full(&Runtime::new().expect("a runtime")).expect("a context"));
        for context in &contexts {
            context.with(|ctx| enable_shared_memory(&ctx));
        }
        let memory = contexts[0].with(|ctx| {
            let buffer: Value<'_> =
                ctx.eval("globalThis.b = new SharedArrayBuffer(8)").expect("a buffer");
            SharedMemory::of(&buffer).expect("it has memory")
        });
        contexts[1].with(|ctx| {
            let buffer = memory.clone().open(&ctx).expect("a buffer");
            ctx.globals().set("b", buffer).expect("an object");
            ctx.eval::<(), _>("new Int32Array(b)[1] = 7").expect("it runs");
        });
        drop(memory);
        contexts[0].with(|ctx| {
            assert_eq!(ctx.eval::<i32, _>("new Int32Array(b)[1]").expect("it runs"), 7);
            assert_eq!(
                ctx.eval::<String, _>("String(b)").expect("it runs"),
                "[object SharedArrayBuffer]"
            );
            assert!(SharedMemory::of(&Value::new_int(ctx, 1)).is_none());
        });
    }
}
