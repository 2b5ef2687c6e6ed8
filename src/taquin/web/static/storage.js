// Choices that are kept in this browser; without storage they last until the page is closed.

/** Return the text that is kept under a key; null if there is none. */
export function stored(key, storage = () => localStorage) {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

/** Keep a text under a key; null removes it. */
export function store(key, text, storage = () => localStorage) {
  try {
    if (text === null) storage().removeItem(key);
    else storage().setItem(key, text);
  } catch {
    // Storage is off, or full.
  }
}
