//! Names of properties: atoms that borrow their context, and lists of them.

use std::ptr;

use rquickjs::{Ctx, qjs};

use super::{Local, Result, Thrown};

/// The name of a property.
pub struct LocalAtom<'a, 'js> {
    pub(super) ctx: &'a Ctx<'js>,
    /// Owned: counts a reference.
    pub(super) raw: qjs::JSAtom,
}

impl<'a, 'js> LocalAtom<'a, 'js> {
    /// The name with this text.
    ///
    /// # Errors
    /// If there is no memory left.
    #[inline]
    pub fn new(ctx: &'a Ctx<'js>, name: &str) -> Result<Self> {
        Self::of(&Local::text(ctx, name.as_bytes())?)
    }

    /// The name that a value is converted to.
    ///
    /// # Errors
    /// If the conversion throws, or there is no memory left.
    #[inline]
    pub fn of(value: &Local<'a, 'js>) -> Result<Self> {
        let ctx = value.ctx;
        // SAFETY: the context and the value exist.
        let raw = unsafe { qjs::JS_ValueToAtom(ctx.as_raw().as_ptr(), value.raw) };
        if raw == qjs::JS_ATOM_NULL { Err(Thrown) } else { Ok(Self { ctx, raw }) }
    }

    /// The name as a string.
    ///
    /// # Errors
    /// If there is no memory left.
    #[inline]
    pub fn to_text(&self) -> Result<Local<'a, 'js>> {
        let context = self.ctx.as_raw().as_ptr();
        // SAFETY: the context and the atom exist.
        Local::checked(self.ctx, unsafe { qjs::JS_AtomToString(context, self.raw) })
    }

    /// A number that only equal names have, as long as one of them exists.
    #[must_use]
    #[inline]
    pub fn number(&self) -> u32 {
        self.raw
    }
}

/// The name of a property, which exists as long as its runtime.
pub struct SavedAtom {
    /// Never released by us; QuickJS releases all names with the runtime.
    raw: qjs::JSAtom,
    runtime: *mut qjs::JSRuntime,
}

impl SavedAtom {
    /// The name with this text.
    ///
    /// # Errors
    /// If there is no memory left.
    pub fn new(ctx: &Ctx<'_>, name: &str) -> Result<Self> {
        let atom = std::mem::ManuallyDrop::new(LocalAtom::new(ctx, name)?);
        // SAFETY: the context exists.
        let runtime = unsafe { qjs::JS_GetRuntime(ctx.as_raw().as_ptr()) };
        Ok(Self { raw: atom.raw, runtime })
    }

    /// The name.
    ///
    /// # Errors
    /// If it was saved in another runtime.
    #[inline]
    pub fn get<'a, 'js>(&self, ctx: &'a Ctx<'js>) -> Result<LocalAtom<'a, 'js>> {
        // SAFETY: the context exists. The pointers are only compared. The name of the same runtime exists,
        // because it is not released. The new reference is owned by the result.
        unsafe {
            let context = ctx.as_raw().as_ptr();
            if ptr::eq(qjs::JS_GetRuntime(context), self.runtime) {
                return Ok(LocalAtom { ctx, raw: qjs::JS_DupAtom(context, self.raw) });
            }
        }
        rquickjs::Exception::throw_message(ctx, "a name of another runtime");
        Err(Thrown)
    }
}

impl Clone for LocalAtom<'_, '_> {
    #[inline]
    fn clone(&self) -> Self {
        // SAFETY: the context and the atom exist. The new reference is owned by the result.
        let raw = unsafe { qjs::JS_DupAtom(self.ctx.as_raw().as_ptr(), self.raw) };
        Self { ctx: self.ctx, raw }
    }
}

impl PartialEq for LocalAtom<'_, '_> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl Drop for LocalAtom<'_, '_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the atom owns its reference.
        unsafe { qjs::JS_FreeAtom(self.ctx.as_raw().as_ptr(), self.raw) }
    }
}

/// The names of [`Local::keys`], as they were when it was called.
pub struct LocalKeys<'a, 'js> {
    pub(super) ctx: &'a Ctx<'js>,
    /// An array of `count` entries, owned. The atoms before `next` have been passed on.
    pub(super) list: *mut qjs::JSPropertyEnum,
    pub(super) next: u32,
    pub(super) count: u32,
}

impl<'a, 'js> Iterator for LocalKeys<'a, 'js> {
    type Item = LocalAtom<'a, 'js>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.next == self.count {
            return None;
        }
        // SAFETY: `next` is below `count`. The atom is passed on once, since `next` grows.
        let raw = unsafe { (*self.list.add(self.next as usize)).atom };
        self.next += 1;
        Some(LocalAtom { ctx: self.ctx, raw })
    }
}

impl Drop for LocalKeys<'_, '_> {
    #[inline]
    fn drop(&mut self) {
        self.for_each(drop);
        // SAFETY: QuickJS has allocated the list for its caller. All of its atoms have been passed on.
        unsafe { qjs::js_free(self.ctx.as_raw().as_ptr(), self.list.cast()) }
    }
}
