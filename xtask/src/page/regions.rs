//! Compares a screenshot with a reference: the mean colour of each part of the window.
//!
//! The parts are large, so that fonts and the edges of blocks do not matter, and colours and the
//! arrangement do. `cargo xtask page --bless` writes the reference.

use std::path::PathBuf;

use serde_json::Value;

use super::Pages;
use super::browser::Browser;

/// Parts across and down.
const COLUMNS: usize = 16;
const ROWS: usize = 10;

/// A part differs if one of its colours, of 255, is this far from the reference.
const TOLERANCE: f64 = 22.0;

/// So many of the 160 parts may differ.
const MOST: usize = 8;

fn reference() -> PathBuf {
    crate::root().join("xtask/page/regions.json")
}

/// The mean colours of all parts, row by row. The browser decodes the picture.
fn measure(browser: &mut Browser, pages: &Pages) -> Result<Value, String> {
    browser.open(&pages.small)?;
    browser.wait_until_idle()?;
    let picture = browser.screenshot()?;
    browser.evaluate(&format!(
        "(async () => {{
            const image = new Image();
            image.src = 'data:image/png;base64,{picture}';
            await image.decode();
            const canvas = new OffscreenCanvas({COLUMNS}, {ROWS});
            const ctx = canvas.getContext('2d');
            ctx.imageSmoothingQuality = 'high';
            ctx.drawImage(image, 0, 0, {COLUMNS}, {ROWS});
            const {{ data }} = ctx.getImageData(0, 0, {COLUMNS}, {ROWS});
            return Array.from({{ length: {COLUMNS} * {ROWS} }}, (_, i) => [...data.slice(i * 4, i * 4 + 3)]);
        }})()"
    ))
}

pub fn bless(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    let Value::Array(parts) = measure(browser, pages)? else { return Err("no parts".to_owned()) };
    let rows: Vec<String> = parts
        .chunks(COLUMNS)
        .map(|row| row.iter().map(Value::to_string).collect::<Vec<_>>().join(","))
        .collect();
    let file = reference();
    let text = format!("[\n{}\n]\n", rows.join(",\n"));
    std::fs::write(&file, text).map_err(|e| format!("{}: {e}", file.display()))
}

pub fn compare(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    let file = reference();
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let expected: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    let measured = measure(browser, pages)?;
    let differing: Vec<usize> =
        (0..COLUMNS * ROWS).filter(|part| differs(&expected[*part], &measured[*part])).collect();
    if differing.len() <= MOST {
        return Ok(());
    }
    let regions: Vec<(usize, usize)> =
        differing.iter().map(|part| (part % COLUMNS, part / COLUMNS)).collect();
    Err(format!("{} parts of the picture differ: {regions:?}", regions.len()))
}

fn differs(expected: &Value, measured: &Value) -> bool {
    let value = |colour: &Value, channel: usize| colour[channel].as_f64().unwrap_or(f64::NAN);
    // A missing colour is not a number, and differs.
    !(0..3).all(|i| (value(expected, i) - value(measured, i)).abs() <= TOLERANCE)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn missing_and_distant_colours_differ() {
        assert!(!differs(&json!([10, 20, 30]), &json!([20, 30, 40])));
        assert!(differs(&json!([10, 20, 30]), &json!([10, 20, 90])));
        assert!(differs(&json!(null), &json!([10, 20, 90])));
    }
}
