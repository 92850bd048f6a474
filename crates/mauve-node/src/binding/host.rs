//! Functions of the host for the bootstrap module and the module loaders.

use rquickjs::{Ctx, Object, Result};

use super::define;
use crate::host::{
    Hooks, compile_function, current, evaluate_now, interruptible, run_module, run_script,
};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "setHooks", |hooks: Hooks| current().set_hooks(hooks))?;
    define(object, "checkScript", |ctx: Ctx<'_>, text: String, filename: String| {
        mauve_quickjs::check_script(&ctx, text, filename)
    })?;
    define(object, "compileFunction", compile_function)?;
    define(object, "interruptible", interruptible)?;
    define(object, "runScript", run_script)?;
    define(object, "runModule", run_module)?;
    define(object, "evaluateNow", evaluate_now)?;
    define(object, "drain", |ctx: Ctx<'_>| current().drain_within(&ctx))?;
    define(object, "runMicrotasks", |ctx: Ctx<'_>| current().run_microtasks(&ctx))?;
    define(object, "setUnsettled", |on: bool| current().unsettled.set(on))?;
    define(object, "isUnsettled", || current().unsettled.get())?;
    let options = current().options.clone();
    object.set("argv0", options.argv0)?;
    object.set("args", options.line.rest)?;
    object.set("eval", options.line.eval)?;
    object.set("print", options.line.print)?;
    object.set("execArgv", options.line.exec_argv)?;
    let flags: Vec<Vec<String>> =
        options.line.flags.into_iter().map(|(name, value)| vec![name, value]).collect();
    object.set("flags", flags)?;
    Ok(())
}
