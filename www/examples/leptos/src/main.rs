//! The token transfers of an address, page by page: Leptos and the crate.

use std::rc::Rc;

use address_query::browser::Browser;
use address_query::client::{Client, ListPages};
use address_query::endpoint::AddressTokenTransfersParams;
use address_query::error::Error;
use address_query::types::TokenTransfer;
use futures::lock::Mutex;
use leptos::prelude::*;
use leptos::task::spawn_local;

const DEFAULT_ADDRESS: &str = "0x00000000219ab540356cBB839Cbe05303d7705Fa";

type Pages = Rc<Mutex<ListPages<Browser, AddressTokenTransfersParams>>>;

fn main() {
    mount_to_body(Transfers);
}

fn open_pages() -> Result<Pages, Error> {
    let search = window().location().search().unwrap_or_default();
    let address = search.strip_prefix("?address=").unwrap_or(DEFAULT_ADDRESS);
    let client = Client::new(Browser::default(), "https://eth.blockscout.com".parse()?);
    let pages = client.pages(&AddressTokenTransfersParams::new(address.parse()?))?;
    Ok(Rc::new(Mutex::new(pages)))
}

#[component]
fn Transfers() -> impl IntoView {
    let transfers = RwSignal::new(Vec::<TokenTransfer>::new());
    let status = RwSignal::new(String::new());
    let pages = open_pages();
    let load_more = move || {
        let pages = pages.clone();
        spawn_local(async move {
            status.set("Loading…".into());
            let page = match &pages {
                Ok(pages) => pages.lock().await.next().await,
                Err(error) => Err(error.clone()),
            };
            match page {
                Ok(Some(page)) => {
                    transfers.update(|all| all.extend(page.items));
                    status.set(String::new());
                }
                Ok(None) => status.set("End of the list".into()),
                Err(error) => status.set(error.to_string()),
            }
        });
    };
    load_more();
    view! {
        <ol>
            {move || transfers.get().into_iter().map(|transfer| view! { <Row transfer /> }).collect_view()}
        </ol>
        <p role="status">{status}</p>
        <button type="button" on:click=move |_| load_more()>"Load more"</button>
    }
}

#[component]
fn Row(transfer: TokenTransfer) -> impl IntoView {
    let symbol = transfer.token.and_then(|token| token.symbol).map(|symbol| symbol.to_string());
    let amount = transfer.total.and_then(|total| total.value).map(|value| value.to_string()); // in base units
    let hash = transfer.transaction_hash.map(|hash| hash.to_string());
    view! { <li>{amount} " " {symbol} " " <code>{hash}</code></li> }
}
