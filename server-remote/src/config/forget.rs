//! `--empty`: forgetting what is stored.

use std::io::{self, BufRead, Write};

/// How all stored results are forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forget {
    /// After a person at the terminal agreed.
    AfterAsking,
    /// At once.
    AtOnce,
}

/// Asks whether to forget `results` results. Only a clear yes is one; no answer at all is none.
///
/// # Errors
/// Where it cannot be asked.
pub fn ask_to_forget(results: u64, answers: &mut impl BufRead, questions: &mut impl Write) -> io::Result<bool> {
    write!(questions, "Forget all {results} stored results, for good? Type yes: ")?;
    questions.flush()?;
    let mut answer = String::new();
    answers.read_line(&mut answer)?;
    Ok(answer.trim().eq_ignore_ascii_case("yes"))
}

#[cfg(test)]
mod tests {
    use super::ask_to_forget;

    #[test]
    fn only_a_clear_yes_forgets() {
        for (answer, expected) in [("yes\n", true), ("YES", true), ("y\n", false), ("\n", false), ("", false)] {
            let mut question = Vec::new();
            assert_eq!(ask_to_forget(12, &mut answer.as_bytes(), &mut question).unwrap(), expected, "{answer:?}");
            assert!(String::from_utf8(question).unwrap().contains("all 12 stored results"));
        }
    }
}
