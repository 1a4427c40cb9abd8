//! Tests of ranges of an action without pages, such as the logs of the whole chain.

use super::*;

fn plan_without_pages() -> Planner {
    plan(0, MAX_BLOCK, false).with_pages(false)
}

/// Like [`respond`](super::respond), with the parameters of the logs module.
fn respond(planner: &mut Planner, blocks: &[u64]) -> (String, usize) {
    let request = next(planner);
    let page = planner.on_response(&request, response(blocks, true)).unwrap();
    let values = request.values(LOG_RANGE).into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value?)));
    (values.collect::<Vec<_>>().join(" "), page.map_or(0, |page| page.rows.len()))
}

#[test]
fn windows_have_bounds_and_neither_page_nor_order() {
    let mut planner = plan_without_pages();
    assert_eq!(respond(&mut planner, &[1, 2, 3, 3]), delivered("fromBlock=0 toBlock=latest", 2));
    assert_eq!(respond(&mut planner, &[3, 3]), delivered("fromBlock=3 toBlock=latest", 2));
    assert_eq!(planner.next_request(NOW_MS), None);
    assert_eq!((planner.report().records, planner.report().complete), (4, true));
}

#[test]
fn a_response_of_nearly_the_limit_is_not_the_last() {
    let mut planner = plan_without_pages();
    assert_eq!(respond(&mut planner, &[1, 2, 3, 4]), delivered("fromBlock=0 toBlock=latest", 3));
    // The service has dropped a row of a replaced block from a full response.
    assert_eq!(respond(&mut planner, &[4, 6, 7]), delivered("fromBlock=4 toBlock=latest", 2));
    assert_eq!(respond(&mut planner, &[7, 8]), delivered("fromBlock=7 toBlock=latest", 1));
    assert_eq!(respond(&mut planner, &[8]), delivered("fromBlock=8 toBlock=latest", 1));
    assert_eq!(respond(&mut planner, &[]), delivered("fromBlock=9 toBlock=latest", 0));
    assert_eq!(planner.next_request(NOW_MS), None);
    let report = planner.report();
    assert_eq!((report.records, report.complete, report.response_limit), (7, true, Some(3)));
}

#[test]
fn rows_beyond_the_first_page_of_a_block_are_reported() {
    let mut planner = plan_without_pages();
    assert_eq!(respond(&mut planner, &[7, 7, 7, 7]), delivered("fromBlock=0 toBlock=latest", 4));
    assert_eq!(respond(&mut planner, &[9]), delivered("fromBlock=8 toBlock=latest", 1));
    assert_eq!(planner.next_request(NOW_MS), None);
    let report = planner.report();
    let blocks: Vec<_> = report.incomplete_blocks.iter().map(|block| (block.block, block.records)).collect();
    assert_eq!((blocks, report.complete), (vec![(7, 4)], false));
}

#[test]
fn a_short_response_of_one_block_is_followed_by_the_blocks_after_it() {
    let mut planner = plan_without_pages();
    assert_eq!(respond(&mut planner, &[5]), delivered("fromBlock=0 toBlock=latest", 1));
    assert_eq!(respond(&mut planner, &[]), delivered("fromBlock=6 toBlock=latest", 0));
    assert_eq!(planner.next_request(NOW_MS), None);
    assert_eq!((planner.report().records, planner.report().complete), (1, true));
}

#[test]
fn a_slow_window_is_halved_without_a_request_for_the_newest_row() {
    let mut planner = plan_without_pages();
    let (_, recovery) = fail(&mut planner, ErrorCode::Timeout);
    assert!(matches!(recovery, Ok(Recovery::Shrink { .. })));
    let request = next(&mut planner);
    assert_eq!((request.blocks.first, request.newest_first), (0, false));
    assert!(request.blocks.last < MAX_BLOCK);
}
