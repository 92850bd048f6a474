//! luv, the libuv binding for Lua, with Lua 5.1.
//!
//! Each Lua file of `xtask/programs/luv` is one check. Its first line is the title.

use super::Program;
use super::check::Check;
use super::environment::Environment;
use super::packages::any;
use super::script::scripts;

pub const PROGRAM: Program = Program {
    name: "luv",
    packages: &[any("lua5.1"), any("lua-luv"), any("libreadline8")],
    checks,
};

fn checks(env: &Environment) -> Result<Vec<Check>, String> {
    let sources = env.sources("luv");
    let mut checks = Vec::new();
    for script in scripts(&sources, "lua")? {
        let folder = env.scratch(&format!("luv-{}", script.name()))?;
        let mut command = env.command(env.root().join("usr/bin/lua5.1"));
        command.arg(script.path).env("LUA_PATH", sources.join("lib/?.lua"));
        command.env("LUA_CPATH", env.libraries().join("lua/5.1/?.so"));
        checks.push(Check::script(script.title, command, folder));
    }
    Ok(checks)
}
