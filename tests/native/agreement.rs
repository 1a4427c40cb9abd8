//! Property tests: the decoder and serde agree on generated documents.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use crate::decoder_comparison::compare_decoders;
use crate::documents::{Choices, generate_document};
use crate::support::{CASES, Case};

/// The maximum number of random choices per document. After them, every choice is 0.
const MAX_CHOICES: usize = 2504;

#[track_caller]
fn assert_decoders_agree(case: &Case) {
    let config = ProptestConfig { failure_persistence: None, max_shrink_iters: 5_000, ..ProptestConfig::default() };
    // Eight choices at a time: generating them one by one would take a third of the time.
    let choices = prop::collection::vec(any::<u64>(), 0..MAX_CHOICES / 8);
    let result = TestRunner::new(config).run(&choices, |numbers| {
        let bytes: Vec<u8> = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
        let mut choices = Choices::new(&bytes);
        let cuts: Vec<usize> = (0..choices.pick(6)).map(|_| choices.pick_large()).collect();
        let document = generate_document(case, &mut choices);
        compare_decoders(case, &document, &cuts).map_err(|difference| {
            TestCaseError::fail(format!("{difference}\ncuts: {cuts:?}\n{}", document.escape_ascii()))
        })
    });
    if let Err(error) = result {
        // Omits the minimal input: its bytes are choices, which mean nothing to readers.
        panic!("{}: {}", case.name, error.to_string().split("minimal failing input").next().unwrap_or_default());
    }
}

macro_rules! agreement_tests {
    ($( $name:ident ),*) => { $(
        #[test]
        #[expect(non_snake_case, reason = "the name of the case under test")]
        fn $name() {
            assert_decoders_agree(&crate::support::$name);
        }
    )* };
}

#[test]
fn decoders_agree_on_every_list() {
    std::thread::scope(|scope| {
        for case in CASES.iter() {
            scope.spawn(move || assert_decoders_agree(case));
        }
    });
}

agreement_tests!(
    TRANSACTION_ROWS,
    INTERNAL_ROWS,
    TRANSFER_ROWS,
    HOLDING_ROWS,
    BLOCK_ROWS,
    BALANCE_ROWS,
    VALUE,
    ETH_BALANCE,
    CLOSEST_BLOCK
);

#[test]
fn generated_documents_are_a_mix_of_valid_and_invalid() {
    let (mut valid, mut rows, mut invalid) = (0, 0, 0);
    for seed in 0..400usize {
        let mut state = seed;
        let mut byte = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state.to_be_bytes()[0]
        };
        let bytes: Vec<u8> = (0..MAX_CHOICES).map(|_| byte()).collect();
        let case = &CASES[seed % CASES.len()];
        match case.decode_whole(generate_document(case, &mut Choices::new(&bytes))) {
            Ok(page) => {
                valid += 1;
                rows += page.rows.len();
            }
            Err(_) => invalid += 1,
        }
    }
    assert!(valid > 100 && invalid > 100 && rows > 100, "{valid} valid with {rows} rows, {invalid} invalid");
}
