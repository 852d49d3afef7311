//! Answers as they were given: whoever asks the same again, while nothing new is stored, gets the same bytes.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use benchbook_host::request::Request;

/// The most bytes of requests and answers; what was sent comes on top.
const MOST: usize = 64 << 20;

/// The most of one, and of all that was sent, as parts of all: they leave room for other answers.
const PART: usize = 8;

/// What is asked, by whomever.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Asked {
    /// The request as JSON, its client left out.
    request: String,
    /// Whether the answer is to be a stream.
    is_stream: bool,
}

impl Asked {
    /// What a client asks.
    pub fn new(request: &Request, is_stream: bool) -> Self {
        let anybodys = Request { client: String::new(), ..request.clone() };
        Self { request: serde_json::to_string(&anybodys).expect("requests have a JSON form"), is_stream }
    }
}

/// What a client sent, letter by letter. It sends the same when it asks again, which need not be read then.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sent {
    /// The body.
    pub body: Bytes,
    /// Whether the answer is to be a stream.
    pub is_stream: bool,
}

/// Which results were stored when an answer was looked for: it holds as long as no other is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edition(u64);

/// Answers that were found in the store, of its latest edition.
#[derive(Debug)]
pub struct Kept {
    answers: Mutex<Answers>,
    most: usize,
}

#[derive(Debug, Default)]
struct Answers {
    edition: u64,
    by_asked: HashMap<Asked, Bytes>,
    bytes: usize,
    /// The same answers.
    by_sent: HashMap<Sent, Bytes>,
    /// What was sent, in bytes: on top of `bytes`.
    sent_bytes: usize,
}

impl Default for Kept {
    fn default() -> Self {
        Self::of(MOST)
    }
}

impl Kept {
    fn of(most: usize) -> Self {
        Self { answers: Mutex::default(), most }
    }

    /// The answer to what was sent before; absent where it has to be read.
    pub fn repeat(&self, sent: &Sent) -> Option<Bytes> {
        self.lock().by_sent.get(sent).cloned()
    }

    /// The answer to `asked`, as which `sent` was read; from now on it is that of `sent` too.
    ///
    /// # Errors
    /// Where there is none: the edition of what is now looked for.
    pub fn find(&self, asked: &Asked, sent: &Sent) -> Result<Bytes, Edition> {
        let mut answers = self.lock();
        let answer = answers.by_asked.get(asked).cloned().ok_or(Edition(answers.edition))?;
        answers.add_sent(sent, &answer, self.most / PART);
        Ok(answer)
    }

    /// Keeps an answer, unless something was stored since it was looked for. Where there is no room all others go: those that
    /// are asked for are soon back.
    pub fn keep(&self, edition: Edition, asked: Asked, answer: &Bytes) {
        let bytes = asked.request.len() + answer.len();
        let mut answers = self.lock();
        if edition != Edition(answers.edition) || bytes > self.most / PART {
            return;
        }
        if answers.bytes + bytes > self.most {
            answers.clear();
        }
        if answers.by_asked.insert(asked, answer.clone()).is_none() {
            answers.bytes += bytes;
        }
    }

    /// Something was stored: from now on other answers may be right.
    pub fn outdate(&self) {
        let mut answers = self.lock();
        answers.edition += 1;
        answers.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Answers> {
        // Nothing of others is called under the lock but hashing.
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Answers {
    /// Where there is no room all that others sent goes.
    fn add_sent(&mut self, sent: &Sent, answer: &Bytes, most: usize) {
        let bytes = sent.bytes();
        if bytes > most || self.by_sent.contains_key(sent) {
            return;
        }
        if self.sent_bytes + bytes > most {
            self.clear_sent();
        }
        // A copy: what was sent is a part of all that was read from its connection.
        let sent = Sent { body: Bytes::copy_from_slice(&sent.body), ..*sent };
        self.by_sent.insert(sent, answer.clone());
        self.sent_bytes += bytes;
    }

    fn clear(&mut self) {
        self.by_asked.clear();
        self.bytes = 0;
        self.clear_sent();
    }

    fn clear_sent(&mut self) {
        self.by_sent.clear();
        self.sent_bytes = 0;
    }
}

impl Sent {
    /// With its place, so that short ones are no more than there is room for.
    fn bytes(&self) -> usize {
        self.body.len() + size_of::<(Self, Bytes)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(request: &str) -> Asked {
        Asked { request: request.to_owned(), is_stream: false }
    }

    fn sent(body: &'static str) -> Sent {
        Sent { body: Bytes::from_static(body.as_bytes()), is_stream: false }
    }

    fn missing(kept: &Kept, asked: &Asked) -> Edition {
        kept.find(asked, &sent("this")).expect_err("it is not kept")
    }

    #[test]
    fn what_is_kept_is_found_until_something_is_stored() {
        let kept = Kept::default();
        let answer = Bytes::from_static(b"answer");
        kept.keep(missing(&kept, &asked("this")), asked("this"), &answer);
        assert_eq!(kept.find(&asked("this"), &sent("this")), Ok(answer));
        missing(&kept, &asked("that"));
        missing(&kept, &Asked { is_stream: true, ..asked("this") });
        kept.outdate();
        missing(&kept, &asked("this"));
    }

    #[test]
    fn what_was_sent_before_is_answered_unread_until_something_is_stored() {
        let kept = Kept::default();
        let answer = Bytes::from_static(b"answer");
        kept.keep(missing(&kept, &asked("this")), asked("this"), &answer);
        assert_eq!(kept.repeat(&sent("this")), None);
        for body in ["this", "this ", "this"] {
            assert_eq!(kept.find(&asked("this"), &sent(body)), Ok(answer.clone()));
            assert_eq!(kept.repeat(&sent(body)), Some(answer.clone()));
        }
        assert_eq!(kept.repeat(&Sent { is_stream: true, ..sent("this") }), None);
        assert_eq!(kept.repeat(&sent(" this")), None);
        kept.outdate();
        assert_eq!(kept.repeat(&sent("this")), None);
    }

    #[test]
    fn what_was_looked_for_before_something_was_stored_is_not_kept() {
        let kept = Kept::default();
        let before = missing(&kept, &asked("this"));
        kept.outdate();
        kept.keep(before, asked("this"), &Bytes::from_static(b"old"));
        missing(&kept, &asked("this"));
    }

    #[test]
    fn it_holds_no_more_than_its_bytes() {
        let kept = Kept::of(80);
        for number in 0..100_u8 {
            let one = asked(&format!("{number:04}"));
            for _ in 0..2 {
                kept.keep(missing(&kept, &asked("")), one.clone(), &vec![number; 6].into());
            }
            assert_eq!(kept.find(&one, &sent("this")), Ok(vec![number; 6].into()));
            let answers = kept.lock();
            assert_eq!(answers.bytes, 10 * answers.by_asked.len());
            assert!(answers.bytes <= 80);
        }
        kept.keep(missing(&kept, &asked("large")), asked("large"), &vec![0; 6].into());
        missing(&kept, &asked("large"));
    }

    #[test]
    fn what_is_sent_takes_a_part_and_no_answers_place() {
        let one = sent("0000").bytes();
        let kept = Kept::of(PART * (3 * one + 1));
        kept.keep(missing(&kept, &asked("this")), asked("this"), &Bytes::from_static(b"answer"));
        let mut most = 0;
        for number in 0..100 {
            let sent = Sent { body: format!("{number:04}").into(), is_stream: false };
            for _ in 0..2 {
                assert!(kept.find(&asked("this"), &sent).is_ok());
                assert!(kept.repeat(&sent).is_some());
            }
            let answers = kept.lock();
            assert_eq!(answers.sent_bytes, one * answers.by_sent.len());
            most = most.max(answers.by_sent.len());
        }
        assert_eq!(most, 3);
        let large = Sent { body: vec![b' '; 3 * one].into(), is_stream: false };
        assert!(kept.find(&asked("this"), &large).is_ok());
        assert_eq!(kept.repeat(&large), None);
    }
}
