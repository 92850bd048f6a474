//! Constants of Node's modules: the colours of terminals, the codes of `DOMException`, types of DNS records,
//! status codes of HTTP, and the names in modules that mauve leaves out.

use rquickjs::{Object, Result};

use super::define;

const TABLES: &str = include_str!("tables.txt");
const STAND_INS: &str = include_str!("stand_ins.txt");

/// Adds `table(name)`, which returns the rows of a table as lists of strings.
pub(super) fn fill(object: &Object<'_>) -> Result<()> {
    define(object, "table", |name: String| {
        rows(&name).map(|row| row.split('\t').collect()).collect::<Vec<Vec<&str>>>()
    })
}

/// The lines after `[name]`, up to an empty one.
fn rows(name: &str) -> impl Iterator<Item = &'static str> {
    let heading = format!("\n[{name}]\n");
    let found = [TABLES, STAND_INS].into_iter().find_map(|text| text.split_once(&heading));
    let (_, rest) = found.expect("a table with this name");
    rest.lines().take_while(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn a_table_ends_at_an_empty_line() {
        assert_eq!(rows("styles").next(), Some("special\tcyan"));
        assert_eq!(rows("styles").last(), Some("module\tunderline"));
        assert_eq!(rows("statusCodes").last(), Some("511\tNetwork Authentication Required"));
        assert_eq!(rows("trace_events").last(), Some("function\tgetEnabledCategories\t0"));
    }
}
