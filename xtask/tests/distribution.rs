//! `cargo xtask install` and `cargo xtask deb`: programs build and run with the installed files.
//!
//! `cargo xtask test` skips the modules `needs_...` where the tool is missing.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The output of the test program, `echo.c`.
const EXPECTED: &str = "1.53.0: work, hello over tcp, timer\n";

fn xtask(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(arguments);
    command
}

/// Runs a command that must succeed, and returns its output.
fn run(command: &mut Command) -> String {
    let Output { status, stdout, stderr } =
        command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let errors = String::from_utf8_lossy(&stderr);
    assert!(status.success(), "{command:?}: {status}\n{errors}");
    String::from_utf8_lossy(&stdout).into_owned()
}

/// An empty folder.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("distribution").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn program() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/mauve-uv/tests/programs/echo.c")
}

/// A prefix with the installed files.
fn prefix() -> &'static Path {
    static PREFIX: OnceLock<PathBuf> = OnceLock::new();
    PREFIX.get_or_init(|| {
        let prefix = scratch("prefix");
        let output = run(&mut xtask(&["install", "--prefix", prefix.to_str().expect("UTF-8")]));
        assert!(output.contains("libuv.so.1.0.0: ") && output.contains(" kB"), "{output}");
        prefix
    })
}

#[test]
fn the_links_of_loader_and_linker_refer_to_the_library() {
    let libraries = prefix().join("lib");
    let link = |name: &str| std::fs::read_link(libraries.join(name)).expect("a link");
    assert_eq!(link("libuv.so.1"), Path::new("libuv.so.1.0.0"));
    assert_eq!(link("libuv.so"), Path::new("libuv.so.1"));
    let size = std::fs::metadata(libraries.join("libuv.so")).expect("the library").len();
    assert!(size < 2_000_000, "{size} bytes: is it stripped?");
}

#[test]
fn the_destdir_is_not_written_to_files() {
    let stage = scratch("destdir");
    let destdir = stage.to_str().expect("UTF-8");
    run(&mut xtask(&["install", "--prefix=/opt/uv", "--libdir=lib64", "--destdir", destdir]));
    let config = std::fs::read_to_string(stage.join("opt/uv/lib64/pkgconfig/libuv.pc"));
    let config = config.expect("libuv.pc below the destdir");
    assert!(config.contains("prefix=/opt/uv\n") && !config.contains(destdir), "{config}");
}

#[test]
fn install_prints_its_usage_for_wrong_arguments() {
    for wrong in [&["install"][..], &["install", "--prefix"], &["install", "--prefix", "here"]] {
        let output = xtask(wrong).output().expect("xtask");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains("--prefix"), "{wrong:?}: {errors}");
    }
}

mod needs_pkg_config {
    use super::*;

    /// The compiler flags of a package, from pkg-config.
    fn pkg_config(package: &str) -> Vec<String> {
        let mut command = Command::new("pkg-config");
        command.env("PKG_CONFIG_LIBDIR", prefix().join("lib/pkgconfig"));
        let output = run(command.args(["--cflags", "--libs", package]));
        output.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn a_program_builds_with_pkg_config() {
        let binary = scratch("pkg-config").join("echo");
        run(Command::new("cc").arg(program()).arg("-o").arg(&binary).args(pkg_config("libuv")));
        let output = run(Command::new(&binary).env("LD_LIBRARY_PATH", prefix().join("lib")));
        assert_eq!(output, EXPECTED);
    }

    #[test]
    fn a_program_links_statically_with_pkg_config() {
        let binary = scratch("pkg-config-static").join("echo");
        run(Command::new("cc")
            .arg(program())
            .arg("-o")
            .arg(&binary)
            .args(pkg_config("libuv-static")));
        assert_eq!(run(&mut Command::new(&binary)), EXPECTED);
    }
}

mod needs_cmake {
    use super::*;

    #[test]
    fn a_program_builds_with_each_cmake_target() {
        let folder = scratch("cmake");
        let project = r#"
        cmake_minimum_required(VERSION 3.13)
        project(programs C)
        find_package(libuv 1.44 REQUIRED CONFIG)
        foreach(target libuv::uv libuv::uv_a uv uv_a)
          string(REPLACE ":" "_" name "with_${target}")
          add_executable(${name} "${PROGRAM}")
          target_link_libraries(${name} ${target})
        endforeach()
    "#;
        std::fs::write(folder.join("CMakeLists.txt"), project).expect("a project");
        let build = folder.join("build");
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(&folder).arg("-B").arg(&build);
        configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix().display()));
        configure.arg(format!("-DPROGRAM={}", program().display()));
        run(&mut configure);
        run(Command::new("cmake").arg("--build").arg(&build));
        for name in ["with_libuv__uv", "with_libuv__uv_a", "with_uv", "with_uv_a"] {
            assert_eq!(run(&mut Command::new(build.join(name))), EXPECTED, "{name}");
        }
    }

    #[test]
    fn cmake_rejects_it_as_libuv_2() {
        let folder = scratch("cmake-version");
        let project = "cmake_minimum_required(VERSION 3.13)\nproject(programs C)\n\
                   find_package(libuv 2.0 REQUIRED CONFIG)\n";
        std::fs::write(folder.join("CMakeLists.txt"), project).expect("a project");
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(&folder).arg("-B").arg(folder.join("build"));
        configure.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix().display()));
        let output = configure.output().expect("cmake");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains("1.53.0"), "{errors}");
    }
}

mod needs_dpkg {
    use super::*;

    /// The paths of the built packages.
    fn packages() -> &'static [PathBuf] {
        static PACKAGES: OnceLock<Vec<PathBuf>> = OnceLock::new();
        PACKAGES.get_or_init(|| {
            run(&mut xtask(&["deb", "--library"])).lines().map(PathBuf::from).collect()
        })
    }

    fn field(package: &Path, name: &str) -> String {
        run(Command::new("dpkg-deb").arg("-f").arg(package).arg(name)).trim().to_owned()
    }

    #[test]
    fn the_packages_replace_debians() {
        let [runtime, development, symbols] = packages() else { panic!("{:?}", packages()) };
        assert_eq!(field(runtime, "Package"), "libuv1-mauve");
        for name in ["Provides", "Conflicts", "Replaces"] {
            let value = field(runtime, name);
            assert!(value.contains("libuv1") && value.contains("libuv1t64"), "{name}: {value}");
            assert!(field(development, name).contains("libuv1-dev"));
        }
        assert!(field(runtime, "Depends").starts_with("libc6 (>= 2."));
        let version = field(runtime, "Version");
        let same_version = format!("libuv1-mauve (= {version})");
        for package in [development, symbols] {
            assert_eq!(field(package, "Depends").split(',').next(), Some(&*same_version));
        }
        assert_eq!(field(symbols, "Package"), "libuv1-mauve-dbgsym");
        let scripts = run(Command::new("dpkg-deb").arg("-I").arg(runtime));
        assert!(scripts.contains("shlibs") && scripts.contains("triggers"), "{scripts}");
    }

    #[test]
    fn apt_replaces_debians_packages_and_removes_no_others() {
        let mut apt = Command::new("apt-get");
        // A dry run.
        let output = run(apt.args(["--simulate", "install"]).args(packages()));
        let planned = |what: &str| -> Vec<&str> {
            let lines = output.lines().filter_map(|line| line.strip_prefix(what));
            lines.filter_map(|line| line.split_whitespace().next()).collect()
        };
        let expected = ["libuv1-mauve", "libuv1-mauve-dbgsym", "libuv1-mauve-dev"];
        assert_eq!(planned("Inst "), expected, "{output}");
        // What is installed of these, and nothing that depends on them.
        let removed = planned("Remv ");
        let replaced = ["libuv1", "libuv1t64", "libuv1-dev"];
        assert!(removed.iter().all(|name| replaced.contains(name)), "{output}");
    }

    #[test]
    fn programs_build_with_and_run_on_the_unpacked_packages() {
        let root = scratch("deb");
        for package in packages() {
            run(Command::new("dpkg").arg("-x").arg(package).arg(&root));
            run(Command::new("dpkg-deb").arg("-c").arg(package));
        }
        let libraries = root.join("usr/lib").join(format!("{}-linux-gnu", std::env::consts::ARCH));
        let binary = root.join("echo");
        let mut compiler = Command::new("cc");
        compiler.arg(program()).arg("-o").arg(&binary).arg("-I").arg(root.join("usr/include"));
        run(compiler.arg("-L").arg(&libraries).arg("-luv"));
        let output = run(Command::new(&binary).env("LD_LIBRARY_PATH", &libraries));
        assert_eq!(output, EXPECTED);
        let copyright = root.join("usr/share/doc/libuv1-mauve/copyright");
        let copyright = std::fs::read_to_string(copyright).expect("the license");
        assert!(copyright.contains("Permission is hereby granted"), "{copyright}");
    }
}
