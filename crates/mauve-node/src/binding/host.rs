//! Functions of the host for the bootstrap module and the module loaders.

use rquickjs::{Ctx, Object, Result};

use super::define;
use crate::host::{Hooks, compile_function, current, run_module, run_script};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "setHooks", |hooks: Hooks| current().set_hooks(hooks))?;
    define(object, "compileFunction", compile_function)?;
    define(object, "runScript", run_script)?;
    define(object, "runModule", run_module)?;
    define(object, "drain", |ctx: Ctx<'_>| current().drain_within(&ctx))?;
    define(object, "runMicrotasks", |ctx: Ctx<'_>| current().run_microtasks(&ctx))?;
    define(object, "setUnsettled", |on: bool| current().unsettled.set(on))?;
    define(object, "isUnsettled", || current().unsettled.get())?;
    let options = current().options.clone();
    object.set("args", options.args)?;
    object.set("script", options.script.map(|script| script.to_string_lossy().into_owned()))?;
    object.set("eval", options.eval)?;
    object.set("print", options.print)?;
    Ok(())
}
