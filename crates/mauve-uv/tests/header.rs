//! Our `uv.h`: programs compile with it, and it says the same as `abi/*.json`.
//!
//! The header is generated from these files, but by way of C: what it means is for a C compiler to
//! say. So everything is written down once more, as assertions, and compiled.

mod facts;
#[allow(dead_code)] // The harness of the differential tests can do more than is needed here.
mod support;

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use support::{folders, include, root, sources};

const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"];

/// Compiles `text` with our header alone; an error is what the compiler said.
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

/// What is left of `text` when the macros are expanded.
fn preprocess(text: &str) -> String {
    let file = support::scratch("header").join("maps.c");
    std::fs::write(&file, text).expect("a file to write to");
    let output = Command::new("cc").args(["-E", "-P", "-I"]).arg(include()).arg(&file).output();
    let output = output.expect("cc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn accepts(compiler: &str, language: &str, dialect: &str, more: &[&str], text: &str) {
    let dialect = format!("-std={dialect}");
    let flags: Vec<&str> =
        WARNINGS.iter().chain([&dialect.as_str()]).chain(more).copied().collect();
    if let Err(why) = check(compiler, language, &flags, text) {
        panic!("{compiler} {}:\n{why}", flags.join(" "));
    }
}

#[test]
fn every_dialect_of_c_and_cplusplus_takes_it_without_a_warning() {
    let headers = ["uv.h", "uv/version.h", "uv/errno.h", "uv/unix.h"];
    let all = headers.map(|header| format!("#include <{header}>\n")).concat();
    for dialect in ["gnu89", "gnu99", "gnu11", "gnu17"] {
        accepts("cc", "c", dialect, &[], &all);
    }
    // The strict ones hide what is not in the C standard, unless they are asked.
    for dialect in ["c90", "c99", "c11"] {
        accepts("cc", "c", dialect, &["-D_POSIX_C_SOURCE=200809L"], &all);
    }
    for dialect in ["c++98", "c++11", "c++17", "c++20"] {
        accepts("c++", "c++", dialect, &[], &all);
    }
    for header in headers {
        accepts("cc", "c", "gnu11", &[], &format!("#include <{header}>\nint unit;\n"));
    }
}

#[test]
fn layouts_and_numbers_are_libuvs() {
    let text = facts::assertions();
    assert!(text.lines().count() > 500, "there is more to assert than this:\n{text}");
    let flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"];
    if let Err(why) = check("cc", "c", &flags, &text) {
        panic!("{why}");
    }
}

#[test]
fn lists_of_errors_handles_and_requests_are_libuvs() {
    for (name, wanted) in facts::maps() {
        let text = format!("#include <uv.h>\n#define XX(a, b) #a #b\n{name}(XX)\n");
        let expanded = preprocess(&text);
        let found: String = expanded.lines().last().unwrap_or_default().split('"').collect();
        let (found, wanted) = (found.replace(['\\', ' '], ""), wanted.replace(' ', ""));
        assert_eq!(found, wanted, "{name}");
    }
}

#[test]
fn what_programs_ask_by_ifdef_is_defined() {
    let asked = ["HAVE_DIRENT_TYPES", "UV_LOOP_USE_IO_URING_SQPOLL", "UV_EXTERN", "UV_VERSION_HEX"];
    let ask = |name| format!("#ifndef {name}\n#error \"{name}\"\n#endif\n");
    let text = format!("#include <uv.h>\n{}int unit;\n", asked.map(ask).concat());
    accepts("cc", "c", "gnu11", &[], &text);
}

#[test]
fn a_wrong_number_would_be_noticed() {
    let text =
        facts::assertions().replacen("sizeof(uv_timer_t) == 152", "sizeof(uv_timer_t) == 151", 1);
    let flags = ["-std=gnu11", "-fsyntax-only"];
    let why = check("cc", "c", &flags, &text).expect_err("a timer does not have 151 bytes");
    assert!(why.contains("uv_timer_t"), "{why}");
}

#[test]
fn prototypes_are_libuvs() {
    let text = facts::prototypes();
    let flags = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"];
    if let Err(why) = check("cc", "c", &flags, &text) {
        panic!("{why}");
    }
}

#[test]
fn what_the_library_does_not_maintain_has_no_name() {
    let text = "#include <uv.h>\nunsigned long f(uv_loop_t *loop) { return loop->time; }\n";
    let why = check("cc", "c", &["-fsyntax-only"], text).expect_err("the loop's time is not there");
    assert!(why.contains("no member named"), "{why}");
}

#[test]
fn all_our_programs_compile_with_it() {
    // All in one go: starting the compiler costs more than a program does.
    let programs: Vec<PathBuf> =
        folders().iter().flat_map(|folder| sources(&root().join(folder))).collect();
    assert!(programs.len() > 100, "only {} programs", programs.len());
    let is_cplusplus = |path: &PathBuf| path.extension().is_some_and(|end| end == "cc");
    let (cplusplus, c): (Vec<_>, Vec<_>) = programs.into_iter().partition(is_cplusplus);
    for (compiler, standard, programs) in [("cc", "gnu11", c), ("c++", "gnu++17", cplusplus)] {
        let mut command = Command::new(compiler);
        command.args(["-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]);
        command.arg(format!("-std={standard}")).arg("-I").arg(include()).arg("-I").arg(root());
        let output = command.args(&programs).output().expect(compiler);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
