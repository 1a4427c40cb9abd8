// Pictures and traits of an NFT. All of it is untrusted.
import type { NftInstance } from "address-query";

/** The URLs of the picture, smallest first, because a gallery shows many. */
export function pictureUrls({ thumbnails, image_url, media_url, media_type, metadata }: NftInstance): unknown[] {
  const media = media_type === null || media_type.startsWith("image/") ? media_url : null;
  const isFilm = media_type?.startsWith("video/") ?? false;
  const { "250x250": small, "500x500": medium, original } = thumbnails ?? {};
  return [small, medium, image_url, media, isFilm ? null : original, metadata?.["image"], metadata?.["image_url"]].filter(
    Boolean,
  );
}

/** The URLs of the picture, full size first. */
export const fullPictureUrls = (nft: NftInstance): unknown[] => {
  const [url, ...others] = [nft.thumbnails?.["500x500"], nft.image_url].filter(Boolean);
  return [url, ...others, ...pictureUrls(nft)].filter(Boolean);
};

/** The traits in the form that most contracts use. Other forms are part of the metadata that is shown as JSON. */
export function nftTraits({ metadata }: NftInstance): [name: string, value: unknown][] {
  const attributes = metadata?.["attributes"];
  if (!Array.isArray(attributes)) return [];
  return attributes.flatMap((attribute): [string, unknown][] => {
    if (typeof attribute !== "object" || attribute === null || Array.isArray(attribute)) return [];
    const { trait_type: name, value } = attribute as { trait_type?: unknown; value?: unknown };
    return typeof name === "string" && value !== undefined ? [[name, value]] : [];
  });
}
