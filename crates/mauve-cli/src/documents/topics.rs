//! The topics of `mauve help`: pages of Markdown, which `mauve(7)` contains, too.
//!
//! They use a part of Markdown: titles, paragraphs, and lists whose items are `` - `NAME`: text``.

/// A page.
pub struct Topic {
    pub name: &'static str,
    pub text: &'static str,
}

/// All topics.
pub const LIST: [Topic; 3] = [
    Topic { name: "environment", text: include_str!("../../topics/environment.md") },
    Topic { name: "phases", text: include_str!("../../topics/phases.md") },
    Topic { name: "exit", text: include_str!("../../topics/exit.md") },
];

/// The topic with this name.
pub fn find(name: &str) -> Option<&'static Topic> {
    LIST.iter().find(|topic| topic.name == name)
}

/// The names of all topics.
pub fn names() -> String {
    LIST.map(|topic| topic.name).join(", ")
}

/// A part of a page.
pub enum Part<'a> {
    Title(&'a str),
    Paragraph(String),
    /// What an item is about, and its text.
    Item(&'a str, String),
}

impl Topic {
    /// The parts of the page.
    pub fn parts(&self) -> Vec<Part<'static>> {
        let mut parts = Vec::new();
        let mut is_open = false;
        for line in self.text.lines() {
            if line.is_empty() {
                is_open = false;
            } else if line.starts_with('#') {
                parts.push(Part::Title(line.trim_start_matches('#').trim()));
            } else if let Some(item) = line.strip_prefix("- ") {
                let (subject, text) = item.split_once(": ").unwrap_or((item, ""));
                parts.push(Part::Item(subject, text.to_owned()));
                is_open = true;
            } else if let Some(Part::Paragraph(text) | Part::Item(_, text)) =
                parts.last_mut().filter(|_| is_open)
            {
                text.push(' ');
                text.push_str(line.trim());
            } else {
                parts.push(Part::Paragraph(line.to_owned()));
                is_open = true;
            }
        }
        parts
    }

    /// The page for a terminal with 80 columns.
    pub fn print(&self) -> String {
        let mut out = String::new();
        let mut was_item = false;
        for part in self.parts() {
            let is_item = matches!(part, Part::Item(..));
            // Items follow each other without a line between them.
            if !(out.is_empty() || is_item && was_item) {
                out.push('\n');
            }
            match part {
                Part::Title(text) => out += &format!("{text}:\n"),
                Part::Paragraph(text) => wrap(&plain(&text), "", &mut out),
                Part::Item(subject, text) => {
                    wrap(&plain(subject), "  ", &mut out);
                    wrap(&plain(&text), "      ", &mut out);
                }
            }
            was_item = is_item;
        }
        out
    }
}

/// Without the marks of Markdown.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

/// Appends lines of at most 80 characters.
fn wrap(text: &str, indent: &str, out: &mut String) {
    let mut width = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 80 {
            out.push('\n');
            width = 0;
        }
        match width {
            0 => out.push_str(indent),
            _ => out.push(' '),
        }
        width += length + if width == 0 { indent.len() } else { 1 };
        out.push_str(word);
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_fit_into_80_columns() {
        for topic in &LIST {
            let text = topic.print();
            assert!(text.lines().count() > 3, "{text}");
            for line in text.lines() {
                assert!(line.chars().count() <= 80 && !line.contains('`'), "{line}");
            }
        }
    }

    #[test]
    fn the_lines_of_an_item_are_one_text() {
        let topic = Topic {
            name: "",

            text: "# T\n\nA\nb.\n\n- `X`, `Y`: text\n  and more\n- `Z`: z\n\nEnd\n",
        };
        assert_eq!(
            topic.print(),
            "T:\n\nA b.\n\n  X, Y\n      text and more\n  Z\n      z\n\nEnd\n"
        );
    }
}
