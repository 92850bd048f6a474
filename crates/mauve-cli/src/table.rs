//! A plain text table.

use std::fmt;

/// Rows of cells. A cell is a list of lines.
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<Vec<String>>>,
}

impl Table {
    pub fn new(head: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row. It must have as many cells as the head.
    pub fn row(&mut self, cells: Vec<Vec<String>>) {
        assert_eq!(cells.len(), self.head.len());
        self.rows.push(cells);
    }

    fn widths(&self) -> Vec<usize> {
        let width = |column: usize| {
            let cells = self.rows.iter().flat_map(|row| &row[column]);
            cells.chain([&self.head[column]]).map(|text| text.chars().count()).max().unwrap_or(0)
        };
        (0..self.head.len()).map(width).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        let line = |f: &mut fmt::Formatter<'_>, cells: Vec<&str>| {
            let padded = cells.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
            writeln!(f, "{}", padded.collect::<Vec<_>>().join(" │ ").trim_end())
        };
        let rule = widths.iter().map(|width| "─".repeat(*width)).collect::<Vec<_>>().join("─┼─");
        line(f, self.head.iter().map(String::as_str).collect())?;
        for row in &self.rows {
            writeln!(f, "{rule}")?;
            let height = row.iter().map(Vec::len).max().unwrap_or(0).max(1);
            for i in 0..height {
                line(f, row.iter().map(|cell| cell.get(i).map_or("", String::as_str)).collect())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_aligned_and_may_have_several_lines() {
        let mut table = Table::new(["n", "what"]);
        table.row(vec![vec!["1".into()], vec!["first".into(), "second".into()]]);
        assert_eq!(table.to_string(), "n │ what\n──┼───────\n1 │ first\n  │ second\n");
    }
}
