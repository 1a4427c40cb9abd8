//! Calls of methods by their names, as JavaScript makes them.

use address_query::error::Error;
use address_query::testing::client::MethodCall;
use address_query::testing::endpoint::{ACTIONS, ActionKind, LISTS, ParamSpec};

use super::{assert_invalid_parameter, client, string};
use crate::support::HASH_A;
use crate::test_runtime::TestRuntime;

fn call(method: &str, names: &[&str], is_range: bool) -> Result<MethodCall<TestRuntime>, Error> {
    let runtime = TestRuntime::new([]);
    let params = names.iter().map(|name| ((*name).to_owned(), string(HASH_A))).collect();
    MethodCall::new(&client(&runtime), method, &params, &vec![], is_range)
}

/// The names of the parameters that are addresses.
fn addresses(params: &[ParamSpec]) -> Vec<&'static str> {
    params.iter().map(|param| param.name).filter(|name| name.contains("address")).collect()
}

#[test]
fn the_declaration_decides_how_a_method_is_read() {
    for list in LISTS {
        assert!(matches!(call(list.name, &addresses(list.params), false), Ok(MethodCall::List(..))), "{}", list.name);
    }
    for action in ACTIONS {
        let names = addresses(action.params);
        let result = call(action.name, &names, false);
        let is_batched = action.kind == ActionKind::Batched;
        assert!(matches!(result, Ok(MethodCall::Batched(..))) == is_batched, "{}: {result:?}", action.name);
        assert!(matches!(result, Ok(MethodCall::Action(..))) != is_batched, "{}: {result:?}", action.name);
        if action.kind == ActionKind::Ranged {
            assert!(matches!(call(action.name, &names, true), Ok(MethodCall::Range(..))), "{}", action.name);
        }
    }
}

#[test]
fn a_batched_action_checks_the_names_of_its_parameters() {
    let rule = "is not a parameter of balanceMulti; valid parameters are address";
    assert_invalid_parameter(call("balanceMulti", &["address", "page"], false), "page", rule);
    let rule = "is required: address hashes: 0x and 40 hex digits each";
    assert_invalid_parameter(call("balanceMulti", &[], false), "address", rule);
}
