//! CMake and CTest, which run processes and read their output through libuv.
//!
//! `xtask/programs/cmake` is a project of two files. Its tests check the memory maps of their parent,
//! which is ctest. Its `CMakeLists.txt` checks those of cmake.

use super::Program;
use super::check::{Check, TIMEOUT};
use super::environment::Environment;
use crate::process::Process;

pub const PROGRAM: Program = Program {
    name: "cmake",
    packages: "cmake cmake-data libarchive13 libcurl4 libjsoncpp25 librhash0 libbrotli1 libexpat1 \
        libgssapi-krb5-2 libicu72 libk5crypto3 libkeyutils1 libkrb5-3 libkrb5support0 \
        libldap-2.5-0 libnghttp2-14 libpsl5 librtmp1 libsasl2-2 libssh2-1 libssl3 libxml2",
    checks,
};

fn checks(env: &Environment) -> Result<Vec<Check>, String> {
    let build = env.scratch("cmake")?;
    let sources = env.sources("cmake");
    let sources = sources.to_string_lossy();
    let configure = ["-S", &sources, "-B", ".", "-G", "Unix Makefiles"];
    let step = |title, program, arguments: &[&str], code, expected: &'static str| {
        let mut command = env.command(env.root().join("usr/bin").join(program));
        command.args(arguments).env_remove("MAKEFLAGS");
        let build = build.clone();
        Check::new(title, move || {
            let output = Process::start(&mut command, &build)?.exit(code, TIMEOUT)?;
            let found = output.contains(expected);
            if found { Ok(()) } else { Err(format!("{expected:?} is not in\n{output}")) }
        })
    };
    Ok(vec![
        step("configure a project", "cmake", &configure, 0, "mapped as expected"),
        step("build it", "cmake", &["--build", ".", "-j2"], 0, "Built target sum"),
        step("ctest", "ctest", &["-j2", "-E", "sleeps"], 0, "0 tests failed out of 9"),
        step("ctest kills a test that times out", "ctest", &["-R", "sleeps"], 8, "(Timeout)"),
    ])
}
