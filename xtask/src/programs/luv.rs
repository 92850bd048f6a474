//! luv, the libuv binding for Lua, with Lua 5.1.
//!
//! Each Lua file of `xtask/programs/luv` is one check. Its first line is the title.

use super::check::Check;
use super::environment::Environment;
use super::{Program, script};
use crate::files::with_extension;

pub const PROGRAM: Program =
    Program { name: "luv", packages: "lua5.1 lua-luv libreadline8", checks };

fn checks(env: &Environment) -> Result<Vec<Check>, String> {
    let sources = env.sources("luv");
    script::checks(env, "luv", with_extension(&sources, "lua")?, |script, _| {
        let mut command = env.command(env.root().join("usr/bin/lua5.1"));
        command.arg(script).env("LUA_PATH", sources.join("lib/?.lua"));
        command.env("LUA_CPATH", env.libraries().join("lua/5.1/?.so"));
        command
    })
}
