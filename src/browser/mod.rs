//! [`Browser`]: a [`Runtime`] on `fetch`, JavaScript timers and `Math.random`. It works wherever there is a global `fetch`: in
//! pages, workers and server runtimes.

use std::pin::Pin;

use gloo_net::http::Request;
use js_sys::{Array, ArrayBuffer, Function, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, RequestCredentials, RequestInit, RequestRedirect};

use crate::client::runtime::{HEADERS, Headers, MAX_CHUNK_BYTES};
use crate::client::{HttpRequest, NetworkError, Response, Runtime};
use crate::strings;

/// How often a waiting task checks its turn on Cloudflare Workers, in milliseconds.
const CHECK_INTERVAL_MS: u64 = 50;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = fetch, catch)]
    fn global_fetch(request: &web_sys::Request) -> Result<JsValue, JsValue>;
    // Pages and their workers have one, servers have none.
    #[wasm_bindgen(thread_local_v2, js_name = location)]
    static LOCATION: Option<JsValue>;
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, ms: i32) -> JsValue;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);

    /// A `Request`, or the options of one. web-sys cannot remove an option, and fails for a request without a cache mode.
    type CacheMode;
    #[wasm_bindgen(method, getter, catch)]
    fn cache(this: &CacheMode) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, setter)]
    fn set_cache(this: &CacheMode, mode: Option<&str>);

    // A user's own `fetch` may return an object that only resembles a `Response`. The accessors of gloo-net and web-sys
    // would panic, so all accessors here are fallible.

    type JsResponse;
    #[wasm_bindgen(method, getter, catch)]
    fn status(this: &JsResponse) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn headers(this: &JsResponse) -> Result<JsHeaders, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn body(this: &JsResponse) -> Result<JsStream, JsValue>;
    #[wasm_bindgen(method, catch, js_name = arrayBuffer)]
    fn array_buffer(this: &JsResponse) -> Result<JsValue, JsValue>;

    type JsHeaders;
    #[wasm_bindgen(method, catch)]
    fn get(this: &JsHeaders, name: &str) -> Result<JsValue, JsValue>;

    type JsStream;
    #[wasm_bindgen(method, catch, js_name = getReader)]
    fn get_reader(this: &JsStream) -> Result<JsReader, JsValue>;

    #[derive(Debug)]
    type JsReader;
    #[wasm_bindgen(method, catch)]
    fn read(this: &JsReader) -> Result<JsValue, JsValue>;

    type JsChunk;
    #[wasm_bindgen(method, getter, catch)]
    fn done(this: &JsChunk) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn value(this: &JsChunk) -> Result<JsValue, JsValue>;

    // On Cloudflare Workers, a request throws if another incoming request aborts it, for instance because its call was
    // garbage-collected.
    type Controller;
    #[wasm_bindgen(method, catch)]
    fn abort(this: &Controller) -> Result<(), JsValue>;

    /// The constructor throws unless the argument is an `ArrayBuffer`, of any realm.
    type DataView;
    #[wasm_bindgen(constructor, catch)]
    fn new(buffer: &JsValue) -> Result<DataView, JsValue>;

    type Thrown;
    #[wasm_bindgen(method, getter, catch)]
    fn message(this: &Thrown) -> Result<JsValue, JsValue>;

    // Only the runtime of Cloudflare Workers has this class, at any compatibility date.
    #[wasm_bindgen(thread_local_v2, js_name = WebSocketPair)]
    static WEB_SOCKET_PAIR: Option<JsValue>;

    // Not available in all runtimes.
    type MessageChannel;
    #[wasm_bindgen(constructor, catch)]
    fn new() -> Result<MessageChannel, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn port1(this: &MessageChannel) -> Port;
    #[wasm_bindgen(method, getter)]
    fn port2(this: &MessageChannel) -> Port;

    type Port;
    #[wasm_bindgen(method, setter)]
    fn set_onmessage(this: &Port, callback: &Function);
    #[wasm_bindgen(method, catch, js_name = postMessage)]
    fn post_message(this: &Port, message: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn close(this: &Port) -> Result<(), JsValue>;
}

/// The runtime of a browser, or of a server with `fetch`.
#[derive(Debug, Default)]
pub struct Browser {
    fetch: Option<Function>,
}

impl Browser {
    /// Creates a runtime that sends requests with this function instead of the global `fetch`. The function takes a `Request`
    /// and returns a promise of a `Response`.
    #[must_use]
    pub fn with_fetch(fetch: Function) -> Self {
        Self { fetch: Some(fetch) }
    }

    /// Whether `fetch` accepts this URL. It accepts a path only in a page, which has an origin.
    #[must_use]
    #[cfg(feature = "js")]
    pub(crate) fn can_request(url: &str) -> bool {
        web_sys::Request::new_with_str(url).is_ok()
    }

    /// Whether this is a host, or a host and a port.
    #[must_use]
    #[cfg(feature = "js")]
    pub(crate) fn is_authority(authority: &str) -> bool {
        Self::can_request(&["https://", authority].concat())
    }
}

/// Aborts a request when it is dropped, unless the response is complete.
///
/// It passes no abort reason, because gloo-net and some engines expect an error there. The JavaScript side adds the reason of
/// the caller's signal.
#[derive(Debug)]
struct AbortGuard(Option<AbortController>);

impl Drop for AbortGuard {
    fn drop(&mut self) {
        if let Some(controller) = &self.0 {
            drop(controller.unchecked_ref::<Controller>().abort());
        }
    }
}

/// The body of a response.
#[derive(Debug)]
pub struct ResponseBody {
    source: BodySource,
    /// Bytes that were received but not yet returned.
    rest: Option<Uint8Array>,
    guard: AbortGuard,
}

/// Where the bytes of a body come from.
#[derive(Debug)]
enum BodySource {
    /// The reader of its stream.
    Reader(JsReader),
    /// A promise of all bytes, from a response without a stream.
    ArrayBuffer(JsValue),
    /// No bytes are left.
    End,
}

impl Runtime for Browser {
    type Body = ResponseBody;

    fn has_cors(&self) -> bool {
        LOCATION.with(Option::is_some)
    }

    async fn send(&self, request: HttpRequest<'_>) -> Result<Response<ResponseBody>, NetworkError> {
        let HttpRequest { url, headers, body, follow_redirects, is_fresh } = request;
        let controller = AbortController::new().map_err(to_network_error)?;
        let init = RequestInit::new();
        init.set_credentials(RequestCredentials::Omit);
        init.set_redirect(if follow_redirects { RequestRedirect::Follow } else { RequestRedirect::Manual });
        if let Some(body) = body {
            init.set_method("POST");
            init.set_body(&body.into());
        }
        if !headers.is_empty() {
            let pairs = headers.iter().map(|(name, value)| Array::of2(&(*name).into(), &(*value).into()));
            init.set_headers(&pairs.collect::<Array>());
        }
        init.set_signal(Some(&controller.signal()));
        let mode = is_fresh.then_some("no-store");
        init.unchecked_ref::<CacheMode>().set_cache(mode);
        let request = build_request(url, &init).and_then(|request| require_cache_mode(request, mode)).or_else(|_| {
            init.unchecked_ref::<CacheMode>().set_cache(None);
            build_request(url, &init)
        });
        let request = request.or_else(|_| {
            // `Request` rejects an `AbortSignal` of another realm. jsdom replaces one of the two classes but not the other.
            init.set_signal(None);
            build_request(url, &init)
        });
        let request = web_sys::Request::from(request.map_err(to_network_error)?);
        let guard = AbortGuard(Some(controller));
        let returned = match &self.fetch {
            Some(fetch) => fetch.call1(&JsValue::UNDEFINED, &request),
            None => global_fetch(&request),
        };
        let settled = match returned {
            Ok(value) => JsFuture::from(Promise::resolve(&value)).await,
            Err(thrown) => Err(thrown),
        };
        let response: JsResponse = settled.map_err(to_network_error)?.unchecked_into();
        let not_a_response = || NetworkError("fetch did not return a Response".into());
        let status = response.status().ok().and_then(|status| status.as_f64()).ok_or_else(not_a_response)?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
        let status = status as u16;
        let body = response.body().map_err(|_| not_a_response())?;
        let source = match body.get_reader() {
            Ok(reader) => BodySource::Reader(reader),
            // A response without a body, such as one with status 204.
            Err(_) if body.is_null() => BodySource::End,
            Err(_) => BodySource::ArrayBuffer(response.array_buffer().map_err(|_| not_a_response())?),
        };
        let mut headers = Headers::new();
        if let Ok(js_headers) = response.headers() {
            for name in HEADERS {
                if let Some(value) = js_headers.get(name).ok().and_then(|value| value.as_string()) {
                    headers.push((name, value));
                }
            }
        }
        Ok(Response { status, headers, body: ResponseBody { source, rest: None, guard } })
    }

    async fn chunk(&self, body: &mut ResponseBody) -> Result<Option<Vec<u8>>, NetworkError> {
        loop {
            if let Some(rest) = body.rest.take() {
                let length = rest.length();
                if length > MAX_CHUNK_BYTES {
                    body.rest = Some(rest.subarray(MAX_CHUNK_BYTES, length));
                    return Ok(Some(rest.subarray(0, MAX_CHUNK_BYTES).to_vec()));
                }
                return Ok(Some(rest.to_vec()));
            }
            let bytes = match std::mem::replace(&mut body.source, BodySource::End) {
                BodySource::End => {
                    body.guard.0 = None;
                    return Ok(None);
                }
                BodySource::ArrayBuffer(buffer) => await_promise(&buffer).await?,
                BodySource::Reader(reader) => {
                    let chunk: JsChunk =
                        await_promise(&reader.read().map_err(to_network_error)?).await?.unchecked_into();
                    if chunk.done().map_err(to_network_error)?.is_truthy() {
                        continue;
                    }
                    body.source = BodySource::Reader(reader);
                    chunk.value().map_err(to_network_error)?
                }
            };
            let not_bytes = |_| NetworkError("the body of the response must consist of bytes".into());
            body.rest = Some(view_bytes(bytes).map_err(not_bytes)?);
        }
    }

    async fn sleep(&self, ms: u64) {
        if let Some(timer) = Timer::start(ms) {
            // The promise of a timer never rejects.
            drop(JsFuture::from(timer.promise.clone()).await);
        }
    }

    fn now_ms(&self) -> u64 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "milliseconds since 1970")]
        let now = js_sys::Date::now() as u64;
        now
    }

    fn spawn(&self, task: Pin<Box<dyn Future<Output = ()>>>) {
        wasm_bindgen_futures::spawn_local(task);
    }

    fn random(&self) -> f64 {
        js_sys::Math::random()
    }

    fn check_interval_ms(&self) -> Option<u64> {
        WEB_SOCKET_PAIR.with(|class| class.is_some().then_some(CHECK_INTERVAL_MS))
    }
}

fn build_request(url: &str, init: &RequestInit) -> Result<Request, JsValue> {
    web_sys::Request::new_with_str_and_init(url, init).map(Request::from)
}

/// Returns the request, or fails if it lacks this cache mode. Old Cloudflare Workers reject any mode. React Native has
/// none, and adds a parameter to the URL instead, which the service would reject.
fn require_cache_mode(request: Request, mode: Option<&str>) -> Result<Request, JsValue> {
    if mode.is_none() {
        return Ok(request);
    }
    let request = web_sys::Request::from(request);
    let found = request.unchecked_ref::<CacheMode>().cache()?.as_string();
    if found.as_deref() == mode { Ok(request.into()) } else { Err(JsValue::NULL) }
}

/// Returns the bytes of a typed array or an `ArrayBuffer`, without a copy. `instanceof` would reject objects of another
/// realm, such as the ones that `fetch` returns under jsdom.
fn view_bytes(value: JsValue) -> Result<Uint8Array, JsValue> {
    if ArrayBuffer::is_view(&value) {
        return Ok(value.unchecked_into());
    }
    DataView::new(&value)?;
    Ok(Uint8Array::new(&value))
}

/// Awaits a promise.
async fn await_promise(promise: &JsValue) -> Result<JsValue, NetworkError> {
    JsFuture::from(Promise::resolve(promise)).await.map_err(to_network_error)
}

/// A timer that is cleared when it is dropped. Dropping it also resolves its promise, because a promise that stays pending
/// would never free the future that awaits it.
struct Timer {
    promise: Promise,
    kind: TimerKind,
    resolve: Function,
}

/// How a timer is implemented.
enum TimerKind {
    Timeout(JsValue),
    /// The receiving port of a message, for a delay of zero. Browsers delay even a zero timeout by some milliseconds, but
    /// deliver a message in the next task of the event loop.
    Message(Port),
}

impl Timer {
    /// Starts a timer. It always returns one, because `Promise` calls its executor synchronously.
    fn start(ms: u64) -> Option<Self> {
        let mut timer = None;
        let ms = i32::try_from(ms).unwrap_or(i32::MAX);
        let promise = Promise::new(&mut |resolve, _| {
            let port = if ms == 0 { post_message_to(&resolve).ok() } else { None };
            let kind = port.map_or_else(|| TimerKind::Timeout(set_timeout(&resolve, ms)), TimerKind::Message);
            timer = Some((kind, resolve));
        });
        timer.map(|(kind, resolve)| Self { promise, kind, resolve })
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        match &self.kind {
            TimerKind::Timeout(timer) => clear_timeout(timer),
            // An open port keeps a Node process alive.
            TimerKind::Message(port) => drop(port.close()),
        }
        drop(self.resolve.call0(&JsValue::UNDEFINED));
    }
}

/// Posts a message that calls `callback`. Returns the receiving port.
fn post_message_to(callback: &Function) -> Result<Port, JsValue> {
    let channel = MessageChannel::new()?;
    let port = channel.port1();
    port.set_onmessage(callback);
    let sender = channel.port2();
    sender.post_message(&JsValue::NULL)?;
    // This closes both ports after the message has arrived. After a trap no `Timer` is dropped, and an open port would keep a
    // Node process alive.
    sender.close()?;
    Ok(port)
}

/// Converts a thrown value to an error with its message.
#[expect(clippy::needless_pass_by_value, reason = "a signature for map_err")]
fn to_network_error(thrown: JsValue) -> NetworkError {
    const MAX_CHARS: usize = 200;
    let message = thrown.unchecked_ref::<Thrown>().message().ok().and_then(|message| message.as_string());
    let mut message = message.or_else(|| thrown.as_string()).unwrap_or_else(|| "no reason given".into());
    strings::truncate_chars(&mut message, MAX_CHARS);
    NetworkError(message)
}
