//! Suggests the command for a word that is neither a command nor a script.

use std::path::Path;

/// The message for the first argument, if it is neither one of the commands nor a file, but similar to one.
pub fn correction<'a>(word: &str, commands: impl Iterator<Item = &'a str>) -> Option<String> {
    let is_script = ["", ".js", ".mjs", ".cjs", ".json"]
        .iter()
        .any(|end| Path::new(&format!("{word}{end}")).exists());
    if word.starts_with('-') || is_script {
        return None;
    }
    let (distance, best) = commands.map(|name| (distance(word, name), name)).min()?;
    let is_similar = distance <= 2 && distance < word.chars().count().min(best.len()) - 1;
    is_similar
        .then(|| format!("there is no command and no script `{word}`: did you mean `{best}`?"))
}

/// How many characters must be inserted, removed, replaced or swapped with the next one.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows = vec![(0..=other.len()).collect::<Vec<_>>()];
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut best = replaced.min(row[j - 1] + 1).min(rows[i - 1][j] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_similar_words_are_corrected() {
        let commands = || ["with", "why", "trace", "top"].into_iter();
        let corrected = |word| correction(word, commands());
        assert!(corrected("wiht").is_some_and(|text| text.ends_with("did you mean `with`?")));
        assert!(corrected("trac").is_some_and(|text| text.ends_with("did you mean `trace`?")));
        for word in ["server", "xyz", "a", "to", "--wiht", "src"] {
            assert_eq!(corrected(word), None, "{word}");
        }
    }
}
