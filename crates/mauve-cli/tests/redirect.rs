//! Programs and libraries with a libuv linked in: they are redirected to mauve, or keep their own libuv and
//! say why. `cargo xtask programs` does the same with official builds of Node.js and with uvloop.
#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const OWN: &str = "1.44.2 1.44.2";
const MAUVE: &str = "1.53.0 1.53.0";

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("redirect").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// Compiles a program of `tests/programs` to a file.
fn compile(name: &str, output: &Path, flags: &[&str]) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut compiler = Command::new("cc");
    compiler.args(["-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"]).args(flags);
    compiler.arg("-I").arg(tests.join("../../../mauve-uv/include"));
    compiler.arg(tests.join(name).with_extension("c")).arg("-o").arg(output).arg("-ldl");
    let output = compiler.output().expect("cc");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A program with a libuv linked in.
fn program(name: &str, flags: &[&str]) -> PathBuf {
    let program = scratch(name).join(name);
    compile("linked_in", &program, &[&["-rdynamic"], flags].concat());
    program
}

/// Runs a command on mauve. Returns what it prints, and the messages.
fn with(command: &[&Path]) -> (String, String) {
    let mut mauve = Command::new(env!("CARGO_BIN_EXE_mauve"));
    mauve.args(["with", "-q"]).args(command);
    texts(&output_of(&mut mauve))
}

fn output_of(command: &mut Command) -> Output {
    command.env_remove("LD_PRELOAD").env_remove("MAUVE_LIB").output().expect("the command")
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// What `loads` prints for libraries of which each prints one of these lines.
fn twice(lines: &[&str]) -> String {
    [lines, lines].concat().join("\n")
}

fn assert_refused(program: &Path, own: &str, why: &str) {
    assert_keeps(with(&[program]), own, why);
}

fn assert_keeps((printed, message): (String, String), own: &str, why: &str) {
    assert_eq!(printed, own, "{message}");
    assert!(message.contains("keeps its own libuv: ") && message.contains(why), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
}

#[test]
fn a_program_with_libuv_linked_in_runs_on_mauve() {
    let program = program("plain", &[]);
    assert_eq!(with(&[&program]), (MAUVE.to_owned(), String::new()));
    let plain = Command::new(&program).output().expect("the program");
    assert_eq!(String::from_utf8_lossy(&plain.stdout).trim(), OWN);
}

#[test]
fn v8_leaves_no_log_behind_unless_the_program_asks_for_it() {
    let program = program("v8", &["-DV8"]);
    let run = |command: &str, option: &str| {
        let mut mauve = Command::new(env!("CARGO_BIN_EXE_mauve"));
        texts(&output_of(mauve.arg(command).arg(&program).arg(option))).0
    };
    let flags = "--no-logfile-per-isolate --logfile=+";
    assert_eq!(run("watch", "script.js"), format!("{flags}\n{MAUVE}"));
    for (command, option) in [("watch", "--prof"), ("watch", "--log-all"), ("with", "script.js")] {
        assert_eq!(run(command, option), MAUVE, "{command} {option}");
    }
}

#[test]
fn programs_at_fixed_and_at_random_addresses_are_redirected() {
    for (name, flags) in [("fixed", ["-no-pie", "-fno-pie"]), ("random", ["-pie", "-fPIE"])] {
        assert_eq!(with(&[&program(name, &flags)]), (MAUVE.to_owned(), String::new()), "{name}");
    }
}

#[test]
fn marks_of_branch_targets_stay() {
    let flag = if cfg!(target_arch = "x86_64") {
        "-fcf-protection=full"
    } else {
        "-mbranch-protection=standard"
    };
    assert_eq!(with(&[&program("marks", &[flag])]), (MAUVE.to_owned(), String::new()));
}

#[test]
fn child_processes_are_redirected_too() {
    let child = program("child", &[]);
    let script = format!("\"{}\"; exit 3", child.display());
    let result = with(&[Path::new("/bin/sh"), Path::new("-c"), Path::new(&script)]);
    assert_eq!(result, (MAUVE.to_owned(), String::new()));
}

#[test]
fn a_library_that_is_loaded_later_is_redirected() {
    let folder = scratch("later");
    let (library, loads) = (folder.join("liblater.so"), folder.join("loads"));
    for bound in ["-Wl,-Bsymbolic", "-Wl,-z,lazy"] {
        compile("linked_in", &library, &["-shared", "-fPIC", "-DLIBRARY", bound]);
        compile("loads", &loads, &[]);
        assert_eq!(with(&[&loads, &library]), (twice(&[MAUVE]), String::new()), "{bound}");
    }
}

#[test]
fn a_second_library_keeps_its_libuv() {
    let folder = scratch("second");
    let (first, loads) = (folder.join("libfirst.so"), folder.join("loads"));
    let second = folder.join("libsecond.so");
    for library in [&first, &second] {
        compile("linked_in", library, &["-shared", "-fPIC", "-DLIBRARY", "-Wl,-Bsymbolic"]);
    }
    compile("loads", &loads, &[]);
    let why = "libfirst.so runs on mauve, and each has a default loop of its own";
    assert_keeps(with(&[&loads, &first, &second]), &twice(&[MAUVE, OWN]), why);
}

#[test]
fn a_program_without_the_newer_hash_table_is_redirected() {
    let program = program("sysv", &["-Wl,--hash-style=sysv"]);
    assert_eq!(with(&[&program]), (MAUVE.to_owned(), String::new()));
}

#[test]
fn a_program_that_exports_stubs_is_not_redirected() {
    // They abort if they are called.
    let program = program("stubs", &["-DSTUBS", "-O1"]);
    assert_eq!(with(&[&program]), (OWN.to_owned(), String::new()));
    let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
    let (_, message) = texts(&output_of(command.arg("with").arg(program)));
    assert!(message.contains("is not linked with libuv"), "{message}");
}

#[test]
fn dlopen_finds_libraries_in_the_folders_of_its_caller() {
    let folder = scratch("caller");
    let loads = folder.join("loads");
    compile("linked_in", &folder.join("libcaller.so"), &["-shared", "-fPIC", "-DLIBRARY"]);
    compile("loads", &loads, &["-Wl,-rpath,$ORIGIN"]);
    // Found without a path, and so not redirected by this call.
    assert_eq!(with(&[&loads, Path::new("libcaller.so")]).0, twice(&[OWN]));
    assert_eq!(with(&[&loads, Path::new("$ORIGIN/libcaller.so")]).0, twice(&[OWN]));
    // The error of a failed call is that of the C library.
    let (printed, _) = with(&[&loads, Path::new("/no/such/library.so")]);
    assert!(printed.starts_with("/no/such/library.so: cannot open"), "{printed}");
}

#[test]
fn a_library_that_may_be_in_use_keeps_its_libuv() {
    let folder = scratch("in-use");
    let (loads, by_path) = (folder.join("loads"), folder.join("libpath.so"));
    for library in [&folder.join("libname.so"), &by_path] {
        compile("linked_in", library, &["-shared", "-fPIC", "-DLIBRARY", "-Wl,-Bsymbolic"]);
    }
    compile("loads", &loads, &["-Wl,-rpath,$ORIGIN"]);
    // Between the two calls of `dlopen`, the program may have created handles.
    let result = with(&[&loads, Path::new("libname.so"), &by_path]);
    let why = "libname.so keeps its own libuv: a library was loaded without its path";
    assert_keeps(result, &twice(&[OWN, OWN]), why);
}

#[test]
fn functions_that_are_not_exported_are_an_error() {
    let program = scratch("hidden").join("hidden");
    compile("linked_in", &program, &["-DTEXT=\"UV_THREADPOOL_SIZE\"", "-DNUMBER=0x012c02"]);
    let (printed, message) = with(&[&program]);
    assert_eq!(printed, "");
    assert!(message.contains("does not export its functions"), "{message}");
    assert!(message.contains("-rdynamic"), "{message}");
}

#[test]
fn a_program_that_exports_only_a_part_keeps_its_libuv() {
    assert_refused(&program("part", &["-DHIDDEN"]), OWN, "does not export uv_walk");
}

#[test]
fn another_major_version_keeps_its_libuv() {
    let program = program("major", &["-DNUMBER=0x000a24", "-DTEXT=\"0.10.36\""]);
    assert_refused(&program, "0.10.36 0.10.36", "version 0.10.36, and mauve replaces 1.x only");
}

#[test]
fn a_newer_version_keeps_its_libuv_if_it_has_new_functions() {
    let version = ["-DNUMBER=0x016300", "-DTEXT=\"1.99.0\""];
    assert_eq!(with(&[&program("newer", &version)]).0, MAUVE);
    let program = program("new", &[&version[..], &["-DNEW"]].concat());
    assert_refused(&program, "1.99.0 1.99.0", "mauve has no uv_not_yet_invented");
}

#[test]
fn a_variant_with_other_structs_keeps_its_libuv() {
    assert_refused(&program("variant", &["-DEXTRA=8"]), OWN, "with other structs: uv_handle_size(");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_function_without_room_for_a_jump_keeps_all_functions() {
    assert_refused(
        &program("short", &["-DSHORT"]),
        OWN,
        "does not fit into its function uv_now of 1 ",
    );
}

#[test]
fn an_indirect_function_keeps_all_functions() {
    let why = "its function uv_loop_alive is an indirect one (IFUNC)";
    assert_refused(&program("indirect", &["-DINDIRECT"]), OWN, why);
}

#[test]
fn a_thread_before_main_keeps_the_libuv() {
    let library = scratch("thread-library").join("libthread.so");
    compile("thread", &library, &["-shared", "-fPIC", "-pthread"]);
    let library = library.to_str().expect("UTF-8");
    let program = program("late", &["-Wl,--no-as-needed", library]);
    assert_refused(&program, OWN, "a library has started a thread before `main`");
}

#[test]
fn a_system_that_forbids_new_code_keeps_the_libuv() {
    let program = program("forbidden", &[]);
    let wrapper = scratch("no-new-code").join("no_new_code");
    compile("no_new_code", &wrapper, &[]);
    let mut command = Command::new(wrapper);
    command.arg(env!("CARGO_BIN_EXE_mauve")).args(["with", "-q"]).arg(program);
    let output = output_of(&mut command);
    // Kernels before 6.3 cannot forbid it for a process.
    if output.status.code() != Some(77) {
        assert_keeps(texts(&output), OWN, "the system does not permit new code");
    }
}

#[test]
fn a_program_for_musl_is_an_error() {
    let program = program("musl", &["-Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1"]);
    let (printed, message) = with(&[&program]);
    assert_eq!(printed, "");
    assert!(
        message.contains("is for musl, and this command carries libraries for glibc"),
        "{message}"
    );
}

#[test]
fn a_setuid_program_is_an_error() {
    use std::os::unix::fs::PermissionsExt as _;
    let program = program("setuid", &[]);
    let set_id = std::fs::Permissions::from_mode(0o4755);
    std::fs::set_permissions(&program, set_id).expect("permissions");
    let (printed, message) = with(&[&program]);
    assert_eq!(printed, "");
    assert!(message.contains("is setuid or setgid: the loader ignores"), "{message}");
}

#[test]
fn a_program_with_file_capabilities_is_an_error_for_users_without_them() {
    use std::os::unix::process::CommandExt as _;
    const NOBODY: u32 = 65534;
    let program = program("capabilities", &[]);
    // Version 2 of the attribute: effective, and `CAP_NET_BIND_SERVICE`.
    let rights = [0x0200_0001_u32, 1 << 10, 0, 0, 0].map(u32::to_le_bytes).concat();
    let flags = rustix::fs::XattrFlags::empty();
    if rustix::fs::setxattr(&program, c"security.capability", &rights, flags).is_err() {
        // Only root may do that.
        return;
    }
    assert_eq!(
        with(&[&program]),
        (MAUVE.to_owned(), String::new()),
        "root has these rights already"
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_mauve"));
    command.args(["with", "-q"]).arg(&program).uid(NOBODY).gid(NOBODY);
    // Others may not be permitted to reach the folder of the tests.
    let Ok(output) = command.output() else { return };
    let (printed, message) = texts(&output);
    if !message.contains("not found") {
        assert_eq!(printed, "");
        assert!(message.contains("has file capabilities (setcap): the loader"), "{message}");
    }
}
