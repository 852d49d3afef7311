//! Scripts and style sheets line by line: enough to take out what is for readers alone, and too little to break what runs.

use anyhow::{Result, ensure};

/// The text without comments that have lines of their own, without empty lines, and without indentation.
///
/// # Errors
/// Where a literal between backticks has several lines, whose indentation would belong to it.
pub(super) fn without_comments(text: &str) -> Result<String> {
    let mut kept = String::with_capacity(text.len());
    let mut comment = false;
    for line in text.lines().map(str::trim) {
        // The style sheets' first comment stands behind the tag that trunk put before it.
        let (line, rest) = match line.split_once("/*") {
            Some((before, rest)) if !comment && (before.is_empty() || before == "<style>") => {
                comment = true;
                (before, rest)
            }
            _ if comment => ("", line),
            _ => (line, ""),
        };
        if comment && rest.ends_with("*/") {
            comment = false;
        }
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        ensure!(line.matches('`').count().is_multiple_of(2), "a literal of several lines: {line}");
        kept.push_str(line);
        kept.push('\n');
    }
    ensure!(!comment, "a comment that does not end with its line");
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_go() {
        let script =
            "// Says it.\n\nfunction say() {\n  /* One line. */\n  log(\"// no comment /* either\"); // twice\n}\n";
        assert_eq!(
            without_comments(script).unwrap(),
            "function say() {\nlog(\"// no comment /* either\"); // twice\n}\n"
        );
    }

    #[test]
    fn comments_of_several_lines_go_from_style_sheets_in_a_page() {
        let page = "<style>/* Colours:\n   two. */\n:root {\n  color: red;\n}\n</style>\n";
        assert_eq!(without_comments(page).unwrap(), "<style>\n:root {\ncolor: red;\n}\n</style>\n");
    }

    #[test]
    fn a_literal_of_several_lines_is_refused() {
        assert!(without_comments("const text = `a\n  b`;\n").is_err());
        assert!(without_comments("const text = `a b`;\n").is_ok());
    }
}
