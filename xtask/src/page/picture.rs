//! `cargo xtask picture`: the picture of the page for the README.

use std::path::Path;
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::browser::Browser;
use super::folder;
use crate::programs;

const WIDTH: u32 = 1280;
const HEIGHT: u32 = 880;

/// Pixels of the picture per pixel of the page.
const SCALE: f64 = 1.5;

/// Shows the slowest request of the pool, from its submission to its callback.
const PREPARE: &str = "
    const { requests } = mauve.model;
    let row = -1;
    for (let i = 0; i < requests.rows; i++) {
        const isComplete = requests.callback[i] >= 0 && requests.worker[i] >= 0;
        if (isComplete && (row < 0 || requests.ran[i] > requests.ran[row])) row = i;
    }
    const around = (requests.end[row] - requests.begin[row]) * 1.5;
    mauve.select({ table: 'callbacks', row: requests.callback[row] });
    mauve.view.show(requests.begin[row] - around, requests.end[row] + around, false);";

/// Writes a picture to `docs/trace.png`: of a page, or of a trace of Debian's node. The script prepares
/// the page.
pub fn run(page: Option<&str>, script: Option<&str>) -> Result<(), String> {
    if !Browser::is_installed() {
        return Err("needs Chromium: `apt-get install chromium`".to_owned());
    }
    let folder = folder()?;
    let recorded = folder.join("picture.html");
    let script = script.unwrap_or(PREPARE);
    let page = match page {
        Some(page) => Path::new(page),
        None => {
            programs::trace_node(&crate::root().join("xtask/page/server.js"), &recorded)?;
            &recorded
        }
    };
    let page = page.canonicalize().map_err(|e| format!("{}: {e}", page.display()))?;
    let mut browser = Browser::start(&folder.join("profile"), WIDTH, HEIGHT, SCALE)?;
    browser.open(&page)?;
    // In a block, so that its variables are its own.
    browser.evaluate(&format!("{{ {script} }}"))?;
    browser.wait_until_idle()?;
    let file = crate::root().join("docs/trace.png");
    let picture = STANDARD.decode(browser.screenshot()?).map_err(|e| e.to_string())?;
    std::fs::write(&file, &picture).map_err(|e| format!("{}: {e}", file.display()))?;
    compress(&file);
    let size = file.metadata().map_or(0, |data| data.len());
    println!("{}: {} kB", file.display(), size / 1000);
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
