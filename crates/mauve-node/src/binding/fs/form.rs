//! How an operation is run, and how its parts cross the border.

use std::ffi::{CStr, CString};

use mauve::{Errno, WorkError};
use rquickjs::function::Opt;
use rquickjs::{Ctx, FromJs, Function, IntoJs, Object, Persistent, Result, TypedArray, Value};

use crate::binding::{number, throw};
use crate::host::current;
use crate::host::views::{Bytes, fill};

/// The callback of an operation that is to be done later; none for one that is to be done now.
pub(super) type Form = Opt<Persistent<Function<'static>>>;

/// Does `work` now or later.
pub(super) fn run<'js, T>(
    ctx: &Ctx<'js>,
    form: Form,
    work: impl FnOnce() -> mauve::Result<T> + Send + 'static,
) -> Result<Value<'js>>
where
    T: Reply + Send + 'static,
{
    let Some(callback) = form.0 else {
        return match work() {
            Ok(reply) => reply.into_value(ctx),
            Err(error) => throw(ctx, error),
        };
    };
    later(ctx, callback, work, |ctx, reply| reply.into_value(ctx))
}

/// Does `work` later, and makes a value of what it gives.
fn later<'js, T: Send + 'static>(
    ctx: &Ctx<'js>,
    callback: Persistent<Function<'static>>,
    work: impl FnOnce() -> mauve::Result<T> + Send + 'static,
    reply: impl for<'a> FnOnce(&Ctx<'a>, T) -> Result<Value<'a>> + 'static,
) -> Result<Value<'js>> {
    let after = move |_: &mut (), result: std::result::Result<_, WorkError>| {
        let result = result.unwrap_or(Err(Errno::ECANCELED));
        current().call_back(&callback, |ctx, args| match result {
            Ok(value) => {
                args.push_arg(0)?;
                args.push_arg(reply(ctx, value)?)
            }
            Err(error) => args.push_arg(number(error)),
        });
    };
    match current().lp.queue_work(work, after) {
        Ok(_) => Ok(Value::new_undefined(ctx.clone())),
        Err(error) => throw(ctx, error),
    }
}

/// Does `work`, which reads bytes, and puts these into `view`; replies how many there were.
pub(super) fn run_into<'js>(
    ctx: &Ctx<'js>,
    form: Form,
    view: TypedArray<'js, u8>,
    offset: usize,
    work: impl FnOnce() -> mauve::Result<Vec<u8>> + Send + 'static,
) -> Result<Value<'js>> {
    let Some(callback) = form.0 else {
        return match work() {
            Ok(bytes) => (fill(&view, offset, bytes)? as f64).into_js(ctx),
            Err(error) => throw(ctx, error),
        };
    };
    let view = Persistent::save(ctx, view);
    later(ctx, callback, work, move |ctx, bytes| {
        (fill(&view.restore(ctx)?, offset, bytes)? as f64).into_js(ctx)
    })
}

/// What an operation gives.
pub(super) trait Reply {
    fn into_value<'js>(self, ctx: &Ctx<'js>) -> Result<Value<'js>>;
}

macro_rules! plain_replies {
    ($($kind:ty),*) => {
        $(impl Reply for $kind {
            fn into_value<'js>(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
                self.into_js(ctx)
            }
        })*
    };
}
plain_replies!((), i32, f64, Vec<f64>, Option<String>);

/// A path or a name: text, or (if the script wants the bytes) a fresh `Uint8Array`.
pub(super) struct Name {
    pub bytes: Vec<u8>,
    pub raw: bool,
}

impl Reply for Name {
    fn into_value<'js>(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        if self.raw {
            return Ok(TypedArray::new(ctx.clone(), self.bytes)?.into_value());
        }
        text(self.bytes).into_js(ctx)
    }
}

/// Names and kinds in turn.
pub(super) struct Names(pub Vec<(Name, i32)>);

impl Reply for Names {
    fn into_value<'js>(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        let list = rquickjs::Array::new(ctx.clone())?;
        for (place, (name, kind)) in self.0.into_iter().enumerate() {
            list.set(place * 2, name.into_value(ctx)?)?;
            list.set(place * 2 + 1, kind)?;
        }
        Ok(list.into_value())
    }
}

pub(super) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Gives an object operations: a name, what the script passes, and what is done with it.
macro_rules! operations {
    ($object:expr, {
        $($name:literal => ($($arg:ident: $kind:ty),*) $work:expr;)*
    }) => {
        $({
            fn operation<'js>(
                ctx: rquickjs::Ctx<'js>,
                $($arg: $kind,)*
                form: $crate::binding::fs::form::Form,
            ) -> rquickjs::Result<rquickjs::Value<'js>> {
                $crate::binding::fs::form::run(&ctx, form, move || $work)
            }
            let function = rquickjs::Function::new($object.ctx().clone(), operation)?;
            $object.set($name, function.with_name($name)?)?;
        })*
    };
}
pub(super) use operations;

/// A path as the script gives it: a string or bytes, without zeros, which JavaScript has checked.
pub(super) struct PathArg(CString);

impl std::ops::Deref for PathArg {
    type Target = CStr;

    fn deref(&self) -> &CStr {
        &self.0
    }
}

impl<'js> FromJs<'js> for PathArg {
    fn from_js(ctx: &Ctx<'js>, value: Value<'js>) -> Result<Self> {
        let bytes = match value.as_string() {
            Some(string) => string.to_string()?.into_bytes(),
            None => Bytes::from_js(ctx, Object::from_js(ctx, value)?.into_value())?.0,
        };
        match CString::new(bytes) {
            Ok(path) => Ok(Self(path)),
            Err(_) => throw(ctx, Errno::EINVAL),
        }
    }
}
