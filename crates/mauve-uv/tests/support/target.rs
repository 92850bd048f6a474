//! The platform that the programs are compiled for, from the environment. By default it is that of
//! the tests; `cargo xtask cross --run` chooses others.
//!
//! * `MAUVE_TEST_CC`, `MAUVE_TEST_CXX`: the compilers.
//! * `MAUVE_TEST_LIBRARY`: a directory with our `libuv.so` for that platform.
//! * `MAUVE_TEST_LIBUV`: the root of Debian's packages for that platform, with libuv.
//! * `MAUVE_TEST_LINK`: options to link our library. The compilers are then used for our library only,
//!   and libuv is that of the tests' own platform.
//! * `MAUVE_TEST_SLOWDOWN`: how much longer programs may take.
//! * `MAUVE_TEST_SKIP`: programs that are not run (`fs/copyfile`), separated by spaces.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::library;

/// Programs take less than a second, but the machine may be busy.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A name for the platform: that of its compiler.
pub fn platform() -> String {
    variable("MAUVE_TEST_CC").unwrap_or_else(|| "native".to_owned())
}

/// How long a program may take.
pub fn timeout() -> Duration {
    let slowdown = variable("MAUVE_TEST_SLOWDOWN").and_then(|text| text.parse().ok());
    TIMEOUT * slowdown.unwrap_or(1)
}

/// Whether a program of an area is not run.
pub fn skips(area: &str, source: &Path) -> bool {
    let name = source.file_stem().unwrap_or_default().to_string_lossy();
    let skipped = variable("MAUVE_TEST_SKIP").unwrap_or_default();
    skipped.split(' ').any(|program| program.split_once('/') == Some((area, &name)))
}

/// The directory with our library, if it is not the one that was built with the tests.
pub fn library() -> Option<PathBuf> {
    variable("MAUVE_TEST_LIBRARY").map(PathBuf::from)
}

/// The directory with Debian's library; `None` for the default search path.
pub fn debian() -> Option<&'static Path> {
    use std::sync::OnceLock;
    static DIRECTORY: OnceLock<Option<PathBuf>> = OnceLock::new();
    let find = || {
        let libraries = Path::new(&variable("MAUVE_TEST_LIBUV")?).join("usr/lib");
        let directories = std::fs::read_dir(&libraries).ok()?;
        let mut directories = directories.map(|entry| entry.expect("an entry").path());
        directories.find(|directory| directory.join("libuv.so.1").exists())
    };
    DIRECTORY.get_or_init(find).as_deref()
}

/// Whether a program must be compiled separately for each library.
pub fn compiles_twice() -> bool {
    variable("MAUVE_TEST_LINK").is_some()
}

/// The compiler of a program, `cc` or `c++`.
pub fn compiler(name: &str, for_ours: bool) -> Command {
    let variable_name = if name == "cc" { "MAUVE_TEST_CC" } else { "MAUVE_TEST_CXX" };
    let other = variable(variable_name).filter(|_| for_ours || !compiles_twice());
    Command::new(other.as_deref().unwrap_or(name))
}

/// Options after the source: where libuv's header is, and how the library is linked.
pub fn link(compiler: &mut Command, header: Option<&Path>, for_ours: bool) {
    if let Some(options) = variable("MAUVE_TEST_LINK").filter(|_| for_ours) {
        compiler.arg("-I").arg(super::include()).args(options.split(' '));
        return;
    }
    if let Some(header) = header {
        compiler.arg("-I").arg(header).arg("-L").arg(library::ours());
    } else if let Some(root) = variable("MAUVE_TEST_LIBUV") {
        compiler.arg("-I").arg(Path::new(&root).join("usr/include"));
        compiler.arg("-L").arg(debian().expect("libuv in MAUVE_TEST_LIBUV"));
    }
    compiler.arg("-luv");
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
