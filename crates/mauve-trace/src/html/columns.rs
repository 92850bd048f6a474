//! Tables of numbers, column by column. `page/data.mjs` reads them.

use crate::json::Object;

/// The bytes of all tables, and their description.
#[derive(Default)]
pub struct Tables {
    pub bytes: Vec<u8>,
    pub descriptions: Vec<Object>,
}

/// A table to which columns are added. All columns must have the same number of rows.
pub struct Table<'a> {
    tables: &'a mut Tables,
    name: &'static str,
    rows: usize,
    columns: Vec<[String; 2]>,
}

impl Tables {
    pub fn table(&mut self, name: &'static str, rows: usize) -> Table<'_> {
        Table { tables: self, name, rows, columns: Vec::new() }
    }
}

impl Table<'_> {
    /// Numbers of up to 32 bits.
    pub fn small(self, name: &str, mut values: impl Iterator<Item = u64>) -> Self {
        self.column(name, "small", &mut values)
    }

    /// Numbers of up to 53 bits.
    pub fn wide(self, name: &str, mut values: impl Iterator<Item = u64>) -> Self {
        self.column(name, "wide", &mut values)
    }

    /// Numbers of up to 31 bits that may be missing.
    pub fn option(self, name: &str, values: impl Iterator<Item = Option<u64>>) -> Self {
        self.column(name, "option", &mut values.map(|value| value.map_or(0, |value| value + 1)))
    }

    /// Numbers of up to 53 bits that may be missing.
    pub fn wide_option(self, name: &str, values: impl Iterator<Item = Option<u64>>) -> Self {
        self.column(
            name,
            "wide-option",
            &mut values.map(|value| value.map_or(0, |value| value + 1)),
        )
    }

    /// Times: each is the difference from the one before, with the sign in the lowest bit.
    pub fn time(self, name: &str, values: impl Iterator<Item = u64>) -> Self {
        let mut previous = 0;
        let difference = |value: u64| {
            let difference = value.wrapping_sub(previous) as i64;
            previous = value;
            (difference << 1 ^ difference >> 63) as u64
        };
        self.column(name, "time", &mut values.map(difference))
    }

    /// Compiled once, and not for each iterator.
    fn column(mut self, name: &str, encoding: &str, values: &mut dyn Iterator<Item = u64>) -> Self {
        let mut rows = 0;
        for value in values {
            push_number(&mut self.tables.bytes, value);
            rows += 1;
        }
        assert_eq!(rows, self.rows, "column {name} of table {}", self.name);
        self.columns.push([name, encoding].map(str::to_owned));
        self
    }

    /// Adds the description of the table to the others.
    pub fn finish(self) {
        let description = Object::new()
            .with("name", self.name)
            .with("rows", self.rows)
            .with("columns", self.columns);
        self.tables.descriptions.push(description);
    }
}

/// Appends a number in LEB128: seven bits per byte, the lowest first.
fn push_number(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_seven_bits_per_byte() {
        let mut bytes = Vec::new();
        for number in [0, 127, 128, 300] {
            push_number(&mut bytes, number);
        }
        assert_eq!(bytes, [0, 127, 0x80, 1, 0xac, 2]);
    }

    #[test]
    fn times_are_differences_with_a_sign() {
        let mut tables = Tables::default();
        tables.table("t", 3).time("begin", [5, 7, 6].into_iter()).finish();
        assert_eq!(tables.bytes, [10, 4, 1]);
        let description = tables.descriptions.remove(0).finish();
        assert_eq!(description, r#"{"name":"t","rows":3,"columns":[["begin","time"]]}"#);
    }

    #[test]
    fn missing_numbers_are_zero() {
        let mut tables = Tables::default();
        tables.table("t", 2).option("fd", [None, Some(0)].into_iter()).finish();
        assert_eq!(tables.bytes, [0, 1]);
    }
}
