//! `cargo xtask guide --pictures`: takes pictures of traces of the guide's programs, in headless Chromium.
//!
//! A picture is the timeline of the page that `mauve trace` writes, once in light colours and once in
//! dark ones. Times differ in each run, so pictures are stored in `docs/guide/src/pictures` and not
//! compared.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::programs::{self, Tools};
use super::{folder, source};
use crate::page::{self, Browser};

const WIDTH: u32 = 960;

/// Pixels of a picture per pixel of the page.
const SCALE: f64 = 1.5;

/// Only the timeline is shown, without charts. The script returns its height.
const PREPARE: &str = "{
    const style = document.createElement('style');
    style.textContent = `#top, #cards, #remarks, #grip, #panel, #overview, .corner:first-child { display: none !important }
        #timeline { flex: none !important; height: 100vh !important; grid-template-rows: auto 1fr auto !important; }`;
    document.head.append(style);
    if (mauve.hasCharts) mauve.toggleCharts();
}";

/// The height of everything that is shown.
const HEIGHT: &str =
    "mauve.layout.height / mauve.layout.scale + axis.clientHeight + legend.clientHeight + 28";

/// A program whose trace is shown.
struct Picture {
    program: &'static str,
    /// A script that selects the visible part, with the tables `callbacks` and `requests`.
    view: &'static str,
}

/// From the first callback to the last one.
const ALL: &str = "show(callbacks.begin[0], last(callbacks.end))";

/// From the first request of the pool.
const REQUESTS: &str = "show(requests.begin[0], last(callbacks.end))";

const PICTURES: &[Picture] = &[
    Picture { program: "phases.c", view: ALL },
    Picture { program: "time.c", view: ALL },
    Picture { program: "pool.c", view: REQUESTS },
    Picture { program: "files.c", view: REQUESTS },
    Picture { program: "echo.c", view: ALL },
    Picture { program: "readfile.js", view: REQUESTS },
];

/// What the scripts of the pictures use.
const TOOLS: &str = "
    const { callbacks, requests } = mauve.model;
    const last = column => column.subarray(0, callbacks.rows).reduce((most, time) => Math.max(most, time), 0);
    const show = (from, to) => mauve.view.show(from - (to - from) * 0.06, to + (to - from) * 0.06, false);";

/// Takes all pictures.
pub fn take() -> Result<(), String> {
    if !Browser::is_installed() {
        return Err("needs Chromium: `apt-get install chromium`".to_owned());
    }
    let tools = Tools::build()?;
    let traces = folder().join("traces");
    std::fs::create_dir_all(&traces).map_err(|e| format!("{}: {e}", traces.display()))?;
    for picture in PICTURES {
        let page = traces.join(format!("{}.html", picture.program));
        programs::trace(picture.program, &tools, &page)?;
        for is_dark in [false, true] {
            shoot(picture, &page, is_dark)?;
        }
    }
    Ok(())
}

/// The file of a picture.
fn file(picture: &Picture, is_dark: bool) -> PathBuf {
    let colours = if is_dark { "dark" } else { "light" };
    source().join("src/pictures").join(format!("{}.{colours}.png", picture.program))
}

fn shoot(picture: &Picture, page: &Path, is_dark: bool) -> Result<(), String> {
    let mut browser = Browser::start(&folder().join("profile"), WIDTH, 600, SCALE)?;
    browser.open(page)?;
    if is_dark {
        browser.evaluate("mauve.toggleTheme()")?;
    }
    browser.evaluate(PREPARE)?;
    browser.wait_until_idle()?;
    let height = browser.evaluate(HEIGHT)?.as_f64().unwrap_or(600.0).ceil();
    browser.resize(WIDTH, height as u32, SCALE)?;
    browser.wait_until_idle()?;
    browser.evaluate(&format!("{{ {TOOLS} {} }}", picture.view))?;
    browser.wait_until_idle()?;
    let file = file(picture, is_dark);
    let bytes = STANDARD.decode(browser.screenshot()?).map_err(|e| e.to_string())?;
    let folder = file.parent().expect("a file is in a folder");
    std::fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    std::fs::write(&file, &bytes).map_err(|e| format!("{}: {e}", file.display()))?;
    page::compress(&file);
    println!("{}", file.display());
    Ok(())
}
