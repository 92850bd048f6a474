//! Checks the built pages: each link leads to an existing page and anchor, and headless Chromium opens
//! each page without errors.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{files, folder, read, stage};
use crate::page::Browser;
use crate::tally::Tally;

/// The window of the browser.
const SIZE: (u32, u32) = (1200, 900);

/// The width of a telephone.
const NARROW: u32 = 390;

/// Searches for a function, and returns where the first result leads.
const SEARCH: &str = "(async () => {
    const get = name => document.getElementById(`mdbook-${name}`);
    get('search-toggle').click();
    get('searchbar').value = 'uv_timer_start';
    for (let tries = 0; tries < 600; tries++) {
        get('searchbar').dispatchEvent(new Event('input', { bubbles: true }));
        get('searchbar').dispatchEvent(new KeyboardEvent('keyup', { bubbles: true }));
        const found = get('searchresults').querySelector('a');
        if (found) return found.href;
        await new Promise(resolve => setTimeout(resolve, 50));
    }
    return null;
})()";

/// Checks all pages of a folder. Without Chromium, only links are checked.
pub fn check(html: &Path) -> Result<Tally, String> {
    let mut pages = files(html)?;
    pages.retain(|path| path.extension().is_some_and(|end| end == "html"));
    let links = links(&pages)?;
    println!("{links} links of {} pages lead to existing anchors", pages.len());
    if !Browser::is_installed() {
        let mut tally = Tally::passed(links);
        tally.skip(pages.len(), "needs `apt-get install chromium`");
        return Ok(tally);
    }
    // The table of contents of browsers without scripts is shown in other pages.
    pages.retain(|path| !path.ends_with("toc.html"));
    let mut browser = Browser::start(&folder().join("profile"), SIZE.0, SIZE.1, 1.0)?;
    for page in &pages {
        open(&mut browser, page)?;
    }
    println!("{} pages are shown without errors", pages.len());
    search(&mut browser, &html.join("index.html"))?;
    narrow(&mut browser, &pages)?;
    println!("the search finds a function, and all pages fit into {NARROW} pixels");
    Ok(Tally::passed(links + 2 * pages.len() + 1))
}

/// The search must work from a file, without a server.
fn search(browser: &mut Browser, page: &Path) -> Result<(), String> {
    browser.load(page)?;
    let found = browser.evaluate(SEARCH)?;
    let is_function = found.as_str().is_some_and(|found| found.contains("uv_timer_start"));
    if is_function { Ok(()) } else { Err(format!("the search for a function finds {found}")) }
}

/// On a narrow screen, blocks that are too wide have scroll bars of their own: no page has one.
fn narrow(browser: &mut Browser, pages: &[PathBuf]) -> Result<(), String> {
    browser.resize(NARROW, SIZE.1, 1.0)?;
    for page in pages {
        browser.load(page)?;
        let width = browser.evaluate("document.documentElement.scrollWidth")?;
        if width.as_u64().is_none_or(|width| width > NARROW.into()) {
            return Err(format!("{} has {width} pixels on a narrow screen", page.display()));
        }
    }
    Ok(())
}

/// Opens a page. It must have a title and a text, and print no errors.
fn open(browser: &mut Browser, page: &Path) -> Result<(), String> {
    let wrong = |why: String| format!("{}: {why}", page.display());
    browser.load(page).map_err(wrong)?;
    // Pictures that cannot be shown have no width. Wide blocks have scroll bars of their own.
    let found = browser.evaluate(
        "({
            title: document.title,
            text: document.querySelector('main')?.innerText.length ?? 0,
            pictures: [...document.images].filter(image => !image.naturalWidth).map(image => image.src),
        })",
    )?;
    let has_text = found["text"].as_u64().is_some_and(|length| length > 40);
    let is_fine = has_text && found["title"] != "" && found["pictures"] == serde_json::json!([]);
    if !is_fine || !browser.errors().is_empty() {
        return Err(wrong(format!("{found}, errors: {:?}", browser.errors())));
    }
    Ok(())
}

/// Checks the links of all pages. Returns how many there are.
fn links(pages: &[PathBuf]) -> Result<usize, String> {
    let mut texts = BTreeMap::new();
    for page in pages {
        texts.insert(page.clone(), read(page)?);
    }
    let anchors: BTreeMap<&PathBuf, BTreeSet<&str>> =
        texts.iter().map(|(page, text)| (page, attributes(text, "id").collect())).collect();
    let (mut count, mut problems) = (0, Vec::new());
    for (page, text) in &texts {
        let targets = attributes(text, "href").chain(attributes(text, "src"));
        for target in targets.filter(|target| !is_external(target)) {
            count += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() {
                page.clone()
            } else {
                stage::resolve(page.parent().unwrap_or(page), file)
            };
            let has_anchor =
                |anchors: &BTreeSet<&str>| anchor.is_empty() || anchors.contains(anchor);
            let exists = match anchors.get(&path) {
                Some(anchors) => has_anchor(anchors),
                None => anchor.is_empty() && path.is_file(),
            };
            if !exists {
                problems.push(format!("{}: there is no {target}", page.display()));
            }
        }
    }
    if problems.is_empty() { Ok(count) } else { Err(problems.join("\n")) }
}

/// Whether a link leads elsewhere. Such links are not followed: a test must not need the network.
fn is_external(target: &str) -> bool {
    target.contains("://") || target.starts_with("data:") || target.starts_with("mailto:")
}

/// The values of an attribute. Values in mdBook's pages are in double quotes, and code in pages has its
/// quotes escaped.
fn attributes<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let start = format!(" {name}=\"");
    let mut rest = text;
    std::iter::from_fn(move || {
        let at = rest.find(&start)? + start.len();
        let (value, after) = rest[at..].split_once('"')?;
        rest = after;
        Some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_in_all_elements() {
        let text = r#"<a href="x.html#y" id="z">b</a><img src="c.png"><h2 id="y">y</h2>"#;
        assert_eq!(attributes(text, "href").collect::<Vec<_>>(), ["x.html#y"]);
        assert_eq!(attributes(text, "id").collect::<Vec<_>>(), ["z", "y"]);
        assert!(is_external("https://a.b/c#d") && !is_external("../a.html"));
    }
}
