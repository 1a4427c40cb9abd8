//! Options: their declarations, and how their values are read.

use address_query::client::{ClientOptions, DecodeOptions, RateLimits, RetryPolicy};
use address_query::endpoint::BaseUrl;
use address_query::testing::client::{CLIENT_OPTIONS, CallOptions, OPTION_SETS};
use address_query::testing::endpoint::ParamValue::{self, Boolean, Number};

use super::{BASE, assert_invalid_parameter, named_values, string};

/// The options with these values and a base URL.
#[track_caller]
fn client_options(more: &[(&str, ParamValue)]) -> ClientOptions {
    let values = [&[("baseUrl", string(BASE))], more].concat();
    ClientOptions::read(&named_values(&values), BaseUrl::parse).unwrap()
}

fn call_options(values: &[(&str, ParamValue)]) -> CallOptions {
    CallOptions::read(&named_values(values), RetryPolicy::default())
}

#[test]
fn omitted_options_have_defaults() {
    let options = client_options(&[]);
    assert_eq!((options.base_url.as_str(), options.retry_policy.timeout_ms), (BASE, 30_000));
    assert!(!options.decode_options.skip_bad_records && !options.decode_options.keep_extra);
    let options = call_options(&[]);
    assert_eq!((options.resume, options.retry_policy), (None, RetryPolicy::default()));
}

#[test]
fn options_are_read() {
    for (timeout, bad_records, is_set) in [(1.0, "skip", true), (2_147_483_647.0, "throw", false)] {
        let options = client_options(&[
            ("timeoutMs", Number(timeout)),
            ("badRecords", string(bad_records)),
            ("keepExtra", Boolean(is_set)),
        ]);
        assert_eq!(options.retry_policy.timeout_ms.to_string(), timeout.to_string());
        let DecodeOptions { skip_bad_records, keep_extra, .. } = options.decode_options;
        assert_eq!((skip_bad_records, keep_extra), (is_set, is_set));
    }
    let options = call_options(&[("resume", string("aq1.x")), ("timeoutMs", Number(7.9)), ("prefetch", Number(0.0))]);
    assert_eq!((options.resume.as_deref(), options.retry_policy.timeout_ms), (Some("aq1.x"), 7));
}

#[test]
fn builder_methods_set_the_options() {
    let options = ClientOptions::new(BASE.parse().unwrap())
        .retry_policy(RetryPolicy::default().timeout_ms(1).deadline_ms(2).max_attempts(3).max_wait_ms(4))
        .limits(RateLimits::default().max_per_second(5.0).max_concurrent(6))
        .decode_options(DecodeOptions::default().skip_bad_records(true).keep_extra(true))
        .max_response_bytes(7_777);
    let read = client_options(&[
        ("timeoutMs", Number(1.0)),
        ("deadlineMs", Number(2.0)),
        ("maxAttempts", Number(3.0)),
        ("maxWaitMs", Number(4.0)),
        ("maxPerSecond", Number(5.0)),
        ("maxConcurrent", Number(6.0)),
        ("badRecords", string("skip")),
        ("keepExtra", Boolean(true)),
        ("maxResponseBytes", Number(7_777.0)),
    ]);
    assert_eq!(format!("{options:?}"), format!("{read:?}"));
}

#[test]
fn base_url_is_validated() {
    let read = |values: &[_]| ClientOptions::read(&named_values(values), BaseUrl::parse);
    let wrong = read(&[("baseUrl", string("ftp://x.example"))]);
    assert_invalid_parameter(wrong, "base_url", "must begin with https:// or http://");
    assert!(read(&[]).is_err());
    assert!(read(&[("chainId", Number(1.0))]).is_err());
}

#[test]
fn chain_id_does_not_change_the_base_url() {
    let options = client_options(&[("chainId", Number(11_297_108_109.0))]);
    assert_eq!((options.base_url.as_str(), options.chain_id), (BASE, Some(11_297_108_109)));
}

#[test]
fn declared_defaults_equal_omitted_options() {
    let unset = format!("{:?}", client_options(&[]));
    for option in CLIENT_OPTIONS.options {
        let Some(default) = option.default() else { continue };
        let value = match default.parse() {
            Ok(number) => Number(number),
            Err(_) if default.starts_with('"') => string(default.trim_matches('"')),
            Err(_) => Boolean(default == "true"),
        };
        assert_eq!(format!("{:?}", client_options(&[(option.name, value)])), unset, "{}", option.name);
    }
}

#[test]
fn every_numeric_option_has_an_effect() {
    let unset = format!("{:?}", client_options(&[]));
    for option in CLIENT_OPTIONS.options.iter().filter(|option| option.typescript() == "number") {
        assert_ne!(format!("{:?}", client_options(&[(option.name, Number(77.0))])), unset, "{}", option.name);
    }
}

#[test]
fn options_are_documented_and_named_once() {
    for set in OPTION_SETS {
        let mut names: Vec<&str> = Vec::new();
        let mut next_set = Some(*set);
        while let Some(set) = next_set {
            for option in set.options {
                assert!(!option.doc.trim().is_empty() && !names.contains(&option.name), "{}", option.name);
                names.push(option.name);
            }
            next_set = set.base;
        }
    }
}
