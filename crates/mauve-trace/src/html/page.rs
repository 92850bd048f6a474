//! Puts the files in `page/` together.
//!
//! The scripts are modules that import each other. A page that is opened as a file cannot load
//! modules, so they are joined to one, in the order of their imports, without the imports and exports.
//! Their top-level names must therefore differ, which a test checks.

/// A file of the page.
macro_rules! file {
    ($name:literal) => {
        include_str!(concat!("../../page/", $name))
    };
}

/// The scripts. A script comes after those that it imports.
const SCRIPTS: &[&str] = &[
    file!("format.mjs"),
    file!("dom.mjs"),
    file!("data.mjs"),
    file!("pyramid.mjs"),
    file!("model.mjs"),
    file!("stats.mjs"),
    file!("theme.mjs"),
    file!("view.mjs"),
    file!("layout.mjs"),
    file!("spans.mjs"),
    file!("charts.mjs"),
    file!("axis.mjs"),
    file!("arrows.mjs"),
    file!("paint.mjs"),
    file!("overview.mjs"),
    file!("hit.mjs"),
    file!("describe.mjs"),
    file!("tooltip.mjs"),
    file!("details.mjs"),
    file!("tables.mjs"),
    file!("flame.mjs"),
    file!("histograms.mjs"),
    file!("search.mjs"),
    file!("panel.mjs"),
    file!("header.mjs"),
    file!("labels.mjs"),
    file!("app.mjs"),
    file!("input.mjs"),
    file!("main.mjs"),
];

/// The page without the data and the script: what is before, between and after them.
pub fn parts() -> [String; 3] {
    let page = file!("index.html").replace("/* {style} */", file!("style.css"));
    let (head, rest) = page.split_once("{data}").expect("a position for the data");
    let (middle, tail) = rest.split_once("// {script}").expect("a position for the script");
    [head, middle, tail].map(str::to_owned)
}

/// All scripts as one module.
pub fn script() -> String {
    SCRIPTS.iter().flat_map(|script| script.lines()).filter_map(joined).collect()
}

/// A line of a script in the joined module.
fn joined(line: &str) -> Option<String> {
    if line.starts_with("import ") {
        return None;
    }
    Some(format!("{}\n", line.strip_prefix("export ").unwrap_or(line)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::Path;

    use super::*;

    /// The top-level names that a script declares.
    fn declared(script: &str) -> impl Iterator<Item = &str> {
        let keywords = ["async function ", "function* ", "function ", "class ", "const ", "let "];
        script.lines().filter_map(move |line| {
            let line = line.strip_prefix("export ").unwrap_or(line);
            let rest = keywords.iter().find_map(|keyword| line.strip_prefix(keyword))?;
            rest.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').next()
        })
    }

    #[test]
    fn top_level_names_of_scripts_differ() {
        let mut names = HashSet::new();
        for name in SCRIPTS.iter().flat_map(|script| declared(script)) {
            assert!(names.insert(name), "two scripts declare `{name}`");
        }
        assert!(names.len() > 50);
    }

    #[test]
    fn imports_name_what_an_earlier_script_exports() {
        let mut exported = HashSet::new();
        for script in SCRIPTS {
            for line in script.lines().filter(|line| line.starts_with("import ")) {
                let (_, rest) = line.split_once('{').expect("names");
                let (names, _) = rest.split_once('}').expect("an import on one line");
                for name in names.split(',').map(str::trim) {
                    assert!(exported.contains(name), "`{name}` is not exported before: {line}");
                }
            }
            let exports: Vec<&str> =
                script.lines().filter(|line| line.starts_with("export ")).collect();
            for line in exports {
                exported.extend(declared(line));
            }
        }
    }

    #[test]
    fn every_script_of_the_folder_is_part_of_the_page() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let files = std::fs::read_dir(folder).expect("the folder");
        let scripts = files.filter(|file| {
            file.as_ref().is_ok_and(|file| file.path().extension().is_some_and(|ext| ext == "mjs"))
        });
        assert_eq!(scripts.count(), SCRIPTS.len());
    }

    #[test]
    fn the_page_loads_nothing() {
        let [head, middle, tail] = parts();
        let page = format!("{head}{middle}{}{tail}", script());
        let allowed = "http://www.w3.org/2000/svg";
        assert!(!page.replace(allowed, "").contains("http"), "the page names an address");
        assert!(!page.contains("\nimport ") && !page.contains("\nexport "));
    }
}
