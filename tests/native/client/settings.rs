//! The options of a client and of a call.

use address_query::client::settings::{Entries, LIST_SETTINGS};
use address_query::client::{CallSettings, ClientSettings, Patience};
use address_query::endpoint::ParamValue::{self, Boolean, List, Number, Other};
use address_query::error::Error;

use super::{BASE, assert_refused, text};

fn entries(entries: &[(&str, ParamValue)]) -> Entries {
    entries.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

fn of_client(more: &[(&str, ParamValue)]) -> Entries {
    let mut all = entries(&[("baseUrl", text(BASE))]);
    all.extend(entries(more));
    all
}

fn of_call(given: &[(&str, ParamValue)]) -> Result<CallSettings, Error> {
    CallSettings::read(&entries(given), LIST_SETTINGS, Patience::default())
}

const OPTIONS: &str = "is no client option; there are baseUrl, fetch, apiKey, timeoutMs, deadlineMs, maxAttempts, maxWaitMs, \
                       maxPerSecond, maxConcurrent, maxResponseBytes, cacheMs, badRecords, keepExtra, gatherBalances, \
                       onDrift, onBadRecord, onEvent";

const TIMEOUT: &str = "must be a number of milliseconds from 1 to 2147483647";

#[test]
fn what_is_left_out_has_a_default() {
    let settings = ClientSettings::read(&of_client(&[])).unwrap();
    assert_eq!((settings.base.as_str(), settings.patience.timeout_ms), (BASE, 30_000));
    assert!(!settings.leniency.skip_bad_rows && !settings.leniency.keep_extra);
    let settings = of_call(&[]).unwrap();
    assert_eq!((settings.resume, settings.patience), (None, Patience::default()));
}

#[test]
fn what_is_given_counts() {
    let given = [("timeoutMs", Number(1.0)), ("badRecords", text("skip")), ("keepExtra", Boolean(true))];
    let settings = ClientSettings::read(&of_client(&given)).unwrap();
    assert_eq!(settings.patience.timeout_ms, 1);
    assert!(settings.leniency.skip_bad_rows && settings.leniency.keep_extra);
    let given = [("timeoutMs", Number(2_147_483_647.0)), ("badRecords", text("throw")), ("keepExtra", Boolean(false))];
    let settings = ClientSettings::read(&of_client(&given)).unwrap();
    assert_eq!(settings.patience.timeout_ms, 2_147_483_647);
    assert!(!settings.leniency.skip_bad_rows && !settings.leniency.keep_extra);
    let settings =
        of_call(&[("resume", text("aq1.x")), ("timeoutMs", Number(7.0)), ("prefetch", Number(0.0))]).unwrap();
    assert_eq!((settings.resume.as_deref(), settings.patience.timeout_ms), (Some("aq1.x"), 7));
    assert!(of_call(&[("prefetch", Number(1.0))]).is_ok());
}

#[test]
fn a_wrong_option_of_a_client_is_named() {
    for (name, wrong, rule) in [
        ("timeoutMs", Number(0.0), TIMEOUT),
        ("timeoutMs", Number(-1.0), TIMEOUT),
        ("timeoutMs", Number(f64::NAN), TIMEOUT),
        ("timeoutMs", Number(f64::INFINITY), TIMEOUT),
        ("timeoutMs", Number(2_147_483_648.0), TIMEOUT),
        ("timeoutMs", text("30000"), TIMEOUT),
        ("maxAttempts", Number(1.9), "must be a whole number from 1 to 100"),
        ("maxConcurrent", Number(0.5), "must be a whole number from 1 to 100"),
        ("badRecords", text("ignore"), "must be \"throw\" or \"skip\""),
        ("badRecords", Boolean(true), "must be \"throw\" or \"skip\""),
        ("keepExtra", Number(1.0), "must be true or false"),
        ("keepExtra", text("true"), "must be true or false"),
        ("keepExtra", Other, "must be true or false"),
        ("baseURL", text(BASE), OPTIONS),
        ("prefetch", Number(1.0), OPTIONS),
    ] {
        assert_refused(ClientSettings::read(&of_client(&[(name, wrong)])), name, rule);
    }
    let required = "is required: the address of an instance, as a text";
    for none in [vec![], entries(&[("baseUrl", Number(1.0))]), entries(&[("baseUrl", Other)])] {
        assert_refused(ClientSettings::read(&none), "baseUrl", required);
    }
    let rule = "must begin with https:// or http://";
    assert_refused(ClientSettings::read(&entries(&[("baseUrl", text("ftp://x.example"))])), "baseUrl", rule);
}

#[test]
fn a_wrong_option_of_a_call_is_named() {
    for (name, wrong, rule) in [
        ("timeoutMs", Number(0.0), TIMEOUT),
        ("timeoutMs", List(vec![]), TIMEOUT),
        ("resume", Number(1.0), "must be a page's resumeToken, a text"),
        ("resume", Other, "must be a page's resumeToken, a text"),
        ("prefetch", Number(2.0), "must be 0 or 1"),
        ("prefetch", Number(0.5), "must be 0 or 1"),
        ("prefetch", Boolean(true), "must be 0 or 1"),
        (
            "baseUrl",
            text(BASE),
            "is no call option; there are signal, timeoutMs, deadlineMs, maxAttempts, maxWaitMs, resume, prefetch",
        ),
        (
            "limit",
            Number(1.0),
            "is no call option; there are signal, timeoutMs, deadlineMs, maxAttempts, maxWaitMs, resume, prefetch",
        ),
    ] {
        assert_refused(of_call(&[(name, wrong)]), name, rule);
    }
}
