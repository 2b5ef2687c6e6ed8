// Run a Python program in pyodide: node pyodide.mjs INSTALLED PROGRAM PURELIB...
// INSTALLED is the folder of npm's package; each PURELIB comes to sys.path under its own path.
// What the program prints is printed; the exit status is 1 when it raises.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [installed, program, ...libraries] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${installed}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: installed });
for (const library of libraries) {
  python.FS.mkdirTree(library);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: library }, library);
  python.runPython(`import sys; sys.path.append(${JSON.stringify(library)})`);
}
try {
  python.runPython(readFileSync(program, "utf8"));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
