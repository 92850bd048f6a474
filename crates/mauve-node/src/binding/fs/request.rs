//! Runs file system operations, and converts their arguments and results.

use std::ffi::{CStr, CString};

use mauve::{Errno, WorkError};
use rquickjs::function::{FromParam, Opt, ParamRequirement, ParamsAccessor};
use rquickjs::{Ctx, FromJs, Function, IntoJs, Object, Persistent, Result, TypedArray, Value};

use crate::binding::{number, throw};
use crate::host::current;
use crate::host::text::Text;
use crate::host::views::{Bytes, fill};

type Callback = Persistent<Function<'static>>;

/// The last parameter of every operation: its optional callback. Without a callback the operation
/// is synchronous and throws its error; with one it runs on the thread pool.
pub(super) struct FsRequest<'js> {
    ctx: Ctx<'js>,
    callback: Option<Callback>,
}

impl<'js> FromParam<'js> for FsRequest<'js> {
    fn param_requirement() -> ParamRequirement {
        Opt::<Callback>::param_requirement()
    }

    fn from_param<'a>(params: &mut ParamsAccessor<'a, 'js>) -> Result<Self> {
        let ctx = params.ctx().clone();
        Ok(Self { ctx, callback: Opt::from_param(params)?.0 })
    }
}

impl<'js> FsRequest<'js> {
    /// Runs `work` and converts its result.
    pub fn run<T>(
        self,
        work: impl FnOnce() -> mauve::Result<T> + Send + 'static,
    ) -> Result<Value<'js>>
    where
        T: for<'a> IntoJs<'a> + Send + 'static,
    {
        self.run_with(work, AsValue)
    }

    /// Runs `work`, which returns bytes, and copies them into `view`. The result is their number.
    pub fn run_into(
        self,
        view: TypedArray<'js, u8>,
        offset: usize,
        work: impl FnOnce() -> mauve::Result<Vec<u8>> + Send + 'static,
    ) -> Result<Value<'js>> {
        let view = Persistent::save(&self.ctx, view);
        self.run_with(work, IntoView { view, offset })
    }

    fn run_with<T: Send + 'static>(
        self,
        work: impl FnOnce() -> mauve::Result<T> + Send + 'static,
        conversion: impl Conversion<T>,
    ) -> Result<Value<'js>> {
        match self.callback {
            // The box makes one type of all operations with such a result, which are queued by the
            // same code.
            Some(callback) => queue(&self.ctx, callback, Box::new(work), conversion),
            None => match work() {
                Ok(value) => conversion.convert(&self.ctx, value),
                Err(error) => throw(&self.ctx, error),
            },
        }
    }
}

/// Runs `work` on the thread pool, and passes the converted result to the callback.
fn queue<'js, T: Send + 'static>(
    ctx: &Ctx<'js>,
    callback: Callback,
    work: Box<dyn FnOnce() -> mauve::Result<T> + Send>,
    conversion: impl Conversion<T>,
) -> Result<Value<'js>> {
    let on_done = move |_: &mut (), result: std::result::Result<_, WorkError>| {
        let result = result.unwrap_or(Err(Errno::ECANCELED));
        current().call_back(&callback, |ctx, args| match result {
            Ok(value) => {
                args.push_arg(0)?;
                args.push_arg(conversion.convert(ctx, value)?)
            }
            Err(error) => args.push_arg(number(error)),
        });
    };
    match current().lp.queue_work(work, on_done) {
        Ok(_) => Ok(Value::new_undefined(ctx.clone())),
        Err(error) => throw(ctx, error),
    }
}

/// How the result of an operation becomes a value.
trait Conversion<T>: 'static {
    fn convert<'js>(self, ctx: &Ctx<'js>, result: T) -> Result<Value<'js>>;
}

/// The result itself.
struct AsValue;

impl<T: for<'js> IntoJs<'js>> Conversion<T> for AsValue {
    fn convert<'js>(self, ctx: &Ctx<'js>, result: T) -> Result<Value<'js>> {
        result.into_js(ctx)
    }
}

/// Copies bytes into a view. The value is their number.
struct IntoView {
    view: Persistent<TypedArray<'static, u8>>,
    offset: usize,
}

impl Conversion<Vec<u8>> for IntoView {
    fn convert<'js>(self, ctx: &Ctx<'js>, bytes: Vec<u8>) -> Result<Value<'js>> {
        (fill(&self.view.restore(ctx)?, self.offset, &bytes) as f64).into_js(ctx)
    }
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
