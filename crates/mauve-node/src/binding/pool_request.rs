//! Requests that are synchronous without a callback, and run on the thread pool with one.

use mauve::{Errno, WorkError};
use rquickjs::function::{FromParam, Opt, ParamRequirement, ParamsAccessor};
use rquickjs::{Ctx, Function, IntoJs, Persistent, Result, Value};

use super::{number, throw};
use crate::host::current;

type Callback = Persistent<Function<'static>>;

/// The last parameter of such an operation: its optional callback. Without a callback the operation
/// is synchronous and throws its error; with one it runs on the thread pool.
pub(super) struct PoolRequest<'js> {
    pub ctx: Ctx<'js>,
    pub callback: Option<Callback>,
}

impl<'js> FromParam<'js> for PoolRequest<'js> {
    fn param_requirement() -> ParamRequirement {
        Opt::<Callback>::param_requirement()
    }

    fn from_param<'a>(params: &mut ParamsAccessor<'a, 'js>) -> Result<Self> {
        let ctx = params.ctx().clone();
        Ok(Self { ctx, callback: Opt::from_param(params)?.0 })
    }
}

impl<'js> PoolRequest<'js> {
    /// Runs `work` and converts its result.
    pub fn run<T>(
        self,
        work: impl FnOnce() -> mauve::Result<T> + Send + 'static,
    ) -> Result<Value<'js>>
    where
        T: for<'a> IntoJs<'a> + Send + 'static,
    {
        self.run_with(work, |ctx, value| value.into_js(ctx))
    }

    fn run_with<T: Send + 'static>(
        self,
        work: impl FnOnce() -> mauve::Result<T> + Send + 'static,
        convert: impl Convert<T>,
    ) -> Result<Value<'js>> {
        match self.callback {
            // The box makes one type of all operations with such a result, which are queued by the
            // same code.
            Some(callback) => queue(&self.ctx, callback, Box::new(work), convert),
            None => match work() {
                Ok(value) => convert(&self.ctx, value),
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
    convert: impl Convert<T>,
) -> Result<Value<'js>> {
    let on_done = move |_: &mut (), result: std::result::Result<_, WorkError>| {
        call_back(&callback, result.unwrap_or(Err(Errno::ECANCELED)), convert);
    };
    match current().lp.queue_work(work, on_done) {
        Ok(_) => Ok(Value::new_undefined(ctx.clone())),
        Err(error) => throw(ctx, error),
    }
}

/// Passes the converted result to the callback.
pub(super) fn call_back<T>(
    callback: &Callback,
    result: mauve::Result<T>,
    convert: impl Convert<T>,
) {
    current().call_back(callback, |ctx, args| match result {
        Ok(value) => {
            args.push_arg(0)?;
            args.push_arg(convert(ctx, value)?)
        }
        Err(error) => args.push_arg(number(error)),
    });
}

/// How the result of an operation becomes a value.
pub(super) trait Convert<T>:
    for<'a> FnOnce(&Ctx<'a>, T) -> Result<Value<'a>> + 'static
{
}

impl<T, F: for<'a> FnOnce(&Ctx<'a>, T) -> Result<Value<'a>> + 'static> Convert<T> for F {}
