//! Node's command line options that scripts can be started with.
//!
//! An option that is not in the tables is refused by its name. That includes all options of V8.

/// Options without a value.
const SWITCHES: &[&str] = &[
    "--deprecation",
    "--interactive",
    "--no-deprecation",
    "--no-warnings",
    "--pending-deprecation",
    "--preserve-symlinks",
    "--preserve-symlinks-main",
    "--throw-deprecation",
    "--trace-deprecation",
    "--trace-warnings",
    "--warnings",
];

/// Options with a value, in the next word or after an equals sign.
const VALUES: &[&str] = &[
    "--disable-warning",
    "--max-http-header-size",
    "--redirect-warnings",
    "--require",
    "--test-reporter",
    "--unhandled-rejections",
];

/// The values of `--unhandled-rejections`.
const REJECTION_MODES: &[&str] = &["none", "strict", "throw", "warn", "warn-with-error-code"];

/// A command line, split into Node's options and the rest.
#[derive(Clone, Debug, Default)]
pub struct CommandLine {
    /// The name and the value of each option. The value of a switch is empty.
    pub flags: Vec<(String, String)>,
    /// The words of the options (`process.execArgv`).
    pub exec_argv: Vec<String>,
    /// The text of `-e` or `-p`.
    pub eval: Option<String>,
    /// Whether to print the value of `eval`.
    pub print: bool,
    /// The script and its arguments.
    pub rest: Vec<String>,
}

impl CommandLine {
    /// Splits the words of a command line. The first word that is no option starts the rest.
    ///
    /// # Errors
    /// The text for the user, if an option is unknown or its value is missing or wrong.
    pub fn parse(words: Vec<String>) -> Result<Self, String> {
        let mut line = Self::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            if word == "--" {
                line.rest.extend(words);
                break;
            }
            if !word.starts_with('-') || word == "-" {
                line.rest.push(word);
                line.rest.extend(words);
                break;
            }
            line.take_option(word, &mut words)?;
        }
        Ok(line)
    }

    fn take_option(
        &mut self,
        word: String,
        words: &mut impl Iterator<Item = String>,
    ) -> Result<(), String> {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) if word.starts_with("--") => (name, Some(value.to_owned())),
            _ => (word.as_str(), None),
        };
        let name = canonical_name(name);
        let is_code = matches!(name.as_str(), "--eval" | "--print");
        if SWITCHES.contains(&name.as_str()) && value.is_none() {
            self.exec_argv.push(word);
            self.flags.push((name, String::new()));
            return Ok(());
        }
        if !is_code && !VALUES.contains(&name.as_str()) {
            return Err(format!("bad option: {word}"));
        }
        let had_value = value.is_some();
        let Some(value) = value.or_else(|| words.next()) else {
            return Err(format!("{word} requires an argument"));
        };
        check_value(&name, &value)?;
        self.exec_argv.push(word);
        if !had_value {
            self.exec_argv.push(value.clone());
        }
        if is_code {
            self.print = name == "--print";
            self.eval = Some(value);
        } else {
            self.flags.push((name, value));
        }
        Ok(())
    }
}

/// The long name of an option. Node accepts underscores for dashes.
fn canonical_name(name: &str) -> String {
    match name {
        "-e" => "--eval".to_owned(),
        "-i" => "--interactive".to_owned(),
        "-p" | "-pe" => "--print".to_owned(),
        "-r" => "--require".to_owned(),
        _ if name.starts_with("--") => name.replace('_', "-"),
        _ => name.to_owned(),
    }
}

fn check_value(name: &str, value: &str) -> Result<(), String> {
    let is_valid = match name {
        "--unhandled-rejections" => REJECTION_MODES.contains(&value),
        "--max-http-header-size" => value.parse::<u32>().is_ok(),
        _ => true,
    };
    if is_valid { Ok(()) } else { Err(format!("invalid value for {name}")) }
}

#[cfg(test)]
mod tests {
    use super::CommandLine;

    fn parse(line: &str) -> Result<CommandLine, String> {
        CommandLine::parse(line.split(' ').map(str::to_owned).collect())
    }

    #[test]
    fn options_end_at_the_script() {
        let line = parse("--no-warnings -r ./a.js --max_http_header_size=9 b.js --trace-warnings");
        let line = line.expect("all options are known");
        assert_eq!(line.rest, ["b.js", "--trace-warnings"]);
        assert_eq!(line.exec_argv, ["--no-warnings", "-r", "./a.js", "--max_http_header_size=9"]);
        assert_eq!(line.flags[1], ("--require".to_owned(), "./a.js".to_owned()));
        assert_eq!(line.flags[2], ("--max-http-header-size".to_owned(), "9".to_owned()));
    }

    #[test]
    fn code_is_an_option_and_a_dash_is_a_script() {
        let line = parse("-pe 1+1 - x").expect("all options are known");
        assert_eq!(line.eval.as_deref(), Some("1+1"));
        assert!(line.print);
        assert_eq!(line.rest, ["-", "x"]);
    }

    #[test]
    fn unknown_options_and_wrong_values_are_named() {
        let error = |line| parse(line).expect_err("the option is wrong");
        assert_eq!(error("--stack-size=9 a.js"), "bad option: --stack-size=9");
        assert_eq!(error("--no-warnings=1"), "bad option: --no-warnings=1");
        assert_eq!(error("-r"), "-r requires an argument");
        assert_eq!(error("--unhandled-rejections=x"), "invalid value for --unhandled-rejections");
    }
}
