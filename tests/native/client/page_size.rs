//! Page sizes: requests choose them since backend version 12, and older versions never refuse a request.
//!
//! `SEEDS=1000 cargo test --release --test native page_size` runs more random services (part of `make soak`).

use std::rc::Rc;

use address_query::client::{Client, RetryPolicy};
use address_query::endpoint::AddressTokenTransfersParams;
use address_query::error::{Error, ErrorCode};
use address_query::testing::client::{ListPage, ListReader};
use address_query::testing::endpoint::Request;

use super::{VERSION, Withdrawals, client, last_page, list, ok_page, params, retrying_client, string};
use crate::range::rng::Rng;
use crate::service::{Mark, Row, Schema, Script, Service, TRANSFERS, WITHDRAWALS};
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, TestRuntime};

/// Creates an instance of this version with `total` withdrawals, whose indices end with 0, and as many token transfers, whose
/// pages have no items.
fn instance(version: u64, total: u64) -> Rc<Service> {
    let rows = |mark| (0..total).map(|index| Row::new(index, 0).marked(mark)).collect();
    let transfers = Schema { path: "/token-transfers", ..TRANSFERS };
    let lists = [(WITHDRAWALS, rows(Mark::None)), (transfers, rows(Mark::Hidden))];
    Service::new(lists, Script { version, ..Script::NORMAL }, 1)
}

fn serve(version: u64, total: u64) -> TestRuntime {
    instance(version, total).connect(|_| 0)
}

fn reader(client: &Client<TestRuntime>, resume: Option<&str>) -> ListReader<TestRuntime> {
    let request = Request::new(list("addressWithdrawals"), &[("address_hash", string(HASH_A))]).unwrap();
    ListReader::new(client.clone(), request, None, resume).unwrap()
}

/// Reads the remaining pages. Returns the numbers of their records.
fn read_sizes(runtime: &TestRuntime, reader: &mut ListReader<TestRuntime>) -> Vec<usize> {
    std::iter::from_fn(|| runtime.block_on(reader.next()).unwrap()).map(|page| page.page.rows.len()).collect()
}

/// Reads all token transfers, a list whose cursor does not show the version.
fn read_transfers(runtime: &TestRuntime, client: &Client<TestRuntime>, concurrency: u32) {
    let params = AddressTokenTransfersParams::new(HASH_A.parse().unwrap());
    let mut pages = client.pages(&params).unwrap().with_concurrency(concurrency);
    while runtime.block_on(pages.next()).unwrap().is_some() {}
}

/// A reader of pages of this size.
fn sized_reader(client: &Client<TestRuntime>, size: u32) -> Result<ListReader<TestRuntime>, Error> {
    let reader = reader(client, None);
    reader.choose_page_size(size)?;
    Ok(reader)
}

/// Reads all withdrawals.
fn read_all(runtime: &TestRuntime, client: &Client<TestRuntime>) -> Vec<i64> {
    read_indices(runtime, client.pages(&params()).unwrap())
}

fn read_indices(runtime: &TestRuntime, pages: Withdrawals) -> Vec<i64> {
    let mut records = pages.into_records();
    std::iter::from_fn(|| runtime.block_on(records.next()).unwrap()).map(|row| row.index).collect()
}

/// The sizes that were requested, and how often the version was.
fn requested_sizes(runtime: &TestRuntime) -> (Vec<String>, usize) {
    let (versions, pages): (Vec<_>, Vec<_>) = runtime.take_urls().into_iter().partition(|url| url.ends_with(VERSION));
    let size = |url: String| url.split_once("items_count=").map_or("none".into(), |(_, size)| size.to_owned());
    (pages.into_iter().map(size).collect(), versions.len())
}

fn descending(total: u64) -> Vec<i64> {
    (0..i64::try_from(total).unwrap()).rev().collect()
}

#[test]
fn pages_after_the_first_have_100_records_since_version_12() {
    let runtime = serve(12, 450);
    assert_eq!(read_all(&runtime, &client(&runtime)), descending(450));
    assert_eq!(requested_sizes(&runtime), (["none", "100", "100", "100", "100"].map(String::from).to_vec(), 0));
}

#[test]
fn older_versions_are_never_asked_for_a_size() {
    for (version, sizes) in [(11, ["none", "50", "50"]), (8, ["none", "50", "100"])] {
        let runtime = serve(version, 150);
        assert_eq!(read_all(&runtime, &client(&runtime)), descending(150));
        assert_eq!(requested_sizes(&runtime), (sizes.map(String::from).to_vec(), 0), "version {version}");
    }
}

#[test]
fn list_whose_cursor_does_not_show_the_version_requests_it_once() {
    for (version, size, pages) in [(12, "100", 4), (11, "none", 10)] {
        let runtime = serve(version, 250);
        let client = client(&runtime);
        for _ in 0..2 {
            read_transfers(&runtime, &client, 1);
        }
        let (sizes, versions) = requested_sizes(&runtime);
        assert_eq!(versions, 1, "version {version}");
        assert_eq!(sizes.iter().filter(|sent| *sent == size).count(), pages, "version {version}");
    }
}

#[test]
fn version_is_not_requested_for_a_single_page() {
    let runtime = serve(12, 50);
    read_transfers(&runtime, &client(&runtime), 1);
    assert_eq!(requested_sizes(&runtime), (vec!["none".to_owned()], 0));
}

#[test]
fn size_is_dropped_when_an_older_version_refuses_it() {
    let instance = instance(12, 400);
    let runtime = instance.connect(|_| 0);
    let mut reader = reader(&client(&runtime), None);
    for _ in 0..2 {
        runtime.block_on(reader.next()).unwrap();
    }
    instance.script.borrow_mut().version = 11;
    assert_eq!(150 + read_sizes(&runtime, &mut reader).iter().sum::<usize>(), 400);
    assert_eq!(requested_sizes(&runtime).0, ["none", "100", "100", "none", "50", "50", "50", "50"]);
}

#[test]
fn smaller_maximum_of_an_instance_loses_no_record() {
    let instance = instance(12, 200);
    instance.script.borrow_mut().max_page_size = 60;
    let runtime = instance.connect(|_| 0);
    assert_eq!(read_all(&runtime, &client(&runtime)), descending(200));
}

/// Reads the first page in this size. Returns the number of its records.
fn read_size(runtime: &TestRuntime, size: u32) -> Result<usize, Error> {
    let mut reader = sized_reader(&client(runtime), size)?;
    Ok(runtime.block_on(reader.next())?.unwrap().page.rows.len())
}

#[test]
fn caller_chooses_the_size_of_every_page() {
    let runtime = serve(12, 100);
    let mut reader = sized_reader(&client(&runtime), 40).unwrap();
    assert_eq!(read_sizes(&runtime, &mut reader), [40, 40, 20]);
    assert_eq!(requested_sizes(&runtime), (vec!["40".to_owned(); 3], 0));
}

#[test]
fn size_that_an_old_version_does_not_have_is_explained() {
    for (version, size) in [(11, 60), (9, 100), (8, 20), (8, 60), (6, 40)] {
        let error = read_size(&serve(version, 100), size).unwrap_err();
        assert_eq!((error.code, error.parameter.as_deref()), (ErrorCode::UnsupportedVersion, Some("page_size")));
        assert_eq!(error.backend_version, Some(format!("{version}.0.0")));
        let beginning = "page_size of addressWithdrawals requires backend version 12.0.0";
        assert!(error.message.starts_with(beginning), "{error}");
    }
}

#[test]
fn refused_size_is_requested_once() {
    let runtime = serve(11, 100);
    let client = client(&runtime);
    for _ in 0..3 {
        let error = runtime.block_on(sized_reader(&client, 100).unwrap().next()).unwrap_err();
        assert_eq!(error.code, ErrorCode::UnsupportedVersion);
    }
    assert_eq!(requested_sizes(&runtime), (vec!["100".to_owned()], 1));
}

#[test]
fn size_is_accepted_after_an_upgrade() {
    let instance = instance(11, 100);
    let runtime = instance.connect(|_| 0);
    let client = client(&runtime);
    runtime.block_on(sized_reader(&client, 20).unwrap().next()).unwrap_err();
    instance.script.borrow_mut().version = 12;
    runtime.advance_ms(301_000);
    assert_eq!(read_sizes(&runtime, &mut sized_reader(&client, 20).unwrap()), [20; 5]);
}

#[test]
fn ignored_size_of_a_list_whose_cursor_does_not_show_the_version_is_explained() {
    for (version, size) in [(8, 20), (8, 60), (6, 100)] {
        let runtime = serve(version, 200);
        let pages = client(&runtime).pages(&AddressTokenTransfersParams::new(HASH_A.parse().unwrap())).unwrap();
        let error = runtime.block_on(pages.with_page_size(size).unwrap().next()).unwrap_err();
        assert_eq!(error.code, ErrorCode::UnsupportedVersion, "{error}");
    }
}

#[test]
fn every_part_has_the_size_whether_it_is_chosen_before_or_after_the_concurrency() {
    for chosen_first in [true, false] {
        let runtime = serve(12, 400);
        let pages = client(&runtime).pages(&params()).unwrap();
        let pages = if chosen_first {
            pages.with_page_size(20).unwrap().with_concurrency(3)
        } else {
            pages.with_concurrency(3).with_page_size(20).unwrap()
        };
        assert_eq!(read_indices(&runtime, pages), descending(400));
        assert!(requested_sizes(&runtime).0.iter().all(|size| size == "20"));
    }
}

#[test]
fn unknown_version_is_requested_once_by_all_parts() {
    let instance = instance(11, 600);
    let runtime = TestRuntime::with_service(move |url| {
        if url.ends_with(VERSION) { MockResponse::status(404, "") } else { instance.respond(url, 0) }
    });
    let client = client(&runtime);
    for _ in 0..2 {
        read_transfers(&runtime, &client, 4);
    }
    let (sizes, versions) = requested_sizes(&runtime);
    assert_eq!((sizes.iter().all(|size| size == "none"), versions), (true, 1));
}

/// The counter of version 8 exceeds the size that versions 9 to 11 accept.
#[test]
fn counter_of_version_8_is_omitted_after_an_upgrade() {
    for version in [11, 12] {
        let instance = instance(8, 400);
        let runtime = instance.connect(|_| 0);
        let mut first = reader(&client(&runtime), None);
        let pages: Vec<_> = (0..3).map(|_| runtime.block_on(first.next()).unwrap().unwrap()).collect();
        let before: usize = pages.iter().map(|page| page.page.rows.len()).sum();
        let token = pages[2].resume.as_ref().unwrap().token();
        instance.script.borrow_mut().version = version;
        let after = read_sizes(&runtime, &mut reader(&client(&runtime), Some(&token)));
        assert_eq!(before + after.iter().sum::<usize>(), 400, "version {version}");
    }
}

#[test]
fn size_that_all_versions_use_is_not_sent() {
    for version in [6, 8, 9, 11, 12] {
        let runtime = serve(version, 100);
        assert_eq!(read_size(&runtime, 50), Ok(50));
        assert_eq!(requested_sizes(&runtime), (vec!["none".to_owned()], 0), "version {version}");
    }
}

#[test]
fn known_old_version_is_an_error_before_a_request() {
    let runtime = serve(11, 100);
    let client = client(&runtime);
    runtime.block_on(client.page(&params())).unwrap();
    runtime.block_on(client.instance()).unwrap();
    runtime.take_urls();
    let error = runtime.block_on(sized_reader(&client, 20).unwrap().next()).unwrap_err();
    assert_eq!((error.code, runtime.take_urls().len()), (ErrorCode::UnsupportedVersion, 0), "{error}");
}

#[test]
fn invalid_size_names_the_parameter() {
    let runtime = TestRuntime::new([]);
    for size in [0, 101] {
        assert_eq!(read_size(&runtime, size).unwrap_err().parameter.as_deref(), Some("page_size"));
    }
    let list = list("addressTokenBalances");
    let request = Request::new(list, &[("address_hash", string(HASH_A))]).unwrap();
    let reader = ListReader::new(client(&runtime), request, None, None).unwrap();
    assert!(reader.choose_page_size(20).unwrap_err().message.contains("fixed size"));
}

#[test]
fn page_without_a_readable_cursor_is_requested_again_in_the_same_size() {
    let runtime = TestRuntime::new([
        ok_page(&[9], r#"{"index":9}"#),
        ok_page(&[8], r#"{"index":[]}"#),
        ok_page(&[8], r#"{"index":8}"#),
        last_page(&[7]),
    ]);
    let client = client(&runtime);
    let mut reader = reader(&client, None);
    for _ in 0..2 {
        runtime.block_on(reader.next()).unwrap();
    }
    let token = runtime.block_on(reader.next()).unwrap_err().resume_token.clone().unwrap();
    let mut resumed = self::reader(&client, Some(&token));
    assert_eq!(runtime.block_on(resumed.next()).unwrap().unwrap().page.rows.len(), 1);
    assert_eq!(requested_sizes(&runtime).0, ["none", "100", "100", "none"]);
}

/// Reads withdrawals from an instance that changes at random, with tokens at random. Returns the indices.
fn read_from_changing_instance(seed: u64) -> (u64, Vec<i64>) {
    let mut random = Rng::new(seed);
    let total = random.between(0, 1_200);
    let (instance, mut decisions) = (instance(random.pick(&[8, 9, 11, 12]), total), Rng::new(seed + 1));
    let runtime = TestRuntime::with_service(move |url| {
        match decisions.between(0, 9) {
            0 => instance.script.borrow_mut().version = decisions.pick(&[9, 11, 12, 12]),
            1 => instance.script.borrow_mut().max_page_size = decisions.pick(&[60, 100]),
            2 => return MockResponse::status(decisions.pick(&[503, 429, 500]), "{}"),
            _ => {}
        }
        instance.respond(url, 0)
    });
    let client = retrying_client(&runtime).with_retry_policy(RetryPolicy::default().max_attempts(2));
    let concurrency = u32::try_from(random.between(1, 4)).unwrap();
    let list = list("addressWithdrawals");
    let index = list.layout.row.find_field(b"index").unwrap().field;
    let open = |token: Option<&str>| reader(&client, token).with_concurrency(list, concurrency);
    let (mut reader, mut indices) = (open(None), Vec::new());
    for _ in 0..10_000 {
        match runtime.block_on(reader.next()) {
            Ok(Some(ListPage { page, resume })) => {
                let integer = |row: &u32| page.frame.integer(page.frame.get(*row as usize + index)).unwrap();
                indices.extend(page.rows.iter().map(|row| i64::try_from(integer(row)).unwrap()));
                if let Some(resume) = resume.filter(|_| random.chance(25)) {
                    reader = open(Some(&resume.token()));
                }
            }
            Ok(None) => return (total, indices),
            Err(error) if random.chance(50) => reader = open(error.resume_token.as_deref()),
            Err(_) => {}
        }
    }
    panic!("seed {seed} does not end");
}

#[test]
fn nothing_is_lost_or_duplicated_while_size_version_and_refusals_change() {
    let seeds = std::env::var("SEEDS").map_or(60, |seeds| seeds.parse().expect("SEEDS is a number"));
    for seed in 0..seeds {
        let (total, indices) = read_from_changing_instance(seed);
        assert_eq!(indices, descending(total), "seed {seed}");
    }
}
