//! Plain objects for JavaScript.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use wasm_bindgen::JsValue;

/// A plain value. (A struct of its own for each kind of object would bring as much code each time.)
pub(super) enum Plain<'a> {
    Null,
    Boolean(bool),
    Number(f64),
    Text(Cow<'a, str>),
    List(Vec<Plain<'a>>),
    Object(Vec<(&'static str, Plain<'a>)>),
}

impl<'a> Plain<'a> {
    pub(super) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    /// A text, or null.
    pub(super) fn known(text: Option<&'a str>) -> Self {
        text.map_or(Self::Null, Self::text)
    }

    /// A number of JavaScript's.
    #[expect(clippy::cast_precision_loss, reason = "none is that large")]
    pub(super) fn number(value: impl Into<u64>) -> Self {
        Self::Number(value.into() as f64)
    }

    /// An object without the members that are nothing.
    pub(super) fn given(members: Vec<(&'static str, Option<Self>)>) -> Self {
        let mut given = Vec::with_capacity(members.len());
        for (name, value) in members {
            given.extend(value.map(|value| (name, value)));
        }
        Self::Object(given)
    }

    pub(super) fn to_js(&self) -> Result<JsValue, JsValue> {
        self.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).map_err(JsValue::from)
    }
}

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Boolean(value) => serializer.serialize_bool(*value),
            Self::Number(value) => serializer.serialize_f64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(values) => serializer.collect_seq(values),
            Self::Object(members) => serializer.collect_map(members.iter().map(|(name, value)| (name, value))),
        }
    }
}
