//! Tests of `Client::instance` in a browser.

use address_query::endpoint::{AddressBeaconDepositsParams, AddressInternalTransactionsParams};
use address_query::error::ErrorCode;
use wasm_bindgen_test::wasm_bindgen_test;

use super::{BUSY, address, client, client_for};

#[wasm_bindgen_test]
async fn instance_returns_what_each_version_states() {
    for (path, version, chain_type) in
        [("/v8", "v8.1.2", None), ("/v11", "v11.2.7", Some("ethereum")), ("/v12", "v12.0.1", Some("ethereum"))]
    {
        let info = client(path).instance().await.unwrap();
        assert_eq!((info.backend_version.as_deref(), info.chain_type.as_deref()), (Some(version), chain_type));
        assert_eq!((info.finished_indexing, info.finished_indexing_blocks), (Some(true), Some(true)));
        let ratios = [info.indexed_blocks_ratio, info.indexed_internal_transactions_ratio];
        assert_eq!(ratios.map(|ratio| ratio.unwrap().as_json().to_owned()), ["1", "1"]);
    }
}

#[wasm_bindgen_test]
async fn instance_that_cannot_be_reached_is_an_error() {
    // Browsers refuse to connect to this port.
    let error = client_for("http://127.0.0.1:1").instance().await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Network, "{error}");
}

#[wasm_bindgen_test]
async fn failures_name_the_version_that_has_the_operation_or_parameter() {
    let error = client("/v8").page(&AddressBeaconDepositsParams::new(address(BUSY))).await.unwrap_err();
    assert_eq!(
        (error.code, error.operation.as_deref()),
        (ErrorCode::UnsupportedVersion, Some("addressBeaconDeposits"))
    );
    assert_eq!((error.since_version.as_deref(), error.backend_version.as_deref()), (Some("9.1.0"), Some("8.1.2")));
    let params = AddressInternalTransactionsParams::new(address(BUSY)).include_zero_value(false);
    let error = client("/v11").page(&params).await.unwrap_err();
    assert_eq!((error.code, error.parameter.as_deref()), (ErrorCode::UnsupportedVersion, Some("include_zero_value")));
    assert!(client("/v12").page(&params).await.is_ok());
}
