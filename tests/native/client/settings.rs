//! The options of a client and of a call: reading them, and what is declared of them.

use address_query::client::options::{CLIENT_OPTIONS, OPTION_SETS};
use address_query::client::settings::Entries;
use address_query::client::{CallSettings, ClientSettings, Patience};
use address_query::endpoint::ParamValue::{self, Boolean, Number};

use super::{BASE, assert_refused, text};

fn entries(entries: &[(&str, ParamValue)]) -> Entries {
    entries.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
}

fn of_client(more: &[(&str, ParamValue)]) -> Entries {
    let mut all = entries(&[("baseUrl", text(BASE))]);
    all.extend(entries(more));
    all
}

fn of_call(given: &[(&str, ParamValue)]) -> CallSettings {
    CallSettings::read(&entries(given), Patience::default())
}

#[test]
fn what_is_left_out_has_a_default() {
    let settings = ClientSettings::read(&of_client(&[])).unwrap();
    assert_eq!((settings.base.as_str(), settings.patience.timeout_ms), (BASE, 30_000));
    assert!(!settings.leniency.skip_bad_rows && !settings.leniency.keep_extra);
    let settings = of_call(&[]);
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
    let settings = of_call(&[("resume", text("aq1.x")), ("timeoutMs", Number(7.9)), ("prefetch", Number(0.0))]);
    assert_eq!((settings.resume.as_deref(), settings.patience.timeout_ms), (Some("aq1.x"), 7));
}

#[test]
fn the_contents_of_the_base_url_are_checked() {
    let rule = "must begin with https:// or http://";
    assert_refused(ClientSettings::read(&entries(&[("baseUrl", text("ftp://x.example"))])), "baseUrl", rule);
    assert!(ClientSettings::read(&vec![]).is_err());
}

#[test]
fn every_declared_default_is_the_value_that_is_read_without_it() {
    let unset = format!("{:?}", ClientSettings::read(&of_client(&[])).unwrap());
    for option in CLIENT_OPTIONS.options {
        let Some(default) = option.default() else { continue };
        let value = match default.parse() {
            Ok(number) => Number(number),
            Err(_) if default.starts_with('"') => text(default.trim_matches('"')),
            Err(_) => Boolean(default == "true"),
        };
        let set = ClientSettings::read(&of_client(&[(option.name, value)])).unwrap();
        assert_eq!(format!("{set:?}"), unset, "{}", option.name);
    }
}

#[test]
fn every_numeric_option_has_an_effect() {
    let unset = format!("{:?}", ClientSettings::read(&of_client(&[])).unwrap());
    for option in CLIENT_OPTIONS.options.iter().filter(|option| option.typescript() == "number") {
        let set = ClientSettings::read(&of_client(&[(option.name, Number(77.0))])).unwrap();
        assert_ne!(format!("{set:?}"), unset, "{}", option.name);
    }
}

#[test]
fn options_are_documented_and_named_once() {
    for set in OPTION_SETS {
        let mut names: Vec<&str> = Vec::new();
        let mut part = Some(*set);
        while let Some(set) = part {
            for option in set.options {
                assert!(!option.doc.trim().is_empty() && !names.contains(&option.name), "{}", option.name);
                names.push(option.name);
            }
            part = set.base;
        }
    }
}
