//! Calls of methods by their names, as JavaScript makes them.

use address_query::error::Error;
use address_query::testing::client::MethodCall;
use address_query::testing::endpoint::{ParamSpec, ResponseKind, actions, lists, lookups};

use super::{assert_invalid_parameter, client, string};
use crate::support::HASH_A;
use crate::test_runtime::TestRuntime;

/// A 32-byte hash.
const HASH: &str = "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060";

fn call(method: &str, params: &[(&str, &str)], is_range: bool) -> Result<MethodCall<TestRuntime>, Error> {
    let runtime = TestRuntime::new([]);
    let params = params.iter().map(|(name, value)| ((*name).to_owned(), string(value))).collect();
    MethodCall::new(&client(&runtime), method, &params, &vec![], is_range)
}

/// Values for all required parameters and all addresses.
fn sample_params(params: &[ParamSpec]) -> Vec<(&'static str, &'static str)> {
    let is_address = |param: &ParamSpec| param.rule.canonicalize(HASH_A).is_some();
    let used = params.iter().filter(|param| param.required || is_address(param));
    let accepted = |param: &ParamSpec| {
        [HASH_A, HASH, "1", "before"].into_iter().find(|sample| param.rule.canonicalize(sample).is_some()).unwrap()
    };
    used.map(|param| (param.name, accepted(param))).collect()
}

#[test]
fn the_declaration_decides_how_a_method_is_read() {
    for list in lists() {
        let result = call(list.name, &sample_params(list.params), false);
        assert!(matches!(result, Ok(MethodCall::List(..))), "{}: {result:?}", list.name);
    }
    for lookup in lookups() {
        let result = call(lookup.name, &sample_params(lookup.params), false);
        assert!(matches!(result, Ok(MethodCall::Lookup(..))), "{}: {result:?}", lookup.name);
    }
    assert!(matches!(call("instance", &[], false), Ok(MethodCall::Instance(_))));
    for action in actions() {
        let params = sample_params(action.params);
        let result = call(action.name, &params, false);
        let is_batched = action.kind == ResponseKind::Batched;
        assert!(matches!(result, Ok(MethodCall::Batched(..))) == is_batched, "{}: {result:?}", action.name);
        assert!(matches!(result, Ok(MethodCall::Action(..))) != is_batched, "{}: {result:?}", action.name);
        if action.range_form().is_some() {
            assert!(matches!(call(action.name, &params, true), Ok(MethodCall::Range(..))), "{}", action.name);
        }
    }
}

#[test]
fn a_batched_action_checks_the_names_of_its_parameters() {
    let rule = "is not a parameter of balanceMulti; valid parameters are address";
    assert_invalid_parameter(call("balanceMulti", &[("address", HASH_A), ("page", "1")], false), "page", rule);
    let rule = "is required: address hashes: 0x and 40 hex digits each";
    assert_invalid_parameter(call("balanceMulti", &[], false), "address", rule);
}
