//! `cargo xtask picture`: the picture of the page for the README.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::browser::{self, Browser};
use super::{HEIGHT, WIDTH, folder, generate};

/// Pixels of the picture per pixel of the page.
const SCALE: f64 = 1.5;

/// Opens a page and writes a picture of it to `docs/trace.png`. `arguments` may have the page, and a
/// script that prepares it.
pub fn run(arguments: &[&str]) -> Result<(), String> {
    if !browser::is_installed() {
        return Err("needs Chromium: `apt-get install chromium`".to_owned());
    }
    let folder = folder()?;
    let generated = folder.join("picture.html");
    let (page, script) = match arguments {
        [] => {
            generate(3_000, &generated)?;
            (generated.as_path(), None)
        }
        [page] => (Path::new(*page), None),
        [page, script] => (Path::new(*page), Some(*script)),
        _ => return Err("usage: cargo xtask picture [PAGE [SCRIPT]]".to_owned()),
    };
    let page = page.canonicalize().map_err(|e| format!("{}: {e}", page.display()))?;
    let mut browser = Browser::start(&folder.join("profile"), WIDTH, HEIGHT, SCALE)?;
    browser.open(&page)?;
    if let Some(script) = script {
        browser.evaluate(script)?;
    }
    browser.settle()?;
    let file = crate::root().join("docs/trace.png");
    let picture = STANDARD.decode(browser.screenshot()?).map_err(|e| e.to_string())?;
    std::fs::write(&file, &picture).map_err(|e| format!("{}: {e}", file.display()))?;
    println!("{}: {} kB", file.display(), picture.len() / 1000);
    Ok(())
}
