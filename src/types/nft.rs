//! NFT instances.

use crate::record::{AddressHash, JsonObject, Text, Uint, field_types, record};
use crate::types::{AddressRef, Token, TokenStandard};

field_types! {
    /// The kind of media at a URL.
    MediaKind { "image", "video", "html" }
}

record! {
    /// An NFT instance: one token id of a token contract.
    NftInstance {
        /// Token id: an integer of up to 78 digits.
        id @essential: Uint,
        /// Whether there is only one token with this id. Null: not sent in lists by holder.
        is_unique: Option<bool>,
        /// Address hash of the holder. Null: not sent; in lists by holder it is the requested address.
        holder_address_hash @sometimes: Option<AddressHash>,
        /// Token standard. Null: not sent with embedded instances; see `type` of the token.
        token_type @sometimes: Option<TokenStandard>,
        /// Amount held, in base units; `"1"` for ERC-721. Null: not known, or not sent.
        value @sometimes @essential: Option<Uint>,
        /// URL of the image. Untrusted: it may be an `ipfs:` or `data:` URL, relative, empty, or no URL at all. Null:
        /// no image.
        image_url: Option<Text>,
        /// URL of an animation. Untrusted, like `image_url`. Null: no animation.
        animation_url: Option<Text>,
        /// URL of a web page about the NFT. Untrusted, like `image_url`. Null: no web page.
        external_app_url: Option<Text>,
        /// URL of the main media file. Untrusted, like `image_url`. Null: no media, or a service version before 6.10.
        media_url: Option<Text>,
        /// MIME type of the main media file. Null: not known.
        media_type: Option<Text>,
        /// Kind of media at `image_url`. Null: not known, or a service version before 12.
        image_media_type @sometimes: Option<MediaKind>,
        /// Kind of media at `animation_url`. Null: not known, or a service version before 12.
        animation_media_type @sometimes: Option<MediaKind>,
        /// Thumbnails created by the service. Null: no thumbnails.
        thumbnails: Option<NftThumbnails>,
        /// Metadata by the author of the token. Untrusted: any JSON object, usually with `name`, `description` and
        /// `attributes`. Null: no metadata, not a JSON object, or nested deeper than 127 levels.
        metadata: Option<JsonObject>,
        /// Owner. Null: not sent in lists by holder, or the NFT was burned.
        owner: Option<AddressRef>,
        /// Token contract. Null: not sent inside collections, nor since version 12 in lists of one contract.
        token @sometimes @essential: Option<Token>,
    } key "nft:{token.address_hash}:{id}",
        "Several holders of one ERC-1155 id share a key. Within a collection `token` is null, and only the id is left."
}

record! {
    /// URLs of thumbnails that the service created.
    NftThumbnails {
        /// At most 60 × 60 pixels. Null: not available.
        px60 = "60x60" @sometimes: Option<Text>,
        /// At most 250 × 250 pixels. Null: not available.
        px250 = "250x250" @sometimes: Option<Text>,
        /// At most 500 × 500 pixels. Null: not available.
        px500 = "500x500" @sometimes: Option<Text>,
        /// Original size. Null: not available.
        original: Option<Text>,
    }
}
