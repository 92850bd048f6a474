//! What the bootstrap module needs of the host.

use rquickjs::{Ctx, Object, Result};

use super::functions;
use crate::host::{Hooks, compile_function, current, run_module, run_script};

pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    functions!(object, {
        "setHooks" => |hooks: Hooks| current().set_hooks(hooks),
        "compileFunction" => compile_function,
        "runScript" => run_script,
        "runModule" => run_module,
        "drain" => |ctx: Ctx<'_>| current().drain_within(&ctx),
        "runMicrotasks" => |ctx: Ctx<'_>| current().run_microtasks(&ctx),
        "setUnsettled" => |on: bool| current().unsettled.set(on),
        "isUnsettled" => || current().unsettled.get(),
    });
    let options = current().options.clone();
    object.set("args", options.args)?;
    object.set("script", options.script.map(|script| script.to_string_lossy().into_owned()))?;
    object.set("eval", options.eval)?;
    object.set("print", options.print)?;
    Ok(())
}
