//! The tree's wording: counts the words and phrases of `tests/wording/phrases.txt` in code, page texts and documents.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use regex::{Regex, RegexBuilder};
use xtask::workspace::Workspace;

const PHRASES: &str = "tests/wording/phrases.txt";

/// Matches that remain where a serialized name or a quoted text leaves no choice.
const MAX_MATCHES: usize = 40;

/// Files whose words are not ours to choose: generated files, golden files, compiler output and licences.
const EXCLUDED: [&str; 7] = ["Cargo.lock", "LICENSE-", "/golden/", "proptest-regressions/", ".stderr", ".svg", PHRASES];

/// A pattern that our texts avoid.
struct Phrase {
    pattern: Regex,
    replacement: String,
}

#[test]
fn texts_avoid_the_listed_phrases() {
    let workspace = Workspace::find().unwrap();
    let phrases = read_phrases(&fs::read_to_string(workspace.root().join(PHRASES)).unwrap()).unwrap();
    let mut report = String::new();
    let mut count = 0;
    for path in tracked_files(workspace.root()).unwrap() {
        // A binary file has no wording, and a file deleted since the last commit has no text.
        let Ok(text) = fs::read_to_string(workspace.root().join(&path)) else { continue };
        for (number, found, replacement) in matches(&phrases, &text) {
            count += 1;
            writeln!(report, "{path}:{number}: `{found}`; use: {replacement}").unwrap();
        }
    }
    println!("{report}{count} matches, at most {MAX_MATCHES} allowed");
    assert!(count <= MAX_MATCHES, "{count} phrases to rewrite, at most {MAX_MATCHES} allowed; see the list above");
}

#[test]
fn patterns_match_words_and_identifiers() {
    let phrases = read_phrases("# A comment\n\n\\bbad word\\b => good word\n").unwrap();
    for line in ["a bad word", "Bad words, a BAD WORD.", "fn a_bad_word_here() {}"] {
        assert_eq!(matches(&phrases, line).len(), 1, "{line}");
    }
    for line in ["a bad sword", "bad words", "badword", "good word"] {
        assert_eq!(matches(&phrases, line).len(), 0, "{line}");
    }
    assert_eq!(matches(&phrases, "one\ntwo, a bad word\n")[0].0, 2);
    assert!(read_phrases("no replacement").is_err());
    assert!(read_phrases("( => unclosed").is_err());
}

/// Every match in a text: its line number, the matched words, and their replacement. Underscores count as spaces, so that
/// a pattern covers identifiers too.
fn matches<'a>(phrases: &'a [Phrase], text: &str) -> Vec<(usize, String, &'a str)> {
    let words = text.replace('_', " ");
    let mut matches = Vec::new();
    for phrase in phrases {
        for found in phrase.pattern.find_iter(&words) {
            let number = words[..found.end()].trim_end().matches('\n').count() + 1;
            matches.push((number, found.as_str().trim().to_owned(), phrase.replacement.as_str()));
        }
    }
    matches.sort_by_key(|(number, ..)| *number);
    matches
}

/// Reads lines of the form `pattern => replacement`; blank lines and lines that start with `#` are comments.
fn read_phrases(text: &str) -> Result<Vec<Phrase>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let phrase = |line: &str| {
        let (pattern, replacement) = line.split_once(" => ").with_context(|| format!("no replacement: {line}"))?;
        let pattern = RegexBuilder::new(pattern).case_insensitive(true).multi_line(true).build()?;
        Ok(Phrase { pattern, replacement: replacement.to_owned() })
    };
    lines.map(phrase).collect()
}

/// The paths of the files under version control, relative to `root`, without the excluded ones.
pub(crate) fn tracked_files(root: &Path) -> Result<Vec<String>> {
    let output = Command::new("git").arg("-C").arg(root).args(["ls-files", "-z"]).output().context("starting git")?;
    ensure!(output.status.success(), "git ls-files: {}", String::from_utf8_lossy(&output.stderr));
    let paths = String::from_utf8(output.stdout)?;
    let is_ours = |path: &&str| !path.is_empty() && !EXCLUDED.iter().any(|excluded| path.contains(excluded));
    Ok(paths.split('\0').filter(is_ours).map(str::to_owned).collect())
}
