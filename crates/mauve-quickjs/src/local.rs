//! Values that borrow their context.
//!
//! A `Value` of rquickjs counts a reference to its context, checks the type of an object with up to seven
//! calls, and copies strings. Code that visits many values, such as a serializer, would spend most of its
//! time with that.

mod atom;

use std::mem::MaybeUninit;
use std::ptr;
use std::slice;

use rquickjs::{Ctx, Error, Value, qjs};

pub use atom::{LocalAtom, LocalKeys, SavedAtom};

/// An exception has been thrown, and is stored in the context. A result with it is as small as its value.
#[derive(Debug)]
pub struct Thrown;

impl From<Thrown> for Error {
    fn from(_: Thrown) -> Self {
        Error::Exception
    }
}

type Result<T> = std::result::Result<T, Thrown>;

/// A value that borrows its context.
///
/// ```
/// use mauve_quickjs::{Kind, Local, LocalAtom};
/// use rquickjs::{Context, Runtime, Value};
///
/// let runtime = Runtime::new()?;
/// Context::full(&runtime)?.with(|ctx| -> rquickjs::Result<()> {
///     let value: Value = ctx.eval("({ a: 1, b: [2, 3] })")?;
///     let object = Local::new(&ctx, &value);
///     let mut sum = 0;
///     for name in object.keys()? {
///         let value = object.get(&name)?;
///         sum += match value.kind() {
///             Kind::Int(number) => number,
///             _ => value.element(1)?.kind().as_int().unwrap_or(0),
///         };
///     }
///     assert_eq!(sum, 4);
///     assert_eq!(object.get(&LocalAtom::new(&ctx, "none")?)?.kind(), Kind::Undefined);
///     Ok(())
/// })?;
/// # Ok::<(), rquickjs::Error>(())
/// ```
pub struct Local<'a, 'js> {
    ctx: &'a Ctx<'js>,
    /// Owned: counts a reference.
    raw: qjs::JSValue,
}

/// The type of a value, and what is stored in the value itself.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Kind {
    Undefined,
    Null,
    Bool(bool),
    Int(i32),
    Float(f64),
    String,
    Symbol,
    BigInt,
    Object,
    /// Not a value of the language.
    Internal,
}

impl Kind {
    /// The number, if it is stored as an integer.
    #[must_use]
    #[inline]
    pub fn as_int(self) -> Option<i32> {
        if let Self::Int(number) = self { Some(number) } else { None }
    }
}

impl<'a, 'js> Local<'a, 'js> {
    /// The same value.
    #[inline]
    pub fn new(ctx: &'a Ctx<'js>, value: &Value<'js>) -> Self {
        // SAFETY: the value exists. The new reference is owned by `Self`.
        unsafe { Self::owned(ctx, qjs::JS_DupValue(ctx.as_raw().as_ptr(), value.as_raw())) }
    }

    /// Creates a string from UTF-8, in which a lone surrogate may be encoded like other code points.
    ///
    /// ```
    /// use mauve_quickjs::Local;
    /// use rquickjs::{Context, Runtime, Value};
    ///
    /// let runtime = Runtime::new()?;
    /// Context::full(&runtime)?.with(|ctx| -> rquickjs::Result<()> {
    ///     let text: Value = ctx.eval(r"'a\ud800'")?;
    ///     let bytes = b"a\xed\xa0\x80";
    ///     assert_eq!(Local::new(&ctx, &text).with_text(<[u8]>::to_vec)?, bytes);
    ///     ctx.globals().set("copy", Local::text(&ctx, bytes)?.to_value())?;
    ///     assert!(ctx.eval::<bool, _>(r"copy === 'a\ud800'")?);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), rquickjs::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the text is longer than strings can be, or there is no memory left.
    #[inline]
    pub fn text(ctx: &'a Ctx<'js>, text: &[u8]) -> Result<Self> {
        let length = text.len() as qjs::size_t;
        // SAFETY: the context exists. QuickJS copies the bytes, and replaces those that are not UTF-8.
        Self::checked(ctx, unsafe {
            qjs::JS_NewStringLen(ctx.as_raw().as_ptr(), text.as_ptr().cast(), length)
        })
    }

    /// A boolean.
    #[must_use]
    #[inline]
    pub fn boolean(ctx: &'a Ctx<'js>, is: bool) -> Self {
        Self { ctx, raw: if is { qjs::JS_TRUE } else { qjs::JS_FALSE } }
    }

    /// A number.
    #[must_use]
    #[inline]
    pub fn number(ctx: &'a Ctx<'js>, number: f64) -> Self {
        // SAFETY: the context exists. A number has no reference that is counted.
        Self { ctx, raw: unsafe { qjs::JS_NewNumber(ctx.as_raw().as_ptr(), number) } }
    }

    /// The value `undefined`.
    #[must_use]
    #[inline]
    pub fn undefined(ctx: &'a Ctx<'js>) -> Self {
        Self { ctx, raw: qjs::JS_UNDEFINED }
    }

    /// An object without a prototype.
    ///
    /// # Errors
    /// If there is no memory left.
    #[inline]
    pub fn table(ctx: &'a Ctx<'js>) -> Result<Self> {
        // SAFETY: the context exists.
        Self::checked(ctx, unsafe { qjs::JS_NewObjectProto(ctx.as_raw().as_ptr(), qjs::JS_NULL) })
    }

    /// An array with these elements.
    ///
    /// ```
    /// use mauve_quickjs::{Kind, Local};
    /// use rquickjs::{Context, Runtime};
    ///
    /// let runtime = Runtime::new()?;
    /// Context::full(&runtime)?.with(|ctx| -> rquickjs::Result<()> {
    ///     let list = Local::array(&[&Local::undefined(&ctx), &Local::boolean(&ctx, true)])?;
    ///     assert!(list.is_array());
    ///     assert_eq!(list.element(1)?.kind(), Kind::Bool(true));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), rquickjs::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is no memory left.
    ///
    /// # Panics
    /// If there are no elements.
    pub fn array(elements: &[&Self]) -> Result<Self> {
        let ctx = elements.first().expect("an array has elements").ctx;
        // SAFETY: the context exists.
        let list = Self::checked(ctx, unsafe { qjs::JS_NewArray(ctx.as_raw().as_ptr()) })?;
        for (index, element) in (0..).zip(elements) {
            let value = (*element).clone().into_raw();
            // SAFETY: the context, the array and the value exist. QuickJS releases the reference to `value`.
            let result =
                unsafe { qjs::JS_SetPropertyUint32(ctx.as_raw().as_ptr(), list.raw, index, value) };
            if result < 0 {
                return Err(Thrown);
            }
        }
        Ok(list)
    }

    /// # Safety
    /// `raw` is a value of the context's runtime, which exists during this call.
    #[inline]
    pub(crate) unsafe fn duplicate(ctx: &'a Ctx<'js>, raw: qjs::JSValue) -> Self {
        // SAFETY: the value exists. The new reference is owned by `Self`.
        unsafe { Self::owned(ctx, qjs::JS_DupValue(ctx.as_raw().as_ptr(), raw)) }
    }

    /// The value, whose reference the caller has to release.
    #[inline]
    pub(crate) fn into_raw(self) -> qjs::JSValue {
        std::mem::ManuallyDrop::new(self).raw
    }

    /// Calls a function with values that exist during the call.
    #[inline]
    pub(crate) fn call_raw(
        &self,
        this: &Self,
        args: &[qjs::JSValue],
    ) -> std::result::Result<Self, Error> {
        let count = args.len() as std::ffi::c_int;
        // SAFETY: the context and all values exist during the call. QuickJS does not change the arguments.
        let result = unsafe {
            qjs::JS_Call(self.context(), self.raw, this.raw, count, args.as_ptr().cast_mut())
        };
        Ok(Self::checked(self.ctx, result)?)
    }

    /// Calls a function.
    ///
    /// # Errors
    /// If it throws.
    #[inline]
    pub fn call(&self, this: &Self, args: &[&Self]) -> std::result::Result<Self, Error> {
        let args: Vec<_> = args.iter().map(|arg| arg.raw).collect();
        self.call_raw(this, &args)
    }

    /// # Safety
    /// `raw` is a value of the context's runtime, and its reference is not released elsewhere.
    #[inline]
    pub(crate) unsafe fn owned(ctx: &'a Ctx<'js>, raw: qjs::JSValue) -> Self {
        Self { ctx, raw }
    }

    /// The result of a function of QuickJS for this context, which the caller owns.
    #[inline]
    fn checked(ctx: &'a Ctx<'js>, raw: qjs::JSValue) -> Result<Self> {
        // SAFETY: only the tag is read. All callers pass what QuickJS has returned to its owner.
        unsafe { if qjs::JS_IsException(raw) { Err(Thrown) } else { Ok(Self::owned(ctx, raw)) } }
    }

    #[inline]
    fn context(&self) -> *mut qjs::JSContext {
        self.ctx.as_raw().as_ptr()
    }

    /// The context of the value.
    #[must_use]
    #[inline]
    pub fn ctx(&self) -> &'a Ctx<'js> {
        self.ctx
    }

    /// The value as one of rquickjs.
    #[must_use]
    #[inline]
    pub fn to_value(&self) -> Value<'js> {
        // SAFETY: the value exists. The new reference is owned by `Value`.
        unsafe { Value::from_raw(self.ctx.clone(), qjs::JS_DupValue(self.context(), self.raw)) }
    }

    /// The type of the value.
    #[must_use]
    #[inline]
    pub fn kind(&self) -> Kind {
        // SAFETY: the tag says which field of the value is valid.
        unsafe {
            match qjs::JS_VALUE_GET_NORM_TAG(self.raw) {
                qjs::JS_TAG_UNDEFINED => Kind::Undefined,
                qjs::JS_TAG_NULL => Kind::Null,
                qjs::JS_TAG_BOOL => Kind::Bool(qjs::JS_VALUE_GET_BOOL(self.raw)),
                qjs::JS_TAG_INT => Kind::Int(qjs::JS_VALUE_GET_INT(self.raw)),
                qjs::JS_TAG_FLOAT64 => Kind::Float(qjs::JS_VALUE_GET_FLOAT64(self.raw)),
                qjs::JS_TAG_STRING | qjs::JS_TAG_STRING_ROPE => Kind::String,
                qjs::JS_TAG_SYMBOL => Kind::Symbol,
                qjs::JS_TAG_BIG_INT | qjs::JS_TAG_SHORT_BIG_INT => Kind::BigInt,
                qjs::JS_TAG_OBJECT => Kind::Object,
                _ => Kind::Internal,
            }
        }
    }

    /// Whether the value can be called.
    #[must_use]
    #[inline]
    pub fn is_function(&self) -> bool {
        // SAFETY: the context and the value exist.
        unsafe { qjs::JS_IsFunction(self.context(), self.raw) }
    }

    /// Whether the value is an array. A proxy of one is not.
    #[must_use]
    #[inline]
    pub fn is_array(&self) -> bool {
        // SAFETY: the value exists.
        unsafe { qjs::JS_IsArray(self.raw) }
    }

    /// Whether JavaScript considers the value true.
    #[must_use]
    #[inline]
    pub fn is_truthy(&self) -> bool {
        match self.kind() {
            Kind::Bool(is) => is,
            Kind::Undefined | Kind::Null => false,
            // SAFETY: the context and the value exist.
            _ => unsafe { qjs::JS_ToBool(self.context(), self.raw) == 1 },
        }
    }

    /// The number that the value is converted to.
    ///
    /// # Errors
    /// If the conversion throws.
    #[inline]
    pub fn to_number(&self) -> Result<f64> {
        match self.kind() {
            Kind::Int(number) => return Ok(f64::from(number)),
            Kind::Float(number) => return Ok(number),
            _ => {}
        }
        let mut number = 0.0;
        // SAFETY: the context and the value exist.
        let result = unsafe { qjs::JS_ToFloat64(self.context(), &mut number, self.raw) };
        if result < 0 { Err(Thrown) } else { Ok(number) }
    }

    /// Whether the value is a proxy.
    #[must_use]
    #[inline]
    pub fn is_proxy(&self) -> bool {
        // SAFETY: the value exists.
        unsafe { qjs::JS_IsProxy(self.raw) }
    }

    /// Whether both are the same object.
    #[must_use]
    #[inline]
    pub fn is_same_object(&self, other: &Self) -> bool {
        // SAFETY: the pointers are valid fields if both are objects. They are only compared.
        unsafe {
            let is_object = qjs::JS_IsObject(self.raw) && qjs::JS_IsObject(other.raw);
            is_object && ptr::eq(qjs::JS_VALUE_GET_PTR(self.raw), qjs::JS_VALUE_GET_PTR(other.raw))
        }
    }

    /// A number that identifies an object as long as it exists.
    #[must_use]
    #[inline]
    pub fn identity(&self) -> usize {
        // SAFETY: the pointer is a valid field if this is an object. It is not followed.
        unsafe {
            let is_object = qjs::JS_IsObject(self.raw);
            if is_object { qjs::JS_VALUE_GET_PTR(self.raw) as usize } else { 0 }
        }
    }

    /// The number of an object's class, which is equal for objects of one kind, such as arrays.
    #[must_use]
    #[inline]
    pub fn class_id(&self) -> u32 {
        // SAFETY: the value exists. For other values than objects, QuickJS returns an invalid number.
        unsafe { qjs::JS_GetClassID(self.raw) }
    }

    /// A property.
    ///
    /// # Errors
    /// If reading it throws.
    #[inline]
    pub fn get(&self, name: &LocalAtom<'a, 'js>) -> Result<Self> {
        // SAFETY: the context, the value and the atom exist.
        Self::checked(self.ctx, unsafe { qjs::JS_GetProperty(self.context(), self.raw, name.raw) })
    }

    /// Sets a property.
    ///
    /// ```
    /// use mauve_quickjs::{Local, LocalAtom};
    /// use rquickjs::{Context, Runtime};
    ///
    /// let runtime = Runtime::new()?;
    /// Context::full(&runtime)?.with(|ctx| -> rquickjs::Result<()> {
    ///     let (table, a) = (Local::table(&ctx)?, LocalAtom::new(&ctx, "a")?);
    ///     table.set(&a, Local::number(&ctx, 1.0))?;
    ///     assert_eq!(table.get(&a)?.kind().as_int(), Some(1));
    ///     table.delete(&a)?;
    ///     assert_eq!(table.keys()?.count(), 0);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), rquickjs::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the object cannot be changed, or a setter throws.
    #[inline]
    pub fn set(&self, name: &LocalAtom<'a, 'js>, value: Self) -> Result<()> {
        // SAFETY: the context, both values and the atom exist. QuickJS releases the reference to `value`.
        let result =
            unsafe { qjs::JS_SetProperty(self.context(), self.raw, name.raw, value.into_raw()) };
        if result < 0 { Err(Thrown) } else { Ok(()) }
    }

    /// Deletes a property.
    ///
    /// # Errors
    /// If a proxy throws.
    #[inline]
    pub fn delete(&self, name: &LocalAtom<'a, 'js>) -> Result<()> {
        // SAFETY: the context, the value and the atom exist.
        let result = unsafe { qjs::JS_DeleteProperty(self.context(), self.raw, name.raw, 0) };
        if result < 0 { Err(Thrown) } else { Ok(()) }
    }

    /// The property whose name is this number.
    ///
    /// # Errors
    /// If reading it throws.
    #[inline]
    pub fn element(&self, index: u32) -> Result<Self> {
        // SAFETY: the context and the value exist.
        Self::checked(self.ctx, unsafe {
            qjs::JS_GetPropertyUint32(self.context(), self.raw, index)
        })
    }

    /// The names of the enumerable own properties of an object, without symbols.
    ///
    /// # Errors
    /// If a proxy throws.
    #[inline]
    pub fn keys(&self) -> Result<LocalKeys<'a, 'js>> {
        let flags = (qjs::JS_GPN_STRING_MASK | qjs::JS_GPN_ENUM_ONLY) as i32;
        let (mut list, mut count) = (ptr::null_mut(), 0);
        // SAFETY: the context and the value exist. QuickJS sets both variables unless it fails.
        let result = unsafe {
            qjs::JS_GetOwnPropertyNames(self.context(), &mut list, &mut count, self.raw, flags)
        };
        if result < 0 {
            return Err(Thrown);
        }
        Ok(LocalKeys { ctx: self.ctx, list, next: 0, count })
    }

    /// Calls `reader` with a string as UTF-8, in which a lone surrogate is encoded like other code points.
    /// The bytes of an ASCII string are not copied. Other values are converted to strings first.
    ///
    /// # Errors
    /// If the conversion throws, or there is no memory left.
    #[inline]
    pub fn with_text<R>(&self, reader: impl FnOnce(&[u8]) -> R) -> Result<R> {
        let mut length = MaybeUninit::uninit();
        // SAFETY: the context and the value exist. QuickJS returns `length` bytes, which it keeps until
        // `JS_FreeCString`. Strings never change, so JavaScript that `reader` runs does not change them.
        unsafe {
            let start = qjs::JS_ToCStringLen(self.context(), length.as_mut_ptr(), self.raw);
            if start.is_null() {
                return Err(Thrown);
            }
            let text = slice::from_raw_parts(start.cast::<u8>(), length.assume_init());
            let result = reader(text);
            qjs::JS_FreeCString(self.context(), start);
            Ok(result)
        }
    }
}

impl Clone for Local<'_, '_> {
    #[inline]
    fn clone(&self) -> Self {
        // SAFETY: the value exists, and belongs to the context's runtime.
        unsafe { Self::duplicate(self.ctx, self.raw) }
    }
}

impl Drop for Local<'_, '_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the value owns its reference.
        unsafe { qjs::JS_FreeValue(self.context(), self.raw) }
    }
}
