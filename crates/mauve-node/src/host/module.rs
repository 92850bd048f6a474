//! Compiles scripts, functions and modules.
//!
//! JavaScript resolves specifiers, for `require` and for `import` (`js/internal/modules/`).

use rquickjs::context::EvalOptions;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::prelude::This;
use rquickjs::{Ctx, Function, Module, Object, Result, Value};

use super::current;
use crate::builtin;

/// The parameters of a built-in module's function.
const BUILTIN_PARAMETERS: &str = "exports, require, module, process, binding";

/// Runs the loader, which runs the bootstrap module. That module sets the hooks.
pub(super) fn bootstrap(ctx: &Ctx<'_>) -> Result<()> {
    let process = Object::new(ctx.clone())?;
    let loader = compile_builtin(ctx, "internal/loader")?;
    let compile = Function::new(ctx.clone(), builtin_function)?;
    let binding = Function::new(ctx.clone(), crate::binding::get)?;
    let ids: Vec<&str> = builtin::public_ids().collect();
    loader.call::<_, Value<'_>>((process, compile, binding, ids))?;
    Ok(())
}

/// Returns the function of a built-in module, or `null` if there is no such module.
fn builtin_function<'js>(ctx: Ctx<'js>, id: String) -> Result<Value<'js>> {
    if builtin::source(&id).is_none() {
        return Ok(Value::new_null(ctx));
    }
    Ok(compile_builtin(&ctx, &id)?.into_value())
}

fn compile_builtin<'js>(ctx: &Ctx<'js>, id: &str) -> Result<Function<'js>> {
    let source = builtin::source(id).expect("the caller has checked the id");
    let parameters = match id {
        "internal/loader" => "process, compile, binding, ids",
        _ => BUILTIN_PARAMETERS,
    };
    compile(ctx, parameters, &format!("'use strict';{source}"), format!("node:{id}"))
}

/// Compiles a CommonJS module to a function.
pub(crate) fn compile_function<'js>(
    ctx: Ctx<'js>,
    source: String,
    filename: String,
    parameters: String,
) -> Result<Function<'js>> {
    compile(&ctx, &parameters, &source, filename)
}

/// Runs text as a global script, whose variables later scripts see. Returns its value.
pub(crate) fn run_script<'js>(ctx: Ctx<'js>, text: String, filename: String) -> Result<Value<'js>> {
    ctx.eval_with_options(text, options(filename))
}

fn options(filename: String) -> EvalOptions {
    let mut options = EvalOptions::default();
    options.strict = false;
    options.filename = Some(filename);
    options
}

/// Wraps the source in a function. Line numbers stay the same, but the columns of the first line
/// are shifted (`internal/stack` corrects that).
fn compile<'js>(
    ctx: &Ctx<'js>,
    parameters: &str,
    source: &str,
    filename: String,
) -> Result<Function<'js>> {
    let text = format!("(function ({parameters}) {{{source}\n}})");
    ctx.eval_with_options(text, options(filename))
}

/// The resolver and loader of ES modules, which call the hooks.
pub(super) struct EsmLoader;

impl Resolver for EsmLoader {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        _: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        let resolve = current().hooks().resolve_import.clone().restore(ctx)?;
        resolve.call((base, name))
    }
}

impl Loader for EsmLoader {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        attributes: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js, Declared>> {
        let load = current().hooks().load_import.clone().restore(ctx)?;
        let kind = attributes.map(|attributes| attributes.get_type()).transpose()?.flatten();
        let loaded: Object<'js> = load.call((name, kind))?;
        declare(ctx, name, loaded)
    }
}

/// Declares a module and sets the properties of `import.meta`.
fn declare<'js>(ctx: &Ctx<'js>, name: &str, loaded: Object<'js>) -> Result<Module<'js, Declared>> {
    let source: String = loaded.get("source")?;
    let module = Module::declare(ctx.clone(), name, source)?;
    let meta = module.meta()?;
    let properties: Object<'js> = loaded.get("meta")?;
    for property in properties.props::<String, Value<'js>>() {
        let (key, value) = property?;
        meta.set(key, value)?;
    }
    Ok(module)
}

/// Evaluates the main module. Returns the promise of its evaluation.
pub(crate) fn run_module<'js>(
    ctx: Ctx<'js>,
    name: String,
    loaded: Object<'js>,
) -> Result<Value<'js>> {
    let module = declare(&ctx, &name, loaded)?;
    let (_, promise) = module.eval()?;
    Ok(promise.into_value())
}

/// Evaluates the text of a module. Returns its namespace, or `None` if the evaluation has to wait.
///
/// Calls `check` after the imported modules have been loaded. It must throw if one of them is being
/// evaluated: the engine would link it a second time.
pub(crate) fn evaluate_now<'js>(
    ctx: Ctx<'js>,
    name: String,
    source: String,
    check: Function<'js>,
) -> Result<Option<Object<'js>>> {
    let module = Module::declare(ctx.clone(), name, source)?;
    check.call::<_, Value<'js>>(())?;
    let (module, promise) = module.eval()?;
    match promise.result::<Value<'js>>() {
        None => Ok(None),
        Some(Ok(_)) => module.namespace().map(Some),
        Some(Err(error)) => {
            // The caller gets the error, so it is not an unhandled rejection.
            let reason = ctx.catch();
            let nothing = Function::new(ctx.clone(), || {})?;
            promise.catch()?.call::<_, Value<'js>>((This(promise.clone()), nothing))?;
            Err(if error.is_exception() { ctx.throw(reason) } else { error })
        }
    }
}
