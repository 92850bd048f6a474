//! Arranges the entries of an array in columns, for `util.inspect`.

/// Columns between two entries: a comma and a space.
const GAP: usize = 2;
const MAX_COLUMNS: f64 = 15.0;

/// The space that there is, and the settings of `util.inspect`.
pub(super) struct Limits {
    pub line: f64,
    pub indentation: f64,
    pub compact: f64,
}

/// Returns rows with the same number of columns, or `None` if columns do not help. `widths` are those
/// of the entries. `count` includes an entry that says how many are not shown.
pub(super) fn group(
    entries: &[String],
    widths: &[usize],
    count: usize,
    right: bool,
    limits: &Limits,
) -> Option<Vec<String>> {
    let columns = column_count(widths, count, limits);
    if columns <= 1 {
        return None;
    }
    let mut column_widths = vec![0; columns];
    for (index, width) in widths.iter().enumerate() {
        column_widths[index % columns] = column_widths[index % columns].max(*width);
    }
    let cells: Vec<(&String, &usize)> = entries.iter().zip(widths).collect();
    Some(cells.chunks(columns).map(|cells| row(cells, &column_widths, right)).collect())
}

fn row(cells: &[(&String, &usize)], column_widths: &[usize], right: bool) -> String {
    let mut text = String::new();
    for (index, (entry, width)) in cells.iter().enumerate() {
        let padding = " ".repeat(column_widths[index] - **width);
        let is_last = index + 1 == cells.len();
        if right {
            text += &padding;
        }
        text += entry;
        text += if is_last { "" } else { ", " };
        if !right && !is_last {
            text += &padding;
        }
    }
    text
}

/// The number of columns of a block that is about 2.5 times as wide as high. It is 1 if the entries
/// are too long, or too different in length, for columns.
fn column_count(widths: &[usize], count: usize, limits: &Limits) -> usize {
    let widest = widths.iter().copied().max().unwrap_or(0);
    let total: usize = widths.iter().map(|width| width + GAP).sum();
    let (cell, total) = ((widest + GAP) as f64, total as f64);
    let is_short = cell * 3.0 + limits.indentation < limits.line;
    let is_even = total / cell > 5.0 || widest <= 6;
    if !is_short || !is_even {
        return 1;
    }
    let typical = (cell - 3.0 - (cell - total / count as f64).sqrt()).max(1.0);
    let preferred = ((2.5 * typical * widths.len() as f64).sqrt() / typical + 0.5).floor();
    let fitting = ((limits.line - limits.indentation) / cell).floor();
    preferred.min(fitting).min((limits.compact * 4.0).floor()).min(MAX_COLUMNS) as usize
}
