// The API key of Blockscout's gateway. It is never part of the URL, and is forgotten when the browser tab is closed.

const KEY = "address-query-api-key";

/** Without storage, the key is kept until the page is closed. */
let apiKey = "";

export function getApiKey(): string {
  try {
    return sessionStorage.getItem(KEY) ?? apiKey;
  } catch {
    return apiKey;
  }
}

export function setApiKey(value: string): void {
  apiKey = value;
  try {
    sessionStorage.setItem(KEY, value);
  } catch {
    // The variable keeps it.
  }
}
