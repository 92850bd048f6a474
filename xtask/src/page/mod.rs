//! `cargo xtask page`: checks the HTML page of a trace in headless Chromium.
//! `cargo xtask picture`: takes the picture of the page for the README in the same way.
//!
//! Without Chromium the checks are skipped and counted.

mod browser;
mod checks;
mod picture;
mod regions;

use std::path::{Path, PathBuf};

use crate::tally::Tally;
pub use browser::Browser;
pub use picture::{compress, run as picture};

/// The window of all checks and pictures.
const WIDTH: u32 = 1440;
const HEIGHT: u32 = 900;

/// The pages that the checks open.
struct Pages {
    /// A few thousand callbacks.
    small: PathBuf,
    /// More than a million callbacks.
    large: PathBuf,
}

/// A check with its name. It opens a page and uses it.
type Check = (&'static str, fn(&mut Browser, &Pages) -> Result<(), String>);

/// Runs all checks. Skipped without Chromium.
pub fn run(is_bless: bool) -> Result<Tally, String> {
    if !Browser::is_installed() {
        return Ok(Tally::skipped("needs `apt-get install chromium`"));
    }
    let folder = folder()?;
    let pages = Pages { small: folder.join("small.html"), large: folder.join("large.html") };
    generate(8_000, &pages.small)?;
    if is_bless {
        return regions::bless(&mut start(&folder)?, &pages).map(|()| Tally::default());
    }
    generate(1_000_000, &pages.large)?;
    let mut browser = start(&folder)?;
    let (mut passed, mut failed) = (0, 0);
    for (name, check) in checks::ALL {
        match check(&mut browser, &pages) {
            Ok(()) => passed += 1,
            Err(why) => {
                println!("FAILED {name}: {why}");
                failed += 1;
            }
        }
    }
    println!("{passed} passed, {failed} failed");
    if failed == 0 {
        Ok(Tally::passed(passed))
    } else {
        Err(format!("{failed} checks of the page failed"))
    }
}

fn folder() -> Result<PathBuf, String> {
    let folder = crate::target().join("page");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    Ok(folder)
}

fn start(folder: &Path) -> Result<Browser, String> {
    Browser::start(&folder.join("profile"), WIDTH, HEIGHT, 1.0)
}

/// Writes the page of a generated trace.
fn generate(callbacks: usize, file: &Path) -> Result<(), String> {
    let mut command = crate::build::cargo();
    command.args(["run", "--quiet", "--locked", "-p", "mauve-trace", "--example", "page", "--"]);
    command.arg(callbacks.to_string()).arg(file).current_dir(crate::root());
    let status = command.status().map_err(|e| format!("cargo: {e}"))?;
    if status.success() { Ok(()) } else { Err("cannot generate a page".to_owned()) }
}
