//! Answers that are kept for a moment, where the caller asks for it: a page that is opened twice is fetched once.

use std::rc::Rc;

/// Answers are kept up to so many bytes in all.
const MAX_BYTES: usize = 4 << 20;

/// Operations that tell balances, which are never kept: an old balance is a wrong one.
pub const NEVER_KEPT: [&str; 8] = [
    "addresses",
    "addressCoinBalanceHistory",
    "ethGetBalance",
    "balance",
    "balanceMulti",
    "tokenBalance",
    "tokenList",
    "listAccounts",
];

/// The bodies of good answers, by their URLs without the API key; the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    answers: Vec<Answer>,
    bytes: usize,
}

#[derive(Debug)]
struct Answer {
    url: String,
    until_ms: u64,
    body: Rc<Vec<u8>>,
}

impl Kept {
    pub(crate) fn get(&mut self, url: &str, now: u64, keep_ms: u64) -> Option<Rc<Vec<u8>>> {
        // A clock that was set back would make them last longer.
        let is_young = |answer: &Answer| (now + 1..=now + keep_ms).contains(&answer.until_ms);
        while self.answers.first().is_some_and(|oldest| !is_young(oldest)) {
            self.forget_oldest();
        }
        self.answers.iter().find(|answer| answer.url == url).map(|answer| Rc::clone(&answer.body))
    }

    pub(crate) fn keep(&mut self, url: &str, body: Vec<u8>, until_ms: u64) {
        if body.len() > MAX_BYTES || self.answers.iter().any(|answer| answer.url == url) {
            return;
        }
        self.bytes += body.len();
        self.answers.push(Answer { url: url.to_owned(), until_ms, body: Rc::new(body) });
        while self.bytes > MAX_BYTES {
            self.forget_oldest();
        }
    }

    fn forget_oldest(&mut self) {
        self.bytes -= self.answers.remove(0).body.len();
    }
}
