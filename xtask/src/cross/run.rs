//! `cargo xtask cross --run`: runs the tests of the crates and the C programs on other Linux platforms.
//!
//! The standard library is built from Debian's source, and Debian's cross compilers link. Programs for
//! another architecture run under qemu, and programs for musl natively. Their output is compared with that
//! of Debian's libuv: for aarch64 with the one for that architecture, and otherwise with the one of this
//! machine. Programs for musl are linked with `libuv.a`. If `MUSL_LIBUV` names a directory with a libuv that
//! was built with `musl-gcc`, they use `libuv.so`, and are compared with that libuv.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::emulator::Emulator;
use super::gaps;
use crate::build::quietly;
use crate::foreign::{self, Architecture};
use crate::{build, files, root, target};

/// A platform whose programs run here.
struct Platform {
    triple: &'static str,
    compiler: &'static str,
    /// Debian's packages that are installed.
    packages: &'static [&'static str],
    /// Not for programs that run natively.
    emulator: Option<Emulator>,
    /// Where Debian's libuv comes from, and its packages. `None` for the one of this machine.
    libuv: Option<(Architecture, &'static [&'static str])>,
    /// What is not run.
    gaps: &'static [&'static str],
}

const PLATFORMS: &[Platform] = &[
    Platform {
        triple: "aarch64-unknown-linux-gnu",
        compiler: "aarch64-linux-gnu-gcc",
        packages: &[
            "gcc-aarch64-linux-gnu",
            "g++-aarch64-linux-gnu",
            "libc6-dev-arm64-cross",
            "qemu-user",
        ],
        emulator: Some(Emulator { arch: "aarch64", machine: 0xb7 }),
        libuv: Some((foreign::ARM64, &["libuv1", "libuv1-dev"])),
        gaps: gaps::QEMU,
    },
    Platform {
        triple: "riscv64gc-unknown-linux-gnu",
        compiler: "riscv64-linux-gnu-gcc",
        packages: &[
            "gcc-riscv64-linux-gnu",
            "g++-riscv64-linux-gnu",
            "libc6-dev-riscv64-cross",
            "qemu-user",
        ],
        emulator: Some(Emulator { arch: "riscv64", machine: 0xf3 }),
        // Debian's libuv for it needs a newer C library than that of the cross compiler.
        libuv: None,
        gaps: gaps::QEMU,
    },
    Platform {
        triple: "x86_64-unknown-linux-musl",
        compiler: "musl-gcc",
        packages: &["musl-tools"],
        emulator: None,
        libuv: None,
        gaps: gaps::MUSL_AND_GLIBC,
    },
];

/// The crates whose Rust tests run.
const CRATES: &[&str] = &["mauve-sys", "mauve-core", "mauve", "mauve-redirect"];

/// Tests that are not run: they build programs for the platform of cargo, or need a feature.
const SKIPPED: &[&str] = &["examples", "tracing"];

/// What is run on a platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The tests of the crates.
    Rust,
    /// The C programs, with the library in both forms.
    C,
}

/// Runs a platform, or all. The other arguments are `rust` or `c`, and the names of tests.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    super::check_version()?;
    let (platforms, arguments) = match arguments {
        [triple, rest @ ..] if PLATFORMS.iter().any(|platform| platform.triple == *triple) => {
            let at = PLATFORMS.iter().position(|platform| platform.triple == *triple);
            let at = at.expect("a known platform");
            (&PLATFORMS[at..=at], rest)
        }
        _ => (PLATFORMS, arguments),
    };
    let (parts, names): (&[Part], _) = match arguments {
        ["rust", names @ ..] => (&[Part::Rust], names),
        ["c", names @ ..] => (&[Part::C], names),
        [] => (&[Part::Rust, Part::C], arguments),
        [other, ..] => return Err(format!("{other} is no platform, and neither `rust` nor `c`")),
    };
    let mut failed = Vec::new();
    for platform in platforms {
        platform.check_tools()?;
        for part in parts {
            println!("\n== {}: {part:?}", platform.triple);
            let outcome = match part {
                Part::Rust => platform.run_rust(names),
                Part::C => platform.run_c(names),
            };
            if let Err(why) = outcome {
                println!("{}: {why}", platform.triple);
                failed.push(format!("{} ({part:?})", platform.triple));
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("{} failed", failed.join(", "))) }
}

impl Platform {
    fn check_tools(&self) -> Result<(), String> {
        let emulator = self.emulator.as_ref().map(Emulator::program);
        for program in [Some(self.compiler.to_owned()), emulator].into_iter().flatten() {
            if Command::new(&program).arg("--version").output().is_err() {
                let packages = self.packages.join(" ");
                return Err(format!("needs {program}: apt-get install {packages}"));
            }
        }
        Ok(())
    }

    /// A command of Debian's cargo for this platform.
    fn cargo(&self, command: &str) -> Result<Command, String> {
        let mut cargo = super::debian_cargo("cargo", command);
        cargo.args(["-Zbuild-std=std,panic_abort,test", "--target", self.triple]);
        let name = self.triple.replace('-', "_").to_uppercase();
        cargo.env(format!("CARGO_TARGET_{name}_LINKER"), self.compiler);
        if self.emulator.is_none() {
            // The C library and the unwinder are Debian's, not those that rustup would install.
            let folder = unwinder()?;
            let mut flags = format!("-Clink-self-contained=no -L native={}", folder.display());
            if command == "build" && musl_libuv().is_some() {
                // Programs for musl are static by default, and shared libraries are then not built.
                flags += " -Ctarget-feature=-crt-static";
                cargo.env("CARGO_TARGET_DIR", super::folder().join(SHARED));
            }
            cargo.env(format!("CARGO_TARGET_{name}_RUSTFLAGS"), flags);
        }
        Ok(cargo)
    }

    fn run_rust(&self, names: &[&str]) -> Result<(), String> {
        let mut cargo = self.cargo("test")?;
        let skipped = gaps::skipped(self.gaps, "rust");
        select_tests(&mut cargo, CRATES);
        self.run(cargo.arg("--").args(skipped.iter().flat_map(|name| ["--skip", name])).args(names))
    }

    /// Runs a command, with the emulator if there is one.
    fn run(&self, command: &mut Command) -> Result<(), String> {
        let status = match &self.emulator {
            Some(emulator) => emulator.wrap(command).status(),
            None => command.status(),
        };
        let status = status.map_err(|error| format!("cargo: {error}"))?;
        if status.success() { Ok(()) } else { Err("the tests failed".to_owned()) }
    }

    /// Builds `libuv.so` and `libuv.a`. Returns their folder.
    fn library(&self) -> Result<PathBuf, String> {
        let mut cargo = self.cargo("build")?;
        // Emulation is slow, and some programs wait for a fixed time.
        cargo.args(["-p", "mauve-uv", "--release"]);
        let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
        if !status.success() {
            return Err("the library does not build".to_owned());
        }
        let shared = self.emulator.is_none() && musl_libuv().is_some();
        let folder = super::folder().join(if shared { SHARED } else { "" });
        Ok(folder.join(self.triple).join("release"))
    }

    /// Runs the C programs with the harness of the differential tests, which is a program of this
    /// platform.
    fn run_c(&self, names: &[&str]) -> Result<(), String> {
        let library = self.library()?;
        let with_musl = self.emulator.is_none() && musl_libuv().is_some();
        let gaps = if with_musl { gaps::MUSL } else { self.gaps };
        let mut cargo = build::cargo();
        cargo.env("MAUVE_TEST_SKIP", gaps::skipped(gaps, "c").join(" "));
        cargo.args(["test", "-p", "mauve-uv", "--test", "differential", "--locked", "--"]);
        cargo.args(names).current_dir(root()).env("MAUVE_TEST_CC", self.compiler);
        cargo.env("MAUVE_TEST_CXX", self.compiler.replace("gcc", "g++"));
        if self.emulator.is_some() {
            cargo.env("MAUVE_TEST_LIBRARY", &library).env("MAUVE_TEST_SLOWDOWN", "4");
        }
        if let Some((architecture, packages)) = self.libuv {
            cargo.env("MAUVE_TEST_LIBUV", foreign::unpack(architecture, packages)?);
        } else if self.emulator.is_some() {
            cargo.env("MAUVE_TEST_LINK", format!("-L{} -luv", library.display()));
        } else {
            cargo.env("C_INCLUDE_PATH", kernel_headers()?);
            if let Some(libuv) = musl_libuv() {
                cargo.env("MAUVE_TEST_LIBRARY", &library);
                cargo.env("MAUVE_TEST_LIBUV", installed(&libuv)?);
                cargo.env("NEWER_LIBUV", libuv);
            } else {
                let (library, unwinder) = (library.join("libuv.a"), unwinder()?);
                let (library, unwinder) = (library.display(), unwinder.display());
                let link = format!("-static {library} -L{unwinder} -lunwind");
                cargo.env("MAUVE_TEST_LINK", link);
            }
        }
        self.run(&mut cargo)
    }
}

/// Selects all tests of these crates.
pub fn select_tests(cargo: &mut Command, crates: &[&str]) {
    cargo.args(crates.iter().flat_map(|name| ["-p", name])).args(["--lib", "--no-fail-fast"]);
    cargo.args(tests(crates).iter().flat_map(|name| ["--test", name]));
}

/// The names of the integration tests of these crates.
fn tests(crates: &[&str]) -> Vec<String> {
    let mut names = Vec::new();
    for name in crates {
        let folder = root().join("crates").join(name).join("tests");
        // Not all crates have such tests.
        for path in files::entries(&folder).unwrap_or_default() {
            let is_test =
                path.extension().is_some_and(|end| end == "rs") || path.join("main.rs").exists();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if is_test && !SKIPPED.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    names
}

/// The target folder of the shared library for musl.
const SHARED: &str = "shared";

/// The directory of a libuv that was built with `musl-gcc`, if there is one.
fn musl_libuv() -> Option<PathBuf> {
    std::env::var_os("MUSL_LIBUV").map(PathBuf::from)
}

/// A folder with that libuv and our headers, as after an installation. Both have the same functions and
/// structs.
fn installed(libuv: &Path) -> Result<PathBuf, String> {
    let folder = target().join("foreign/musl/root");
    let libuv = files::at(libuv, libuv.canonicalize())?;
    files::link(&libuv, &folder.join("usr/lib/musl"))?;
    files::link(root().join("crates/mauve-uv/include"), &folder.join("usr/include"))?;
    Ok(folder)
}

/// A folder with the headers of the kernel, which musl does not have. Those of glibc are in the same
/// folder of the system.
fn kernel_headers() -> Result<PathBuf, String> {
    let folder = target().join("foreign/musl/include");
    for name in ["linux", "asm-generic", "x86_64-linux-gnu/asm"] {
        let source = Path::new("/usr/include").join(name);
        files::link(&source, &folder.join(source.file_name().unwrap_or_default()))?;
    }
    Ok(folder)
}

/// The folder with `libunwind.a`, which the standard library expects on musl: GCC's unwinder, and the
/// function of glibc that it calls. Shared libraries expect it as `libgcc_s`.
fn unwinder() -> Result<PathBuf, String> {
    let folder = target().join("foreign/musl");
    let (objects, archive) = (folder.join("objects"), folder.join("libunwind.a"));
    files::link(&archive, &folder.join("libgcc_s.a"))?;
    if archive.exists() {
        return Ok(folder);
    }
    files::create(&objects)?;
    let source = root().join("xtask/cross/dl_find_object.c");
    let object = objects.join("dl_find_object.o");
    quietly(
        Command::new("musl-gcc").args(["-O2", "-fPIC", "-c"]).arg(source).arg("-o").arg(&object),
    )?;
    let found = quietly(Command::new("gcc").arg("-print-file-name=libgcc_eh.a"))?;
    quietly(Command::new("ar").arg("x").arg(Path::new(found.trim())).current_dir(&objects))?;
    quietly(Command::new("ar").arg("rcs").arg(&archive).args(files::entries(&objects)?))?;
    Ok(folder)
}
