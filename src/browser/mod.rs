//! Network, time and chance of a browser: [`Runtime`] on gloo-net, web-sys and js-sys. Works wherever there is a global `fetch`:
//! pages, workers, servers.

use gloo_net::http::Request;
use js_sys::{ArrayBuffer, Function, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, RequestCredentials, RequestInit, RequestRedirect};

use crate::client::runtime::{HEADERS, Headers, PIECE};
use crate::client::{NoAnswer, Response, Runtime};
use crate::text;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = fetch, catch)]
    fn global_fetch(request: &web_sys::Request) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(done: &Function, ms: i32) -> JsValue;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);

    // What a caller's own `fetch` gives may only look like a `Response`: nothing of it is taken for granted, so that each of
    // these may fail. (gloo-net and web-sys would panic.)

    type Answer;
    #[wasm_bindgen(method, getter, catch)]
    fn status(this: &Answer) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn headers(this: &Answer) -> Result<AnswerHeaders, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn body(this: &Answer) -> Result<Stream, JsValue>;
    #[wasm_bindgen(method, catch, js_name = arrayBuffer)]
    fn array_buffer(this: &Answer) -> Result<JsValue, JsValue>;

    type AnswerHeaders;
    #[wasm_bindgen(method, catch)]
    fn get(this: &AnswerHeaders, name: &str) -> Result<JsValue, JsValue>;

    type Stream;
    #[wasm_bindgen(method, catch, js_name = getReader)]
    fn get_reader(this: &Stream) -> Result<Reader, JsValue>;

    #[derive(Debug)]
    type Reader;
    #[wasm_bindgen(method, catch)]
    fn read(this: &Reader) -> Result<JsValue, JsValue>;

    type Chunk;
    #[wasm_bindgen(method, getter, catch)]
    fn done(this: &Chunk) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, catch)]
    fn value(this: &Chunk) -> Result<JsValue, JsValue>;

    /// Its constructor throws for everything but an `ArrayBuffer`, of whichever realm.
    type DataView;
    #[wasm_bindgen(constructor, catch)]
    fn new(buffer: &JsValue) -> Result<DataView, JsValue>;

    type Thrown;
    #[wasm_bindgen(method, getter, catch)]
    fn message(this: &Thrown) -> Result<JsValue, JsValue>;

    // Not everywhere.
    type MessageChannel;
    #[wasm_bindgen(constructor, catch)]
    fn new() -> Result<MessageChannel, JsValue>;
    #[wasm_bindgen(method, getter)]
    fn port1(this: &MessageChannel) -> Port;
    #[wasm_bindgen(method, getter)]
    fn port2(this: &MessageChannel) -> Port;

    type Port;
    #[wasm_bindgen(method, setter)]
    fn set_onmessage(this: &Port, heard: &Function);
    #[wasm_bindgen(method, catch, js_name = postMessage)]
    fn post_message(this: &Port, message: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn close(this: &Port) -> Result<(), JsValue>;
}

/// The browser, or whatever has its `fetch`.
#[derive(Debug, Default)]
pub struct Browser {
    fetch: Option<Function>,
}

impl Browser {
    /// Sends requests with this function instead of the global `fetch`. It takes a `Request` and gives a promise of a
    /// `Response`.
    #[must_use]
    pub fn with_fetch(fetch: Function) -> Self {
        Self { fetch: Some(fetch) }
    }

    /// Whether a URL is one here: a path alone is not, where there is no page.
    #[must_use]
    pub fn can_request(url: &str) -> bool {
        web_sys::Request::new_with_str(url).is_ok()
    }
}

/// Ends a request when it is dropped, unless its answer has come as a whole. (Without a reason: gloo-net and some engines
/// expect errors there, and the caller's own reason is given back at the boundary.)
#[derive(Debug)]
struct AbortGuard(Option<AbortController>);

impl Drop for AbortGuard {
    fn drop(&mut self) {
        if let Some(request) = &self.0 {
            request.abort();
        }
    }
}

/// The body of an answer.
#[derive(Debug)]
pub struct Body {
    source: Source,
    /// What has come and was not taken yet.
    rest: Option<Uint8Array>,
    guard: AbortGuard,
}

/// Where the bytes of a body come from.
#[derive(Debug)]
enum Source {
    /// The reader of its stream.
    Reader(Reader),
    /// A response that is no real one, and gives its bytes at once.
    Whole(JsValue),
    /// There are none, or no more.
    End,
}

impl Runtime for Browser {
    type Body = Body;

    async fn send(&self, url: &str, follow_redirects: bool) -> Result<Response<Body>, NoAnswer> {
        let controller = AbortController::new().map_err(no_answer)?;
        let init = RequestInit::new();
        init.set_credentials(RequestCredentials::Omit);
        init.set_redirect(if follow_redirects { RequestRedirect::Follow } else { RequestRedirect::Manual });
        init.set_signal(Some(&controller.signal()));
        let request = build_request(url, &init).or_else(|_| {
            // `Request` refuses an `AbortSignal` of another realm: jsdom replaces the one but not the other.
            init.set_signal(None);
            build_request(url, &init)
        });
        let request = web_sys::Request::from(request.map_err(no_answer)?);
        let guard = AbortGuard(Some(controller));
        let answer = match &self.fetch {
            Some(fetch) => fetch.call1(&JsValue::UNDEFINED, &request),
            None => global_fetch(&request),
        };
        let answer = match answer {
            Ok(answer) => JsFuture::from(Promise::resolve(&answer)).await,
            Err(thrown) => Err(thrown),
        };
        let answer: Answer = answer.map_err(no_answer)?.unchecked_into();
        let no_response = || NoAnswer("fetch gave no Response".into());
        let status = answer.status().ok().and_then(|status| status.as_f64()).ok_or_else(no_response)?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates; no status is outside")]
        let status = status as u16;
        let body = answer.body().map_err(|_| no_response())?;
        let source = match body.get_reader() {
            Ok(reader) => Source::Reader(reader),
            Err(_) if body.is_null() => Source::End,
            Err(_) => Source::Whole(answer.array_buffer().map_err(|_| no_response())?),
        };
        let mut readable = Headers::new();
        if let Ok(headers) = answer.headers() {
            for name in HEADERS {
                if let Some(value) = headers.get(name).ok().and_then(|value| value.as_string()) {
                    readable.push((name, value));
                }
            }
        }
        Ok(Response { status, headers: readable, body: Body { source, rest: None, guard } })
    }

    async fn chunk(&self, body: &mut Body) -> Result<Option<Vec<u8>>, NoAnswer> {
        loop {
            if let Some(rest) = body.rest.take() {
                let length = rest.length();
                if length > PIECE {
                    body.rest = Some(rest.subarray(PIECE, length));
                    return Ok(Some(rest.subarray(0, PIECE).to_vec()));
                }
                return Ok(Some(rest.to_vec()));
            }
            let bytes = match std::mem::replace(&mut body.source, Source::End) {
                Source::End => {
                    body.guard.0 = None;
                    return Ok(None);
                }
                Source::Whole(buffer) => settled(&buffer).await?,
                Source::Reader(reader) => {
                    let chunk: Chunk = settled(&reader.read().map_err(no_answer)?).await?.unchecked_into();
                    if chunk.done().map_err(no_answer)?.is_truthy() {
                        continue;
                    }
                    body.source = Source::Reader(reader);
                    chunk.value().map_err(no_answer)?
                }
            };
            body.rest = Some(view_bytes(bytes).map_err(|_| NoAnswer("the body does not consist of bytes".into()))?);
        }
    }

    async fn sleep(&self, ms: u64) {
        if let Some(timer) = Timer::start(ms) {
            // The timer's promise is never rejected.
            drop(JsFuture::from(timer.promise.clone()).await);
        }
    }

    fn now_ms(&self) -> u64 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "milliseconds since 1970")]
        let now = js_sys::Date::now() as u64;
        now
    }

    fn random(&self) -> f64 {
        js_sys::Math::random()
    }
}

fn build_request(url: &str, init: &RequestInit) -> Result<Request, JsValue> {
    web_sys::Request::new_with_str_and_init(url, init).map(Request::from)
}

/// The bytes of a `Uint8Array` or an `ArrayBuffer`. `instanceof` would refuse those of another realm, as `fetch` gives them
/// under jsdom.
fn view_bytes(value: JsValue) -> Result<Uint8Array, JsValue> {
    if ArrayBuffer::is_view(&value) {
        return Ok(value.unchecked_into());
    }
    DataView::new(&value)?;
    Ok(Uint8Array::new(&value))
}

async fn settled(promise: &JsValue) -> Result<JsValue, NoAnswer> {
    JsFuture::from(Promise::resolve(promise)).await.map_err(no_answer)
}

/// A timer that is cleared when it is dropped. Its promise is settled then all the same: what waits for one that never is
/// would never be freed.
struct Timer {
    promise: Promise,
    waits: Waits,
    settle: Function,
}

/// What a timer waits with.
enum Waits {
    Timeout(JsValue),
    /// A port that hears a message: browsers make short timers wait for milliseconds, and a message is there with the event
    /// loop's next turn.
    Message(Port),
}

impl Timer {
    /// Always one: promises are begun at once.
    fn start(ms: u64) -> Option<Self> {
        let mut made = None;
        let ms = i32::try_from(ms).unwrap_or(i32::MAX);
        let promise = Promise::new(&mut |settle, _| {
            let port = if ms == 0 { message(&settle).ok() } else { None };
            let waits = port.map_or_else(|| Waits::Timeout(set_timeout(&settle, ms)), Waits::Message);
            made = Some((waits, settle));
        });
        made.map(|(waits, settle)| Self { promise, waits, settle })
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        match &self.waits {
            Waits::Timeout(timer) => clear_timeout(timer),
            // One that is open keeps a process alive.
            Waits::Message(port) => drop(port.close()),
        }
        drop(self.settle.call0(&JsValue::UNDEFINED));
    }
}

/// Sends a message: the port that hears it.
fn message(heard: &Function) -> Result<Port, JsValue> {
    let channel = MessageChannel::new()?;
    let port = channel.port1();
    port.set_onmessage(heard);
    let sender = channel.port2();
    sender.post_message(&JsValue::NULL)?;
    // Closes both ports once the message has arrived: an open port keeps a Node process alive, and after a trap no `Timer` is
    // dropped any more.
    sender.close()?;
    Ok(port)
}

/// What the browser says about a failure, in a few words.
#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err takes")]
fn no_answer(thrown: JsValue) -> NoAnswer {
    const SHOWN: usize = 200;
    let message = thrown.unchecked_ref::<Thrown>().message().ok().and_then(|message| message.as_string());
    let mut text = message.or_else(|| thrown.as_string()).unwrap_or_else(|| "no reason given".into());
    text::shorten(&mut text, SHOWN);
    NoAnswer(text)
}
