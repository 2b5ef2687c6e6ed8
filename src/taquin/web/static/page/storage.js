// Texts that this browser keeps, such as the choices of its user.

/**
 * Return the text that is kept under a key; null if there is none.
 * @param {string} key
 * @param {() => Storage} [storage]
 */
export function stored(key, storage = () => localStorage) {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

/**
 * Keep a text under a key; null removes it.
 * @param {string} key
 * @param {string | null} text
 * @param {() => Storage} [storage]
 */
export function store(key, text, storage = () => localStorage) {
  try {
    if (text === null) storage().removeItem(key);
    else storage().setItem(key, text);
  } catch {
    // Storage is off, or full.
  }
}
