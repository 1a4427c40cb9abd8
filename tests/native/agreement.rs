//! Both readings of one declaration agree on every document: equal results, or both refuse.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::documents::{Choices, document};
use crate::readings::check;
use crate::support::{CASES, Case};

/// Choices a document may use; past them it goes on plainly.
const CHOICES: usize = 2500;

#[track_caller]
fn holds(case: &Case) {
    let config = ProptestConfig { failure_persistence: None, max_shrink_iters: 5_000, ..ProptestConfig::default() };
    let choices = prop::collection::vec(any::<u8>(), 0..CHOICES);
    let result = TestRunner::new(config).run(&choices, |bytes| {
        let mut choices = Choices::new(&bytes);
        let cuts: Vec<usize> = (0..choices.pick(6)).map(|_| choices.large()).collect();
        let document = document(case, &mut choices);
        check(case, &document, &cuts)
            .map_err(|what| TestCaseError::fail(format!("{what}\ncuts: {cuts:?}\n{}", document.escape_ascii())))
    });
    if let Err(error) = result {
        // Only the message: the choices say nothing to a reader.
        panic!("{}: {}", case.name, error.to_string().split("minimal failing input").next().unwrap_or_default());
    }
}

macro_rules! lists {
    ($( $name:ident ),*) => { $(
        #[test]
        #[expect(non_snake_case, reason = "the name of the list under test")]
        fn $name() {
            holds(&crate::support::$name);
        }
    )* };
}

lists!(
    ADDRESSES,
    NFT,
    LOGS,
    TRANSFERS,
    BALANCES,
    CALLS,
    WITHDRAWALS,
    TRANSACTION_ROWS,
    INTERNAL_ROWS,
    TRANSFER_ROWS,
    HOLDING_ROWS,
    BLOCK_ROWS,
    BALANCE_ROWS,
    VALUE,
    ETH_BALANCE
);

#[test]
fn generated_documents_are_neither_all_good_nor_all_bad() {
    let (mut good, mut rows, mut bad) = (0, 0, 0);
    for seed in 0..400usize {
        let mut state = seed;
        let mut byte = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state.to_be_bytes()[0]
        };
        let bytes: Vec<u8> = (0..CHOICES).map(|_| byte()).collect();
        let case = CASES[seed % CASES.len()];
        match case.decode_whole(document(case, &mut Choices::new(&bytes))) {
            Ok(page) => {
                good += 1;
                rows += page.rows.len();
            }
            Err(_) => bad += 1,
        }
    }
    assert!(good > 100 && bad > 100 && rows > 100, "{good} good with {rows} rows, {bad} bad");
}
