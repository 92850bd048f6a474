//! Reads from files, and converts the arguments and results of file system operations.

use std::ffi::{CStr, CString};

use mauve::Errno;
use mauve_sys::fs::read_batch::FileRead;
use rquickjs::{Ctx, FromJs, IntoJs, Object, Persistent, Result, TypedArray, Value};

use crate::binding::pool_request::{Convert, PoolRequest, call_back};
use crate::binding::throw;
use crate::host::current;
use crate::host::text::Text;
use crate::host::views::{Bytes, fill};

impl<'js> PoolRequest<'js> {
    /// Reads from a file and copies the bytes into `view`. The result is their number.
    pub fn read_into(
        self,
        view: TypedArray<'js, u8>,
        offset: usize,
        mut read: FileRead,
    ) -> Result<Value<'js>> {
        let convert = into_view(Persistent::save(&self.ctx, view), offset);
        let Some(callback) = self.callback else {
            read.finish();
            let count = read.result().unwrap_or(Err(Errno::EIO));
            return match count.map(|_| read.take_bytes().unwrap_or_default()) {
                Ok(bytes) => convert(&self.ctx, bytes),
                Err(error) => throw(&self.ctx, error),
            };
        };
        let on_done = move |result| call_back(&callback, result, convert);
        match current().lp.read_file(read, on_done) {
            Ok(()) => Ok(Value::new_undefined(self.ctx)),
            Err(error) => throw(&self.ctx, error),
        }
    }
}

/// Copies bytes into a view. The value is their number.
fn into_view(view: Persistent<TypedArray<'static, u8>>, offset: usize) -> impl Convert<Vec<u8>> {
    move |ctx, bytes| (fill(&view.restore(ctx)?, offset, &bytes) as f64).into_js(ctx)
}

/// A path or a file name: a string or, for the encoding `buffer`, a `Uint8Array`.
pub(super) struct FileName {
    pub bytes: Vec<u8>,
    pub raw: bool,
}

impl<'js> IntoJs<'js> for FileName {
    fn into_js(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        if self.raw {
            return Ok(TypedArray::new(ctx.clone(), self.bytes)?.into_value());
        }
        text(self.bytes).into_js(ctx)
    }
}

/// Directory entries as `[name, kind, name, kind, …]`.
pub(super) struct DirEntries(pub Vec<(FileName, i32)>);

impl<'js> IntoJs<'js> for DirEntries {
    fn into_js(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        let list = rquickjs::Array::new(ctx.clone())?;
        for (index, (name, kind)) in self.0.into_iter().enumerate() {
            list.set(index * 2, name)?;
            list.set(index * 2 + 1, kind)?;
        }
        Ok(list.into_value())
    }
}

pub(super) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// A path argument: a string or bytes. JavaScript has checked that it has no NUL byte.
pub(super) struct PathArg(CString);

impl std::ops::Deref for PathArg {
    type Target = CStr;

    fn deref(&self) -> &CStr {
        &self.0
    }
}

impl<'js> FromJs<'js> for PathArg {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        let bytes = if value.is_string() {
            Text::from_js(ctx, value)?.0.into_bytes()
        } else {
            Bytes::from_js(ctx, Object::from_js(ctx, value)?.into_value())?.0
        };
        match CString::new(bytes) {
            Ok(path) => Ok(Self(path)),
            Err(_) => throw(ctx, Errno::EINVAL),
        }
    }
}
