// A cache in IndexedDB for the tables that Python has built, so that the next visit need not build them.
//
// A table is a file in a folder of Python's; `files` is the file system (Emscripten's FS). Python checks every
// table that it reads, and builds a damaged one again. After an error or a timeout of the storage, the cache is not used.

const [DATABASE, STORE] = ["taquin", "tables"];
const PATIENCE_MS = 2000;

export class TableCache {
  /** The modification time of each file that is in the folder and in the cache, by its name. */
  #written = new Map();

  constructor(files, folder) {
    this.files = files;
    this.folder = folder;
    files.mkdirTree(folder);
  }

  /** Copy the tables of the cache that the folder lacks into it. */
  async restore() {
    const names = (await request("readonly", (store) => store.getAllKeys())) ?? [];
    for (const name of names.filter((name) => !this.#modified(name))) {
      const bytes = await request("readonly", (store) => store.get(name));
      if (!bytes) continue;
      this.files.writeFile(`${this.folder}/${name}`, bytes);
      this.#written.set(name, this.#modified(name));
    }
  }

  /** Store the tables that were written since the last call. */
  async save() {
    const names = this.files.readdir(this.folder).filter((name) => name.endsWith(".table"));
    for (const name of names.filter((name) => this.#written.get(name) !== this.#modified(name))) {
      this.#written.set(name, this.#modified(name));
      await request("readwrite", (store) =>
        store.put(this.files.readFile(`${this.folder}/${name}`), name),
      );
    }
  }

  /** Return the time of the last change of a file; 0 if there is none. */
  #modified(name) {
    const path = `${this.folder}/${name}`;
    return this.files.analyzePath(path).exists ? Number(this.files.stat(path).mtime) : 0;
  }
}

let opening = null;
let isRefused = false;

/** Return the result of a request to the database; null if it fails. */
async function request(mode, ask) {
  if (isRefused) return null;
  try {
    opening ??= opened();
    return await settled(ask((await opening).transaction(STORE, mode).objectStore(STORE)));
  } catch {
    // Storage is off, or full.
    isRefused = true;
    return null;
  }
}

async function opened() {
  const asked = indexedDB.open(DATABASE, 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
  return settled(asked);
}

function settled(asked) {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
    setTimeout(reject, PATIENCE_MS);
  });
}
