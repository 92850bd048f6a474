//! Text that becomes functions and modules.
//!
//! Which file a name means is decided in JavaScript, for `require` and `import` alike
//! (`js/internal/modules/`); here is what only the host can do: compile.

use rquickjs::context::EvalOptions;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Ctx, Function, Module, Object, Result, Value};

use super::current;
use crate::builtin;

/// The parameters of a built-in module's function.
const BUILTIN_PARAMETERS: &str = "exports, require, module, process, binding";

/// Loads the module that makes everything else. It sets the hooks.
pub(super) fn bootstrap(ctx: &Ctx<'_>) -> Result<()> {
    let process = Object::new(ctx.clone())?;
    let loader = compile_builtin(ctx, "internal/loader")?;
    let compile = Function::new(ctx.clone(), builtin_function)?;
    let binding = Function::new(ctx.clone(), crate::binding::get)?;
    let ids: Vec<&str> = builtin::public_ids().collect();
    loader.call::<_, Value<'_>>((process, compile, binding, ids))?;
    Ok(())
}

/// The function of a built-in module; `null` if there is none of that name.
fn builtin_function<'js>(ctx: Ctx<'js>, id: String) -> Result<Value<'js>> {
    if builtin::source(&id).is_none() {
        return Ok(Value::new_null(ctx));
    }
    Ok(compile_builtin(&ctx, &id)?.into_value())
}

fn compile_builtin<'js>(ctx: &Ctx<'js>, id: &str) -> Result<Function<'js>> {
    let source = builtin::source(id).expect("asked for before");
    let parameters = match id {
        "internal/loader" => "process, compile, binding, ids",
        _ => BUILTIN_PARAMETERS,
    };
    compile(ctx, parameters, &format!("'use strict';{source}"), format!("node:{id}"))
}

/// The function that a module of the `require` kind is.
pub(crate) fn compile_function<'js>(
    ctx: Ctx<'js>,
    source: String,
    filename: String,
    parameters: String,
) -> Result<Function<'js>> {
    compile(&ctx, &parameters, &source, filename)
}

/// Runs text as a script of its own, whose variables all later scripts see; returns its value.
pub(crate) fn run_script<'js>(ctx: Ctx<'js>, text: String, filename: String) -> Result<Value<'js>> {
    ctx.eval_with_options(text, options(filename))
}

fn options(filename: String) -> EvalOptions {
    let mut options = EvalOptions::default();
    options.strict = false;
    options.filename = Some(filename);
    options
}

/// Lines keep their numbers; the columns of the first are shifted by the head, which whoever
/// shows them has to know.
fn compile<'js>(
    ctx: &Ctx<'js>,
    parameters: &str,
    source: &str,
    filename: String,
) -> Result<Function<'js>> {
    let text = format!("(function ({parameters}) {{{source}\n}})");
    ctx.eval_with_options(text, options(filename))
}

/// Modules of the `import` kind, as the engine asks for them.
pub(super) struct Imports;

impl Resolver for Imports {
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

impl Loader for Imports {
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

/// Makes a module out of its text, and gives it what `import.meta` has.
fn declare<'js>(ctx: &Ctx<'js>, name: &str, loaded: Object<'js>) -> Result<Module<'js, Declared>> {
    let source: String = loaded.get("source")?;
    let module = Module::declare(ctx.clone(), name, source)?;
    let meta = module.meta()?;
    let given: Object<'js> = loaded.get("meta")?;
    for property in given.props::<String, Value<'js>>() {
        let (key, value) = property?;
        meta.set(key, value)?;
    }
    Ok(module)
}

/// Runs a module as the script; returns the promise of its end.
pub(crate) fn declare_module<'js>(
    ctx: Ctx<'js>,
    name: String,
    loaded: Object<'js>,
) -> Result<Value<'js>> {
    let module = declare(&ctx, &name, loaded)?;
    let (_, promise) = module.eval()?;
    Ok(promise.into_value())
}
