//! The messages in error responses.

use address_query::testing::decode::{error_message, refusal_message};

use crate::support::{read_fixture, read_fixtures};

#[test]
fn error_bodies_contain_a_message() {
    let messages = [
        ("crash", "Internal server error"),
        ("gateway", "Upstream timed out"),
        (
            "invalid-fields",
            "address_hash: Invalid format. Expected ~r/^0x([A-Fa-f0-9]{40})$/; page: Unexpected field: page",
        ),
        ("invalid-parameter", "Invalid parameter(s)"),
        ("json-rpc", "Invalid params"),
        ("not-found", "Not found"),
        ("nothing-found", "No transactions found"),
        ("restricted", "Restricted access"),
        ("status-0", "Query parameter address is required"),
        ("too-many-requests", "Too many requests. Increase limits now at https://dev.example.org"),
    ];
    let files = read_fixtures("errors");
    assert_eq!(files.len(), messages.len());
    for ((file, body), (name, message)) in files.iter().zip(messages) {
        assert_eq!(*file, format!("errors/{name}.json"));
        assert_eq!(error_message(body).as_deref(), Some(message), "{name}");
    }
}

#[test]
fn plain_text_that_starts_like_json_is_the_message() {
    for body in ["502 Bad Gateway", "null pointer exception", "true story", "-1 is no page"] {
        assert_eq!(error_message(body.as_bytes()).as_deref(), Some(body));
    }
    assert_eq!(error_message(b"null\n"), None);
}

#[test]
fn an_empty_result_is_not_refused() {
    assert_eq!(
        refusal_message(&read_fixture("errors/status-0.json")).as_deref(),
        Some("Query parameter address is required")
    );
    assert_eq!(refusal_message(&read_fixture("errors/nothing-found.json")), None);
    assert_eq!(refusal_message(&read_fixture("addresses/v11.json")), None);
    // The value has the wrong type, so the message is not a reason.
    assert_eq!(refusal_message(br#"{"status":"1","message":"OK","result":{"blockNumber":"abc"}}"#), None);
}
