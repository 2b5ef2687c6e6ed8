// The changes of a step, so that it can be undone: a film is played both ways.

export class Journal {
  #undo = [];

  /** Set a field. */
  set(object, key, value) {
    const before = object[key];
    if (before === value) return;
    object[key] = value;
    this.#undo.push(() => { object[key] = before; });
  }

  /** Set a key of a map; undefined deletes it. */
  put(map, key, value) {
    const had = map.has(key);
    const before = map.get(key);
    if (value === undefined) map.delete(key);
    else map.set(key, value);
    this.#undo.push(() => { if (had) map.set(key, before); else map.delete(key); });
  }

  insert(array, at, item) {
    array.splice(at, 0, item);
    this.#undo.push(() => { array.splice(at, 1); });
  }

  remove(array, at) {
    const [item] = array.splice(at, 1);
    this.#undo.push(() => { array.splice(at, 0, item); });
    return item;
  }

  /** Undo everything, the last change first. */
  undo() {
    while (this.#undo.length) this.#undo.pop()();
  }
}
