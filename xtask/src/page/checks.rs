//! The checks of the page. Each opens a page and uses it as a user does.

use serde_json::{Value, json};

use super::browser::Browser;
use super::{Check, Pages, regions};

pub const ALL: &[Check] = &[
    ("loads without errors", loads),
    ("has a lane for each loop and pool thread", lanes),
    ("draws callbacks as blocks in the colour of their phase", blocks),
    ("zooms at the pointer", zooms),
    ("zooms and pans by keys", keys),
    ("pans by dragging", drags),
    ("selects a range", ranges),
    ("finds callbacks by name", searches),
    ("shows details on hover", hovers),
    ("shows names as text", names_are_text),
    ("draws the arrows of a selected callback", arrows),
    ("lists the slowest callbacks first", tables),
    ("shows histograms", histograms),
    ("is light or dark", themes),
    ("looks like its reference", regions::compare),
    ("is smooth with a million callbacks", is_smooth),
];

/// A callback of the first loop whose block does not touch its neighbours.
const PICK: &str = "
    globalThis.picked = (() => {
        const { callbacks } = mauve.model;
        for (let row = 100; row < callbacks.rows; row++) {
            if (callbacks.lane[row] === 0 && callbacks.duration[row] > 15000) return { table: 'callbacks', row };
        }
    })()";

/// Where `picked` is on the screen.
const POSITION: &str = "(async () => {
    const { view, layout, model } = mauve;
    const { left, top } = document.getElementById('lanes').getBoundingClientRect();
    const track = layout.rowOf(model.callbacks.lane[picked.row]);
    const time = (model.callbacks.begin[picked.row] + model.callbacks.end[picked.row]) / 2;
    return { x: left + view.x(time), y: top + track.y + 4 - mauve.scroll };
})()";

fn open(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    browser.open(&pages.small)
}

fn ensure(holds: bool, what: impl Into<String>) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.into()) }
}

fn number(value: &Value) -> Result<f64, String> {
    value.as_f64().ok_or_else(|| format!("not a number: {value}"))
}

/// Zooms to a callback and returns its position.
fn pick(browser: &mut Browser) -> Result<(f64, f64), String> {
    browser.evaluate(PICK)?;
    browser.evaluate("mauve.zoomTo(picked)")?;
    browser.wait_until_idle()?;
    let position = browser.evaluate(POSITION)?;
    Ok((number(&position["x"])?, number(&position["y"])?))
}

fn visible(browser: &mut Browser) -> Result<(f64, f64), String> {
    let view = browser.evaluate("({ from: mauve.view.from, to: mauve.view.to })")?;
    Ok((number(&view["from"])?, number(&view["to"])?))
}

fn loads(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    open(browser, pages)?;
    browser.wait_until_idle()?;
    ensure(browser.errors().is_empty(), format!("{:?}", browser.errors()))?;
    let title = browser.evaluate("document.title")?;
    ensure(title == "server --port 80 · mauve trace", format!("title {title}"))?;
    let requests = browser.evaluate("performance.getEntriesByType('resource').map(e => e.name)")?;
    ensure(requests == json!([]), format!("the page loads {requests}"))
}

fn lanes(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    open(browser, pages)?;
    let titles =
        browser.evaluate("[...document.querySelectorAll('.label b')].map(b => b.textContent)")?;
    let expected = ["Loop 1", "Loop 2", "Pool queue", "Pool 1", "Pool 2", "Pool 3", "Pool 4"];
    ensure(titles == json!(expected), format!("lanes {titles}"))?;
    let counts = browser.evaluate(
        "mauve.model.lanes.map(lane => lane.callbacks.reduce((sum, p) => sum + p.size, 0) + lane.jobs.size)",
    )?;
    let counts = counts.as_array().ok_or("no counts")?;
    ensure(counts.iter().all(|count| count.as_u64() > Some(10)), format!("blocks {counts:?}"))
}

fn blocks(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    open(browser, pages)?;
    let (x, y) = pick(browser)?;
    let colours = browser.evaluate(&format!(
        "(() => {{
            const canvas = document.getElementById('lanes');
            const {{ left, top }} = canvas.getBoundingClientRect();
            const ctx = canvas.getContext('2d');
            const drawn = ctx.getImageData({x} - left, {y} - top, 1, 1).data;
            const style = getComputedStyle(document.documentElement);
            const phase = mauve.model.phases[mauve.model.callbacks.phase[picked.row]];
            ctx.fillStyle = style.getPropertyValue('--' + phase);
            const hex = '#' + [...drawn].slice(0, 3).map(v => v.toString(16).padStart(2, '0')).join('');
            return [hex, ctx.fillStyle];
        }})()"
    ))?;
    ensure(colours[0] == colours[1], format!("drawn and expected colour: {colours}"))
}

fn zooms(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    open(browser, pages)?;
    let (x, y) = (700.0, 330.0);
    let time = format!(
        "mauve.view.time({x} - document.getElementById('lanes').getBoundingClientRect().left)"
    );
    let before = number(&browser.evaluate(&time)?)?;
    let (from, to) = visible(browser)?;
    for _ in 0..5 {
        browser.mouse("mouseWheel", x, y, json!({"deltaX": 0, "deltaY": -240}))?;
    }
    browser.wait_until_idle()?;
    let (near, far) = visible(browser)?;
    ensure(far - near < (to - from) / 4.0, format!("{} ns are visible", far - near))?;
    let after = number(&browser.evaluate(&time)?)?;
    let moved = (after - before).abs() / ((far - near) / 1200.0);
    ensure(moved < 2.0, format!("the time at the pointer has moved by {moved} pixels"))?;
    browser.mouse("mouseWheel", x, y, json!({"deltaX": 0, "deltaY": 9000}))?;
    browser.wait_until_idle()?;
    ensure(visible(browser)? == (from, to), "zooming out does not end at the whole trace")
}

fn keys(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    open(browser, pages)?;
    let whole = visible(browser)?;
    browser.key("w")?;
    browser.key("w")?;
    let near = visible(browser)?;
    ensure(near.1 - near.0 < (whole.1 - whole.0) / 2.0, format!("w shows {near:?}"))?;
    browser.key("d")?;
    let right = visible(browser)?;
    ensure(right.0 > near.0, format!("d shows {right:?} after {near:?}"))?;
    browser.key("ArrowLeft")?;
    let left = visible(browser)?;
    ensure(left.0 < right.0, format!("the left arrow shows {left:?} after {right:?}"))?;
    browser.key("s")?;
    let far = visible(browser)?;
    ensure(far.1 - far.0 > near.1 - near.0, format!("s shows {far:?}"))?;
    browser.key("0")?;
    ensure(visible(browser)? == whole, "0 does not show the whole trace")
}

fn drags(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    open(browser, pages)?;
    browser.key("w")?;
    let before = visible(browser)?;
    drag(browser, 0)?;
    let after = visible(browser)?;
    ensure(after.0 > before.0, format!("dragging to the left shows {after:?} after {before:?}"))
}

/// Drags from the right to the left.
fn drag(browser: &mut Browser, modifiers: u32) -> Result<(), String> {
    let left = json!({"button": "left", "buttons": 1, "clickCount": 1, "modifiers": modifiers});
    browser.mouse("mousePressed", 900.0, 330.0, left.clone())?;
    browser.mouse("mouseMoved", 800.0, 330.0, left.clone())?;
    browser.mouse("mouseMoved", 600.0, 330.0, left.clone())?;
    browser.mouse("mouseReleased", 600.0, 330.0, left)?;
    browser.wait_until_idle()
}

fn ranges(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    const SHIFT: u32 = 8;
    open(browser, pages)?;
    let whole = visible(browser)?;
    drag(browser, SHIFT)?;
    ensure(visible(browser)? == whole, "selecting a range moves the view")?;
    let scope = browser.evaluate("document.getElementById('scope').value")?;
    ensure(scope == "range", format!("the tables show the {scope}"))?;
    browser.key("z")?;
    let (from, to) = visible(browser)?;
    let share = (to - from) / (whole.1 - whole.0);
    ensure((0.2..0.3).contains(&share), format!("z shows {share} of the trace"))?;
    browser.key("Escape")?;
    ensure(browser.evaluate("mauve.range")?.is_null(), "Escape keeps the range")
}

fn searches(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    open(browser, pages)?;
    browser.key("/")?;
    browser.call("Input.insertText", json!({"text": "ON_TIMER"}))?;
    browser.evaluate("new Promise(done => setTimeout(done, 250))")?;
    let found = browser.evaluate(
        "({
            shown: document.getElementById('matches').textContent,
            matches: mauve.search.matches.length,
            expected: [...mauve.model.callbacks.name].filter(name => mauve.model.names[name]?.function === 'on_timer').length,
        })",
    )?;
    ensure(found["expected"].as_u64() > Some(10), format!("{found}"))?;
    ensure(found["matches"] == found["expected"], format!("{found}"))?;
    let expected = found["expected"].to_string();
    ensure(found["shown"].as_str() == Some(expected.as_str()), format!("{found}"))?;
    browser.key("Enter")?;
    let selected = "mauve.model.nameOf(mauve.model.callbacks, mauve.selected.row)";
    ensure(browser.evaluate(selected)? == "on_timer", "Enter does not select a match")?;
    let first = browser.evaluate("mauve.selected.row")?;
    browser.key("Enter")?;
    ensure(
        browser.evaluate("mauve.selected.row")? != first,
        "Enter does not go to the next match",
    )?;
    browser.key("Escape")?;
    ensure(browser.evaluate("mauve.search.names")?.is_null(), "Escape keeps the search")
}

fn hovers(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    open(browser, pages)?;
    let (x, y) = pick(browser)?;
    let hidden = "document.getElementById('tooltip').hidden";
    ensure(browser.evaluate(hidden)? == true, "a box is shown before the pointer moves")?;
    browser.mouse("mouseMoved", x, y, json!({}))?;
    browser.wait_until_idle()?;
    let shown = browser.evaluate(
        "({
            hovered: mauve.hovered,
            text: document.getElementById('tooltip').textContent,
            name: mauve.model.shortNameOf(mauve.model.callbacks, picked.row),
            location: mauve.model.locationOf(mauve.model.callbacks, picked.row),
            row: picked.row,
        })",
    )?;
    ensure(shown["hovered"]["row"] == shown["row"], format!("{shown}"))?;
    let text = shown["text"].as_str().unwrap_or_default();
    for part in [&shown["name"], &shown["location"], &json!("phase"), &json!("was ready for")] {
        ensure(text.contains(part.as_str().unwrap_or("?")), format!("{part} is missing: {text}"))?;
    }
    browser.click(x, y)?;
    let title = browser.evaluate("document.querySelector('#details h2')?.textContent")?;
    ensure(title == shown["name"], format!("a click shows {title}"))
}

fn names_are_text(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    open(browser, pages)?;
    browser.evaluate(
        "mauve.model.names[0].short = '<img src=x onerror=\"globalThis.broken = true\">';
         mauve.panel.open('functions');",
    )?;
    browser.evaluate("new Promise(done => setTimeout(done, 100))")?;
    let found = browser
        .evaluate("[document.querySelectorAll('img').length, globalThis.broken ?? false]")?;
    ensure(found == json!([0, false]), format!("a name was parsed as HTML: {found}"))
}

fn arrows(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    open(browser, pages)?;
    // Counts pixels in the colour of the pool in the charts of the first loop, which arrows cross.
    let count = "(async () => {
        const track = mauve.layout.tracks.find(({ type }) => type === 'length');
        const canvas = document.getElementById('lanes');
        const { data } = canvas.getContext('2d').getImageData(0, track.y - mauve.scroll, canvas.width, track.height);
        const wanted = getComputedStyle(document.documentElement).getPropertyValue('--pool').trim();
        let found = 0;
        for (let i = 0; i < data.length; i += 4) {
            const hex = '#' + [data[i], data[i + 1], data[i + 2]].map(v => v.toString(16).padStart(2, '0')).join('');
            if (hex === wanted) found++;
        }
        return found;
    })()";
    browser.evaluate(
        "globalThis.picked = (() => {
            const { callbacks, requests } = mauve.model;
            const rows = [...callbacks.request.keys()].filter(row => callbacks.request[row] >= 0 && callbacks.lane[row] === 0);
            return { table: 'callbacks', row: rows[20] };
        })();
        mauve.zoomTo({ table: 'requests', row: mauve.model.callbacks.request[picked.row] });
        document.getElementById('scroll').scrollTop = 0;",
    )?;
    browser.wait_until_idle()?;
    let before = number(&browser.evaluate(count)?)?;
    browser.evaluate("mauve.select(picked)")?;
    browser.wait_until_idle()?;
    let after = number(&browser.evaluate(count)?)?;
    ensure(after > before + 20.0, format!("{before} pixels of arrows, {after} when selected"))?;
    let links = browser.evaluate(
        "[...document.querySelectorAll('#details nav button')].map(b => b.textContent)",
    )?;
    ensure(links.to_string().contains("request"), format!("links {links}"))
}

fn tables(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    open(browser, pages)?;
    let found = browser.evaluate(
        "(() => {
            const { duration } = mauve.model.callbacks;
            const rows = [...document.querySelectorAll('#tables tbody tr')];
            rows[0].click();
            return { rows: rows.length, slowest: duration[mauve.selected.row], most: Math.max(...duration) };
        })()",
    )?;
    // A callback with another one inside that takes most of its time is left out.
    ensure(number(&found["slowest"])? * 2.0 >= number(&found["most"])?, format!("{found}"))?;
    ensure(found["rows"].as_u64() > Some(20), format!("{found}"))?;
    for tab in ["queues", "blocked", "functions", "kinds"] {
        browser.evaluate(&format!("document.getElementById('tab-{tab}').click()"))?;
        let rows = browser.evaluate("document.querySelectorAll('#tables tbody tr').length")?;
        ensure(rows.as_u64() > Some(0), format!("the table {tab} is empty"))?;
    }
    Ok(())
}

fn histograms(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    open(browser, pages)?;
    browser.evaluate("mauve.panel.open('histograms')")?;
    let cards = browser.evaluate(
        "[...document.querySelectorAll('figure')].map(figure => ({
            bars: figure.querySelectorAll('rect').length,
            text: figure.querySelector('.quantiles').textContent,
        }))",
    )?;
    let cards = cards.as_array().ok_or("no cards")?;
    ensure(cards.len() == 5, format!("{cards:?}"))?;
    for card in cards {
        let text = card["text"].as_str().unwrap_or_default();
        ensure(["p50", "p99", "max"].iter().all(|part| text.contains(part)), format!("{card}"))?;
        ensure(card["bars"].as_u64() > Some(0), format!("{card}"))?;
    }
    // The largest value is known exactly, the median within a bucket.
    let exact = browser.evaluate(
        "(() => {
            const sorted = mauve.model.callbacks.duration.toSorted();
            const { durations } = mauve.panel.whole;
            return [durations.max / sorted.at(-1), durations.quantile(0.5) / sorted[sorted.length >> 1]];
        })()",
    )?;
    let (max, median) = (number(&exact[0])?, number(&exact[1])?);
    ensure(max == 1.0 && (median - 1.0).abs() < 0.04, format!("max and median differ: {exact}"))
}

fn themes(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    open(browser, pages)?;
    let background = "getComputedStyle(document.body).backgroundColor";
    let light = browser.evaluate(background)?;
    browser.key("t")?;
    let dark = browser.evaluate(background)?;
    ensure(light != dark, format!("t keeps {light}"))?;
    let prefer =
        |scheme: &str| json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
    browser.call("Emulation.setEmulatedMedia", prefer("dark"))?;
    open(browser, pages)?;
    let preferred = browser.evaluate(background)?;
    browser.call("Emulation.setEmulatedMedia", prefer("light"))?;
    ensure(preferred == dark, format!("a dark system shows {preferred}"))
}

/// Zooms into a million callbacks and pans. Half of the frames must be drawn in 100 ms: on an idle
/// machine they take less than 16.
fn is_smooth(browser: &mut Browser, pages: &Pages) -> Result<(), String> {
    browser.open(&pages.large)?;
    let frames = browser.evaluate(
        "(async () => {
            const times = [];
            const step = async change => {
                await new Promise(requestAnimationFrame);
                change();
                const begin = performance.now();
                mauve.drawNow();
                times.push(performance.now() - begin);
            };
            const { view } = mauve;
            for (let i = 0; i < 40; i++) await step(() => view.zoom(0.75, view.length * 0.4));
            for (let i = 0; i < 20; i++) await step(() => view.pan(0.2));
            for (let i = 0; i < 40; i++) await step(() => view.zoom(1 / 0.75, view.length * 0.4));
            times.sort((a, b) => a - b);
            return {
                callbacks: mauve.model.callbacks.rows, median: times[times.length >> 1], longest: times.at(-1),
            };
        })()",
    )?;
    println!("a million callbacks: frames {frames}");
    ensure(frames["callbacks"].as_u64() >= Some(1_000_000), format!("{frames}"))?;
    ensure(number(&frames["median"])? < 100.0, format!("slow: {frames}"))?;
    ensure(browser.errors().is_empty(), format!("{:?}", browser.errors()))
}
