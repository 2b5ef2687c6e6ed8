// The kernels in C (src/taquin/kernels) without Python: their library for WebAssembly in a memory of its own.
//
//     const kernels = await load(bytes);
//     const cells = kernels.array(Uint8Array, [3, 1, 2]);     ARRAY(uint8_t, cells);
//     const rows = kernels.array(BigInt64Array, 600, 20);     MATRIX(int64_t, rows);
//     const record = kernels.record([cells, [rows, 1000]]);   NUMBER(nodes);
//     const found = kernels.run("search", record);
//
// A record is an array of 64-bit words, as common.h describes.

// The stack grows down from the library's data, the arrays grow up from their end.
const [STACK, DATA, ALL] = [2 << 20, 1 << 20, 48 << 20];
const MOST_FUNCTIONS = 64;

/** Return the kernels of a library: a module that is linked as it is loaded. */
export async function load(bytes) {
  const module = await WebAssembly.compile(bytes);
  const memory = new WebAssembly.Memory({ initial: ALL >> 16 });
  const functions = new WebAssembly.Table({ initial: MOST_FUNCTIONS, element: "anyfunc" });
  const number = (value, mutable) => new WebAssembly.Global({ value: "i32", mutable }, value);
  const names = WebAssembly.Module.imports(module).map(({ name }) => name);
  // Variables of the library by address; what it does not define is 0.
  const addresses = Object.fromEntries(names.map((name) => [name, number(STACK + DATA - 8, true)]));
  const { exports } = await WebAssembly.instantiate(module, {
    env: {
      memory,
      __indirect_function_table: functions,
      __stack_pointer: number(STACK, true),
      __memory_base: number(STACK, false),
      __table_base: number(0, false),
    },
    "GOT.mem": addresses,
  });
  for (const name of names)
    if (exports[name] instanceof WebAssembly.Global)
      addresses[name].value = STACK + exports[name].value;
  return new Kernels(memory.buffer, exports);
}

export class Kernels {
  constructor(buffer, exports) {
    this.buffer = buffer;
    this.exports = exports;
    /** The first free address; to write an earlier one gives back what was taken since. */
    this.free = STACK + DATA;
  }

  /** Take memory for values, rows of values, or as many zeros; for a matrix say the columns. */
  array(type, values, columns = values[0]?.length ?? 0) {
    const listed = Array.isArray(values) ? values.flat() : values;
    const are64Bits = Array.isArray(values) && type.BYTES_PER_ELEMENT === 8;
    const source = new type(are64Bits ? listed.map(BigInt) : listed);
    const array = new type(this.buffer, this.free, source.length);
    array.set(source);
    this.free += Math.ceil(array.byteLength / 64) * 64;
    return Object.assign(array, { columns });
  }

  /** Take memory for a record of numbers, arrays and records. */
  record(fields) {
    return this.array(BigInt64Array, fields.flatMap(words));
  }

  /** Run a kernel, and return its result. */
  run(name, record) {
    return Number(this.exports[name](record.byteOffset));
  }
}

function words(field) {
  if (typeof field !== "object") return [field];
  if (Array.isArray(field)) return field.flatMap(words);
  const { byteOffset, length, columns } = field;
  return columns ? [byteOffset, length / columns, columns] : [byteOffset, length];
}
