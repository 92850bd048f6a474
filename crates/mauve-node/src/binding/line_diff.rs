//! The comparison of two texts in the message of an `AssertionError`: Myers' greedy algorithm, by lines.

/// The number of equal lines that are printed before further ones are skipped.
const CONTEXT: usize = 5;

/// A line of the result.
#[derive(Clone, Copy)]
enum Line<'a> {
    Equal(&'a str),
    Actual(&'a str),
    Expected(&'a str),
}

/// The lines that differ, with those before them, and whether lines between differences were skipped. With
/// `ignores_commas` a comma at the end of a line is no difference.
pub(super) fn diff(actual: &str, expected: &str, ignores_commas: bool) -> (bool, String) {
    let (actual, expected): (Vec<_>, Vec<_>) =
        (actual.split('\n').collect(), expected.split('\n').collect());
    print(&compare(&actual, &expected, ignores_commas))
}

fn print(lines: &[Line<'_>]) -> (bool, String) {
    let (mut text, mut skipped) = (String::new(), false);
    let mut run: Vec<&str> = Vec::new();
    for line in lines {
        let (sign, line) = match *line {
            Line::Equal(line) => {
                run.push(line);
                if run.len() <= CONTEXT {
                    text += &format!("\n  {line}");
                }
                continue;
            }
            Line::Actual(line) => ('+', line),
            Line::Expected(line) => ('-', line),
        };
        // One or two lines are not worth to be skipped.
        let hidden = run.get(CONTEXT..).unwrap_or_default();
        if hidden.len() > 2 {
            skipped = true;
            text += "\n...";
        }
        let rest = if hidden.len() > 2 { &hidden[hidden.len() - 1..] } else { hidden };
        rest.iter().for_each(|line| text += &format!("\n  {line}"));
        run.clear();
        text += &format!("\n{sign} {line}");
    }
    (skipped, text)
}

/// The shortest sequence of changes, with the equal lines.
fn compare<'a>(actual: &[&'a str], expected: &[&'a str], ignores_commas: bool) -> Vec<Line<'a>> {
    let is_equal = |one: &str, other: &str| {
        one == other
            || (ignores_commas
                && (one.strip_suffix(',') == Some(other) || other.strip_suffix(',') == Some(one)))
    };
    let max = actual.len() + expected.len();
    // How far each diagonal reaches. Diagonal `k` is at `k + max + 1`.
    let mut reached = vec![0; 2 * max + 3];
    // Of each level, the diagonals from `-level - 1` to `level + 1`.
    let mut levels: Vec<Vec<usize>> = Vec::new();
    'levels: for level in 0..=max {
        levels.push(reached[max - level..=max + level + 2].to_vec());
        for step in 0..=level {
            let at = max + 1 + 2 * step - level;
            let down = step == 0 || (step != level && reached[at - 1] < reached[at + 1]);
            let mut x = if down { reached[at + 1] } else { reached[at - 1] + 1 };
            let mut y = x + max + 1 - at;
            while x < actual.len() && y < expected.len() && is_equal(actual[x], expected[y]) {
                (x, y) = (x + 1, y + 1);
            }
            reached[at] = x;
            if x >= actual.len() && y >= expected.len() {
                break 'levels;
            }
        }
    }
    let (mut x, mut y) = (actual.len(), expected.len());
    let mut lines = Vec::new();
    for (level, before) in levels.iter().enumerate().rev() {
        // The position of the diagonal in the level.
        let at = x + level + 1 - y;
        let down = at == 1 || (at != 2 * level + 1 && before[at - 1] < before[at + 1]);
        let from = if down { at + 1 } else { at - 1 };
        let (start_x, start_y) =
            if level == 0 { (0, 0) } else { (before[from], before[from] + level + 1 - from) };
        while x > start_x && y > start_y {
            (x, y) = (x - 1, y - 1);
            let (one, other) = (actual[x], expected[y]);
            lines.push(Line::Equal(if one.len() >= other.len() { one } else { other }));
        }
        if level > 0 && x > start_x {
            x -= 1;
            lines.push(Line::Actual(actual[x]));
        } else if level > 0 {
            y -= 1;
            lines.push(Line::Expected(expected[y]));
        }
    }
    lines.reverse();
    lines
}

#[cfg(test)]
mod tests {
    use super::diff;

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(diff("a\nb", "a\nb", false), (false, "\n  a\n  b".to_owned()));
    }

    #[test]
    fn a_trailing_comma_is_no_difference() {
        let (skipped, text) = diff("{\n  a,\n  b\n}", "{\n  a\n}", true);
        assert!(!skipped);
        assert_eq!(text, "\n  {\n    a,\n+   b\n  }");
    }

    #[test]
    fn long_runs_of_equal_lines_are_skipped() {
        let same = "1\n2\n3\n4\n5\n6\n7\n8";
        let (skipped, text) = diff(&format!("{same}\nx"), &format!("{same}\ny"), false);
        assert!(skipped);
        assert_eq!(text, "\n  1\n  2\n  3\n  4\n  5\n...\n  8\n+ x\n- y");
    }

    #[test]
    fn an_insertion_leaves_the_lines_after_it_equal() {
        let (_, text) = diff("a\nx\nb", "a\nb\nc", false);
        assert_eq!(text, "\n  a\n+ x\n  b\n- c");
    }
}
