//! Connects the rate limiters of all tabs and workers of the page's origin, where `BroadcastChannel` exists.

use std::rc::Rc;

use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::client::{PeerEvent, RateLimiter};

#[wasm_bindgen]
extern "C" {
    type BroadcastChannel;
    /// Throws where there is no such class.
    #[wasm_bindgen(constructor, catch)]
    fn new(name: &str) -> Result<BroadcastChannel, JsValue>;
    /// Only in Node and Bun, where an open channel keeps the process alive.
    #[wasm_bindgen(method, getter, js_name = unref)]
    fn unref(this: &BroadcastChannel) -> JsValue;
    #[wasm_bindgen(method, setter)]
    fn set_onmessage(this: &BroadcastChannel, callback: &JsValue);
    #[wasm_bindgen(method, catch, js_name = postMessage)]
    fn post_message(this: &BroadcastChannel, message: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method)]
    fn close(this: &BroadcastChannel);

    type MessageEvent;
    #[wasm_bindgen(method, getter)]
    fn data(this: &MessageEvent) -> JsValue;
}

/// A channel that is closed when it is dropped.
struct Channel {
    channel: BroadcastChannel,
    /// Called with each message. It must live as long as the channel.
    _on_message: Closure<dyn FnMut(MessageEvent)>,
}

impl Drop for Channel {
    fn drop(&mut self) {
        self.channel.close();
    }
}

/// Exchanges events with all rate limiters that are connected to the channel of this name.
pub(super) fn connect(limiter: &Rc<RateLimiter>, name: &str) {
    let Ok(channel) = BroadcastChannel::new(name) else { return };
    if !channel.unref().is_undefined() {
        channel.close();
        return;
    }
    let weak = Rc::downgrade(limiter);
    let on_message = Closure::new(move |event: MessageEvent| {
        if let (Some(limiter), Some((event, now))) = (weak.upgrade(), read_event(&event.data())) {
            limiter.receive(event, now);
        }
    });
    channel.set_onmessage(on_message.as_ref());
    let channel = Channel { channel, _on_message: on_message };
    limiter.connect(move |event| {
        let [kind, time, remaining] = event.to_message();
        let message = Array::of3(&kind.into(), &time.into(), &remaining.into());
        // A closed page cannot send messages.
        drop(channel.channel.post_message(&message));
    });
}

/// Reads a message, and the time. `None` if it is not valid.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "milliseconds since 1970")]
fn read_event(message: &JsValue) -> Option<(PeerEvent, u64)> {
    let array = message.dyn_ref::<Array>()?;
    let now = js_sys::Date::now() as u64;
    let message = [array.get(0).as_f64()?, array.get(1).as_f64()?, array.get(2).as_f64()?];
    Some((PeerEvent::from_message(message, now)?, now))
}
