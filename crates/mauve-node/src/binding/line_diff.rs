//! The comparison of two texts in the message of an `AssertionError`.

/// The number of printed lines after which a comparison ends.
const MAX_LINES: usize = 50;

/// The lines that differ, with a few of those around them, and whether lines were skipped. `None` if the texts
/// are equal. `shown` lines of their common end count as printed already.
pub(super) fn diff(actual: &str, expected: &str, shown: usize) -> Option<(bool, String)> {
    let mut actual: Vec<_> = actual.split('\n').collect();
    let mut expected: Vec<_> = expected.split('\n').collect();
    let (end, end_skipped) = remove_common_end(&mut actual, &mut expected, shown);
    let count = actual.len().max(expected.len());
    if count == 0 {
        return None;
    }
    let mut diff = Diff::default();
    for index in 0..count {
        diff.line(&actual, &expected, index);
        if diff.printed > MAX_LINES && index + 2 < count {
            return Some((true, format!("{}\n...{}\n...", diff.text, diff.pending)));
        }
    }
    Some((diff.skipped || end_skipped, diff.text + &diff.pending + &end))
}

/// Removes the trailing lines that both lists have. Returns the last of them, and whether some were skipped.
fn remove_common_end(
    actual: &mut Vec<&str>,
    expected: &mut Vec<&str>,
    shown: usize,
) -> (String, bool) {
    let (mut text, mut first, mut count) = (String::new(), "", shown);
    while let (Some(line), Some(other)) = (actual.last(), expected.last()) {
        if line != other {
            break;
        }
        if count < 3 {
            text = format!("\n  {line}{text}");
        } else {
            first = line;
        }
        count += 1;
        actual.pop();
        expected.pop();
    }
    let is_skipped = count >= 5;
    if is_skipped {
        text = format!("\n...{text}");
    }
    if !first.is_empty() {
        text = format!("\n  {first}{text}");
    }
    (text, is_skipped)
}

#[derive(Default)]
struct Diff {
    text: String,
    /// Lines of the expected text, printed after the run of differences.
    pending: String,
    printed: usize,
    /// The length of the current run of equal lines.
    identical: usize,
    skipped: bool,
}

impl Diff {
    fn add(&mut self, line: &str) {
        self.text += "\n  ";
        self.text += line;
        self.printed += 1;
    }

    /// Prints the last lines of a run of equal lines, before a difference.
    fn end_run(&mut self, lines: &[&str], index: usize) {
        match std::mem::take(&mut self.identical) {
            0..=2 => return,
            3 => {}
            4 => self.add(lines[index - 2]),
            5 => {
                self.add(lines[index - 3]);
                self.add(lines[index - 2]);
            }
            _ => {
                self.text += "\n...";
                self.skipped = true;
                self.add(lines[index - 2]);
            }
        }
        self.add(lines[index - 1]);
    }

    fn line(&mut self, actual: &[&str], expected: &[&str], index: usize) {
        let (one, other) = (actual.get(index), expected.get(index));
        if let (Some(one), Some(other)) = (one, other)
            && let Some(same) = common(one, other)
        {
            self.text += &std::mem::take(&mut self.pending);
            self.identical += 1;
            if self.identical <= 2 {
                self.add(same);
            }
            return;
        }
        self.end_run(if one.is_some() { actual } else { expected }, index);
        for (line, sign, is_pending) in [(one, "\n+ ", false), (other, "\n- ", true)] {
            let Some(line) = line else { continue };
            let text = if is_pending { &mut self.pending } else { &mut self.text };
            text.push_str(sign);
            text.push_str(line);
            self.printed += 1;
        }
    }
}

/// The longer of two lines that are equal, except that one may end with a comma.
fn common<'a>(one: &'a str, other: &'a str) -> Option<&'a str> {
    if one == other || one.strip_suffix(',') == Some(other) {
        return Some(one);
    }
    (other.strip_suffix(',') == Some(one)).then_some(other)
}

#[cfg(test)]
mod tests {
    use super::diff;

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(diff("a\nb", "a\nb", 0), None);
    }

    #[test]
    fn a_trailing_comma_is_no_difference() {
        let (skipped, text) = diff("{\n  a,\n  b\n}", "{\n  a\n}", 0).expect("they differ");
        assert!(!skipped);
        assert_eq!(text, "\n  {\n    a,\n+   b\n  }");
    }

    #[test]
    fn long_runs_of_equal_lines_are_skipped() {
        let (skipped, text) =
            diff("1\n2\n3\n4\n5\n6\nx", "1\n2\n3\n4\n5\n6\ny", 0).expect("they differ");
        assert!(skipped);
        assert_eq!(text, "\n  1\n  2\n...\n  5\n  6\n+ x\n- y");
    }
}
