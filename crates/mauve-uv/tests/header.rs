//! Our `uv.h` compiles in all dialects, and declares what `abi/*.json` lists.
//!
//! The header is generated from these files. The tests generate assertions about layouts, constants
//! and prototypes from the same files, and compile them with the header.

mod facts;
#[allow(dead_code)] // Uses only a part of the harness.
mod support;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use support::{areas, include, root, sources};

const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"];

/// Compiles `text` with our header alone. The error is the output of the compiler.
fn check(compiler: &str, language: &str, flags: &[&str], text: &str) -> Result<(), String> {
    let mut command = Command::new(compiler);
    command.args(["-x", language]).args(flags).arg("-I").arg(include()).arg("-");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| format!("{compiler}: {e}"))?;
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(text.as_bytes()).map_err(|e| format!("{compiler}: {e}"))?;
    drop(stdin);
    let output = child.wait_with_output().map_err(|e| format!("{compiler}: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

/// `text` with all macros expanded.
fn preprocess(text: &str) -> String {
    let file = support::scratch("header").join("maps.c");
    std::fs::write(&file, text).expect("a file to write to");
    let output = Command::new("cc").args(["-E", "-P", "-I"]).arg(include()).arg(&file).output();
    let output = output.expect("cc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn must_compile(compiler: &str, language: &str, dialect: &str, more: &[&str], text: &str) {
    let dialect = format!("-std={dialect}");
    let flags: Vec<&str> =
        WARNINGS.iter().chain([&dialect.as_str()]).chain(more).copied().collect();
    if let Err(why) = check(compiler, language, &flags, text) {
        panic!("{compiler} {}:\n{why}", flags.join(" "));
    }
}

const HEADERS: [&str; 4] = ["uv.h", "uv/version.h", "uv/errno.h", "uv/unix.h"];

fn all_headers() -> String {
    HEADERS.map(|header| format!("#include <{header}>\n")).concat()
}

/// `cargo xtask test` skips this module where there is no C++ compiler.
mod needs_cplusplus {
    use super::*;

    #[test]
    fn it_compiles_without_warnings_in_all_cplusplus_dialects() {
        for dialect in ["c++98", "c++11", "c++17", "c++20"] {
            must_compile("c++", "c++", dialect, &[], &all_headers());
        }
    }

    #[test]
    fn all_test_programs_in_cplusplus_compile_with_it() {
        let programs = test_programs("cc");
        assert!(!programs.is_empty(), "no program in C++");
        compile_all("c++", "gnu++17", &programs);
    }
}

#[test]
fn it_compiles_without_warnings_in_all_c_dialects() {
    let all = all_headers();
    for dialect in ["gnu89", "gnu99", "gnu11", "gnu17"] {
        must_compile("cc", "c", dialect, &[], &all);
    }
    // Strict dialects hide POSIX unless a macro requests it.
    for dialect in ["c90", "c99", "c11"] {
        must_compile("cc", "c", dialect, &["-D_POSIX_C_SOURCE=200809L"], &all);
    }
    for header in HEADERS {
        must_compile("cc", "c", "gnu11", &[], &format!("#include <{header}>\nint unit;\n"));
    }
}

#[test]
fn layouts_and_constants_match_libuv() {
    let text = facts::assertions();
    assert!(text.lines().count() > 500, "too few assertions:\n{text}");
    let flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"];
    if let Err(why) = check("cc", "c", &flags, &text) {
        panic!("{why}");
    }
}

#[test]
fn maps_of_errors_handles_and_requests_match_libuv() {
    for (name, wanted) in facts::maps() {
        let text = format!("#include <uv.h>\n#define XX(a, b) #a #b\n{name}(XX)\n");
        let expanded = preprocess(&text);
        let found: String = expanded.lines().last().unwrap_or_default().split('"').collect();
        let (found, wanted) = (found.replace(['\\', ' '], ""), wanted.replace(' ', ""));
        assert_eq!(found, wanted, "{name}");
    }
}

#[test]
fn macros_for_feature_tests_are_defined() {
    let macros =
        ["HAVE_DIRENT_TYPES", "UV_LOOP_USE_IO_URING_SQPOLL", "UV_EXTERN", "UV_VERSION_HEX"];
    let check = |name| format!("#ifndef {name}\n#error \"{name}\"\n#endif\n");
    let text = format!("#include <uv.h>\n{}int unit;\n", macros.map(check).concat());
    must_compile("cc", "c", "gnu11", &[], &text);
}

#[test]
fn a_wrong_size_fails_to_compile() {
    let text =
        facts::assertions().replacen("sizeof(uv_timer_t) == 152", "sizeof(uv_timer_t) == 151", 1);
    let flags = ["-std=gnu11", "-fsyntax-only"];
    let why = check("cc", "c", &flags, &text).expect_err("a timer does not have 151 bytes");
    assert!(why.contains("uv_timer_t"), "{why}");
}

#[test]
fn prototypes_match_libuv() {
    let text = facts::prototypes();
    let flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"];
    if let Err(why) = check("cc", "c", &flags, &text) {
        panic!("{why}");
    }
}

#[test]
fn unmaintained_private_fields_have_no_name() {
    let text = "#include <uv.h>\nunsigned long f(uv_loop_t *loop) { return loop->time; }\n";
    let why =
        check("cc", "c", &["-fsyntax-only"], text).expect_err("uv_loop_t has no field `time`");
    assert!(why.contains("no member named"), "{why}");
}

#[test]
fn all_test_programs_in_c_compile_with_it() {
    let programs = test_programs("c");
    assert!(programs.len() > 100, "only {} programs", programs.len());
    compile_all("cc", "gnu11", &programs);
}

/// The programs of the differential tests with this extension.
fn test_programs(extension: &str) -> Vec<PathBuf> {
    let programs = areas().into_iter().flat_map(|area| sources(&root().join(area)));
    programs.filter(|path| path.extension().is_some_and(|end| end == extension)).collect()
}

/// Compiles all programs, with one call of the compiler per core.
fn compile_all(compiler: &str, standard: &str, programs: &[PathBuf]) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let compile = |programs: &[PathBuf]| {
        let mut command = Command::new(compiler);
        command.args(["-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]);
        command.arg(format!("-std={standard}")).arg("-I").arg(include()).arg("-I").arg(root());
        let output = command.args(programs).output().expect(compiler);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    std::thread::scope(|scope| {
        programs.chunks(programs.len().div_ceil(cores)).for_each(|part| {
            scope.spawn(move || compile(part));
        });
    });
}
