//! NFT instances.

use crate::record::{AddressHash, JsonObject, Text, Uint, labels, record};
use crate::types::{AddressRef, Token, TokenStandard};

labels! {
    /// What kind of media a URL leads to.
    MediaKind { "image", "video", "html" }
}

record! {
    /// One NFT: of a holder, or as the subject of a transfer.
    NftInstance {
        /// Token id, up to 78 digits.
        id: Uint,
        /// Whether there is only one. Null: not sent in lists by holder.
        is_unique: Option<bool>,
        /// Address hash of the holder. Null: not sent; in lists by holder it is the address that was asked for.
        holder_address_hash @sometimes: Option<AddressHash>,
        /// Standard. Null: not sent with embedded instances; see the token's `type`.
        token_type @sometimes: Option<TokenStandard>,
        /// Amount held, in base units; `"1"` for ERC-721. Null: not known, or not sent.
        value @sometimes: Option<Uint>,
        /// URL of the image, written by third parties: may be `ipfs:`, `data:`, relative, empty or no URL. Null: none.
        image_url: Option<Text>,
        /// URL of an animation, as hostile as `image_url`. Null: none.
        animation_url: Option<Text>,
        /// URL of a page about it, as hostile as `image_url`. Null: none.
        external_app_url: Option<Text>,
        /// URL of the main media, as hostile as `image_url`. Null: none, or services before 6.10.
        media_url: Option<Text>,
        /// MIME type of the main media. Null: not known.
        media_type: Option<Text>,
        /// What `image_url` leads to. Null: not known, or services before 12.
        image_media_type @sometimes: Option<MediaKind>,
        /// What `animation_url` leads to. Null: not known, or services before 12.
        animation_media_type @sometimes: Option<MediaKind>,
        /// Smaller images made by the service. Null: none.
        thumbnails: Option<NftThumbnails>,
        /// What its author says about it: free-form JSON, usually with `name`, `description` and `attributes`. Null: none,
        /// or no JSON object, or one that nests deeper than 127 levels.
        metadata: Option<JsonObject>,
        /// The owner. Null: not sent in lists by holder, or burned.
        owner: Option<AddressRef>,
        /// The token contract. Null: not sent inside collections.
        token: Option<Token>,
    }
}

record! {
    /// URLs of smaller images made by the service.
    NftThumbnails {
        /// At most 60 pixels wide and high. Null: none.
        px60 = "60x60" @sometimes: Option<Text>,
        /// At most 250 pixels wide and high. Null: none.
        px250 = "250x250" @sometimes: Option<Text>,
        /// At most 500 pixels wide and high. Null: none.
        px500 = "500x500" @sometimes: Option<Text>,
        /// In its own size. Null: none.
        original: Option<Text>,
    }
}
