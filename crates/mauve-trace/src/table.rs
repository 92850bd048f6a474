//! Tables of text with aligned columns.

use std::io::{self, Write};

/// A table whose first column is text and whose other columns are numbers.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(title: &str, columns: &[&str]) -> Self {
        let titles = std::iter::once(title).chain(columns.iter().copied());
        Self { rows: vec![titles.map(str::to_owned).collect()] }
    }

    pub fn add(&mut self, name: String, cells: Vec<String>) {
        self.rows.push(std::iter::once(name).chain(cells).collect());
    }

    /// Writes the table after an empty line, or nothing if it has no rows.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if self.rows.len() == 1 {
            return Ok(());
        }
        let width_of = |column: usize| {
            self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.rows[0].len()).map(width_of).collect();
        writeln!(out)?;
        for row in &self.rows {
            let mut line = format!("{:<1$}", row[0], widths[0]);
            for (cell, width) in row.iter().zip(&widths).skip(1) {
                line += &format!("  {cell:>width$}");
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new("name", &["count"]);
        table.add("µ".to_owned(), vec!["1".to_owned()]);
        let mut out = Vec::new();
        table.write(&mut out).expect("writing to memory");
        assert_eq!(String::from_utf8(out).expect("text"), "\nname  count\nµ         1\n");
    }
}
