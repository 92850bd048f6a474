//! Native functions: Rust functions that JavaScript calls.
//!
//! rquickjs has this too. But what it compiles for each function is long, and there are hundreds of them:
//! a tenth of the code of this crate. Here each function has only the conversions of its arguments and its
//! result.

use std::marker::PhantomData;

use rquickjs::function::{FromParam, IntoJsFunc, ParamRequirement, Params, ParamsAccessor};
use rquickjs::{Function, IntoJs, Object, Result, Value};

/// Defines a native function on the object of a binding.
pub(crate) fn define<'js, P: 'js, F: Native<'js, P>>(
    object: &Object<'js>,
    name: &str,
    function: F,
) -> Result<()> {
    set_named(object, name, F::length(), Box::new(Typed { function, parameters: PhantomData }))
}

fn set_named<'js>(
    object: &Object<'js>,
    name: &str,
    length: usize,
    call: Box<dyn Call<'js> + 'js>,
) -> Result<()> {
    let function = Function::new(object.ctx().clone(), AnyNative { length, call })?;
    object.set(name, function.with_length(length)?.with_name(name)?)
}

/// A function whose parameters of the types `P` are converted from arguments.
pub(crate) trait Native<'js, P>: 'js {
    /// The number of arguments that must be passed.
    fn length() -> usize;

    fn call(&self, params: &mut ParamsAccessor<'_, 'js>) -> Result<Value<'js>>;
}

macro_rules! native {
    ($($parameter:ident)*) => {
        impl<'js, F, R, $($parameter),*> Native<'js, ($($parameter,)*)> for F
        where
            F: Fn($($parameter),*) -> R + 'js,
            R: IntoJs<'js>,
            $($parameter: FromParam<'js>,)*
        {
            fn length() -> usize {
                0 $(+ $parameter::param_requirement().min())*
            }

            #[allow(non_snake_case)]
            fn call(&self, params: &mut ParamsAccessor<'_, 'js>) -> Result<Value<'js>> {
                $(let $parameter = $parameter::from_param(params)?;)*
                self($($parameter),*).into_js(params.ctx())
            }
        }
    };
}

native!();
native!(A);
native!(A B);
native!(A B C);
native!(A B C D);
native!(A B C D E);
native!(A B C D E G);
native!(A B C D E G H);
native!(A B C D E G H I);

/// A function with parameters of the types `P`.
struct Typed<F, P> {
    function: F,
    parameters: PhantomData<fn(P)>,
}

trait Call<'js> {
    fn call(&self, params: &mut ParamsAccessor<'_, 'js>) -> Result<Value<'js>>;
}

impl<'js, P, F: Native<'js, P>> Call<'js> for Typed<F, P> {
    fn call(&self, params: &mut ParamsAccessor<'_, 'js>) -> Result<Value<'js>> {
        self.function.call(params)
    }
}

/// A native function of any type.
struct AnyNative<'js> {
    length: usize,
    call: Box<dyn Call<'js> + 'js>,
}

/// The parameters of [`AnyNative`].
struct AnyParams;

impl<'js> IntoJsFunc<'js, AnyParams> for AnyNative<'js> {
    fn param_requirements() -> ParamRequirement {
        ParamRequirement::any()
    }

    fn call<'a>(&self, params: Params<'a, 'js>) -> Result<Value<'js>> {
        if params.len() < self.length {
            return Err(rquickjs::Error::MissingArgs {
                expected: self.length,
                given: params.len(),
            });
        }
        self.call.call(&mut params.access())
    }
}
