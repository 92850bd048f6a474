//! `cargo xtask page`: checks the HTML page of a trace in headless Chromium.
//! `cargo xtask picture`: takes the picture of the page for the README in the same way.
//!
//! The checks are the scripts of `xtask/page`, which drive Chromium with Playwright, from npm. Without
//! either they are skipped and counted.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::setup::{self, Tool};
use crate::tally::Tally;
use crate::{files, lint, programs, root, target};

/// Why pages cannot be opened here, if so.
pub fn lacks_browser() -> Option<String> {
    let missing = [Tool::Chromium, Tool::Node].into_iter().find(|tool| !tool.is_available());
    missing.map(|tool| format!("needs {}", tool.describe())).or_else(|| lint::packages().err())
}

/// Runs a script of `xtask/page`. Returns the last line that it prints.
pub fn script<I: AsRef<OsStr>>(
    name: &str,
    arguments: impl IntoIterator<Item = I>,
) -> Result<String, String> {
    let mut node = Command::new("node");
    node.arg(root().join("xtask/page").join(name)).args(arguments).env("PATH", setup::path());
    let output = node.output().map_err(|e| format!("node: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    match output.status.success() {
        true => Ok(text.lines().last().unwrap_or_default().to_owned()),
        false => Err(format!("{name} failed\n{}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// Runs all checks. Skipped without Chromium.
pub fn run(is_bless: bool) -> Result<Tally, String> {
    if let Some(why) = lacks_browser() {
        return Ok(Tally::skipped(why));
    }
    let folder = folder()?;
    let pages = ["small.html", "large.html", "decided.html"].map(|name| folder.join(name));
    for (page, callbacks) in pages.iter().zip(["8000", "1000000", "8000"]) {
        generate(callbacks, page, page == &pages[2])?;
    }
    let bless = is_bless.then_some("--bless").map(PathBuf::from);
    let result = script("checks.js", pages.into_iter().chain(bless))?;
    Ok(Tally::parse(&result).unwrap_or_default())
}

/// Writes a picture to `docs/trace.png`: of a page, or of a trace of the official node. The script prepares
/// the page.
pub fn picture(page: Option<&str>, prepare: Option<&str>) -> Result<(), String> {
    if let Some(why) = lacks_browser() {
        return Err(why);
    }
    let recorded = folder()?.join("picture.html");
    let page = match page {
        Some(page) => Path::new(page),
        None => {
            programs::trace_node(&root().join("xtask/page/server.js"), &recorded)?;
            &recorded
        }
    };
    let file = root().join("docs/trace.png");
    let arguments = [OsStr::new("readme"), page.as_os_str(), file.as_os_str()];
    script("pictures.js", arguments.into_iter().chain(prepare.map(OsStr::new)))?;
    compress(&file);
    println!("{}", file.display());
    Ok(())
}

/// Reduces the picture to 256 colours, which makes it less than half as large.
pub fn compress(file: &Path) {
    let mut command = Command::new("pngquant");
    command.args(["--force", "--ext", ".png", "--speed", "1", "--strip"]).arg(file);
    if !command.status().is_ok_and(|status| status.success()) {
        println!("not compressed: needs `apt-get install pngquant`");
    }
}

fn folder() -> Result<PathBuf, String> {
    files::create(target().join("page"))
}

/// Writes the page of a generated trace.
fn generate(callbacks: &str, file: &Path, has_decisions: bool) -> Result<(), String> {
    let mut command = crate::build::cargo();
    command.args(["run", "--quiet", "--locked", "-p", "mauve-trace", "--example", "page", "--"]);
    command.arg(callbacks).arg(file).current_dir(root());
    command.args(has_decisions.then_some("decisions"));
    crate::build::quietly(&mut command).map(drop)
}
