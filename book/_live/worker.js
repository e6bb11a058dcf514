// Python in a worker: the page never waits for it. Loads what the cells import, runs them, tells what they show.
//   in:  {run: {cell, code}, pixels} | {start: {codes, progress}}          out: {kind, ...}, see `tell`
const HERE = new URL(".", import.meta.url);
const PYTHON = new URL("python/", HERE);
const VERSION = new URL(import.meta.url).searchParams.get("v");
const SITE_PACKAGES = "/lib/python3.14/site-packages";
const PROGRESS = "/home/pyodide/mlcourse-progress.json"; // of the homework; the page keeps it
const SIGINT = 2, SIGALRM = 14;
const MOST_PRINTED = 200_000; // characters of one run

const tell = (kind, data = {}) => self.postMessage({ kind, ...data });
let manifest, python, runner, shelf;

// --- files: from the browser's shelf for this site, else from the site, counted for the progress bar -----------------
const network = self.fetch.bind(self);
const fetched = {}; // file name -> promise of its bytes
const counted = { loaded: 0, total: 0 };

function file(name) {
  return (fetched[name] ??= load(name));
}

async function load(name) {
  const { size, sum } = manifest.files[name];
  const address = new URL(`${name}?${sum}`, PYTHON).href;
  const kept = await shelf?.match(address).catch(() => null);
  if (kept) return new Uint8Array(await kept.arrayBuffer());
  counted.total += size;
  const response = await network(address);
  if (!response.ok) throw new Error(`${name} cannot be loaded (${response.status})`);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (at + value.length > size) throw new Error(`${name} is not the file that this page was built with; reload the page`);
    bytes.set(value, at);
    at += value.length;
    counted.loaded += value.length;
    tell("loading", counted);
  }
  await shelf?.put(address, new Response(bytes)).catch(() => {}); // a full or forbidden shelf only costs time
  return bytes;
}

// Pyodide asks for its own files with fetch: they come the same way.
self.fetch = async (request, options) => {
  const url = new URL(request.url ?? request, HERE);
  const name = url.pathname.split("/").pop();
  if (!url.href.startsWith(PYTHON.href) || !manifest.files[name]) return network(request, options);
  if (!name.endsWith(".wasm")) return new Response(await file(name));
  const { size, sum } = manifest.files[name];
  if (counted.total) counted.total += size; // a first load
  return network(new URL(`${name}?${sum}`, PYTHON)); // not by way of the shelf: the browser's cache keeps it compiled
};

async function openShelf() {
  try {
    shelf = await caches.open("mlcourse python");
    const wanted = new Set(Object.entries(manifest.files).map(([name, { sum }]) => new URL(`${name}?${sum}`, PYTHON).href));
    for (const old of await shelf.keys()) if (old.url.startsWith(PYTHON.href) && !wanted.has(old.url)) await shelf.delete(old);
  } catch { shelf = undefined; } // no shelf without https: the browser's cache does what it can
}

// --- packages: those that a cell imports, with what they need --------------------------------------------------------
const unpacked = new Set();

function packagesFor(codes) {
  const modules = codes.flatMap((code) => [...code.matchAll(/^[ \t]*(?:from[ \t]+([\w.]+)|import[ \t]+([\w., \t]+))/gm)])
    .flatMap(([, from, names]) => from ? [from] : names.split(",").map((name) => name.trim().split(/\s/)[0]));
  const found = new Set();
  const add = (name) => {
    if (found.has(name)) return;
    for (const other of manifest.packages[name].depends) add(other);
    found.add(name);
  };
  for (const module of modules) {
    for (const [name, { imports }] of Object.entries(manifest.packages)) if (imports.includes(module.split(".")[0])) add(name);
    if (module.startsWith("mlcourse.plots")) add("matplotlib");
  }
  if (codes.some((code) => /from mlcourse import .*\bplots\b/.test(code))) add("matplotlib");
  return [...found];
}

// A package is one compressed piece: the length of a list, the list of paths and sizes, the contents.
const inflated = {}; // file name -> promise of its bytes

function inflate(name) {
  return (inflated[name] ??= file(name).then((bytes) =>
    new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer()));
}

function unpack(name, buffer) {
  if (unpacked.has(name)) return;
  unpacked.add(name);
  const bytes = new Uint8Array(buffer);
  let at = 4 + new DataView(buffer).getUint32(0, true);
  const folders = new Set();
  for (const [path, size] of JSON.parse(new TextDecoder().decode(bytes.subarray(4, at)))) {
    const place = `${SITE_PACKAGES}/${path}`, folder = place.slice(0, place.lastIndexOf("/"));
    if (!folders.has(folder)) python.FS.mkdirTree(folder);
    folders.add(folder);
    python.FS.writeFile(place, bytes.subarray(at, at += size), { canOwn: true });
  }
}

async function provide(codes) {
  const wanted = packagesFor(codes).filter((name) => !unpacked.has(name));
  if (!wanted.length) return;
  tell("packages", { names: wanted.filter((name) => /^(numpy|scipy|matplotlib|mlcourse(_homework)?)$/.test(name)) });
  const waiting = wanted.map((name) => inflate(manifest.packages[name].file));
  for (const [i, name] of wanted.entries()) unpack(name, await waiting[i]);
  python.pyimport("importlib").invalidate_caches();
}

// An import that no cell shows in its text (inside a function of another module, say) fetches the package on the spot.
function provideNow(module) {
  const hit = Object.entries(manifest.packages).find(([, { imports }]) => imports.includes(module));
  if (!hit || unpacked.has(hit[0])) return false;
  for (const name of packagesFor([`import ${module}`])) {
    if (unpacked.has(name)) continue;
    const request = new XMLHttpRequest();
    const { file: pack } = manifest.packages[name];
    request.open("GET", new URL(`${pack}?${manifest.files[pack].sum}`, PYTHON), false);
    request.responseType = "arraybuffer";
    request.send();
    const bytes = python.pyimport("gzip").decompress(python.toPy(new Uint8Array(request.response)));
    unpack(name, bytes.toJs().slice().buffer);
    bytes.destroy();
  }
  return true;
}

// --- what is printed: sent in portions, so that a loop that prints does not drown the page -------------------------------
const printed = {
  start() { Object.assign(this, { name: null, text: "", length: 0, sent: 0 }); },
  write(name, bytes, decoder) {
    if (name !== this.name) this.post(true);
    this.name = name;
    if (this.length < MOST_PRINTED) this.text += decoder.decode(bytes, { stream: true });
    if (this.length < MOST_PRINTED && (this.length += bytes.length) >= MOST_PRINTED) this.text += "\n… (the rest is not shown)\n";
    this.post();
    return bytes.length;
  },
  post(now = false) {
    if (!this.text || (!now && performance.now() < this.sent + 50)) return;
    tell("stream", { name: this.name, text: this.text });
    this.text = "";
    this.sent = performance.now();
  },
};

// --- signals: Python looks at this "buffer" now and then. It holds a wish to stop, or that a timer has run out -------
const timer = { due: 0, every: 0 };
let wish = null; // shared with the page, where the server lets pages share memory
const signals = {
  get 0() {
    printed.post();
    if (wish && Atomics.exchange(wish, 0, 0)) return SIGINT;
    const now = performance.now();
    if (!timer.due || now < timer.due) return 0;
    timer.due = timer.every && now + timer.every;
    return SIGALRM;
  },
  set 0(_) {},
};

function setTimer(seconds, interval) {
  const before = [timer.due && Math.max(timer.due - performance.now(), 1) / 1000, timer.every / 1000];
  timer.due = seconds && performance.now() + 1000 * seconds;
  timer.every = 1000 * interval;
  return before;
}

// --- start and run ---------------------------------------------------------------------------------------------------
async function start({ codes, progress, buffer }) {
  tell("starting");
  manifest = await (await network(new URL(`manifest.json?${VERSION}`, HERE))).json();
  await openShelf();
  const early = packagesFor(codes).map((name) => inflate(manifest.packages[name].file));
  for (const promise of early) promise.catch(() => {}); // awaited, and reported, in provide
  const { loadPyodide } = await import(new URL(`pyodide.mjs?${manifest.files["pyodide.mjs"].sum}`, PYTHON));
  python = await loadPyodide({
    indexURL: PYTHON.href,
    lockFileContents: manifest.lock,
    env: { HOME: "/home/pyodide", MPLBACKEND: "module://live_backend", MLCOURSE_PROGRESS: PROGRESS },
  });
  if ((counted.loaded = counted.total)) tell("loading", counted);
  wish = buffer && new Int32Array(buffer);
  python.setInterruptBuffer(signals);
  python.registerJsModule("live_page", { provideNow, setTimer });
  for (const name of ["runner.py", "live_backend.py"]) {
    const text = await (await network(new URL(`${name}?${VERSION}`, HERE))).text();
    python.FS.writeFile(`${SITE_PACKAGES}/${name}`, text);
  }
  if (progress) python.FS.writeFile(PROGRESS, progress);
  await provide(codes);
  runner = python.pyimport("runner");
  tell("ready");
}

async function run({ cell, code }, pixels) {
  await provide([code]);
  const stream = (name, decoder = new TextDecoder()) => ({ write: (bytes) => printed.write(name, bytes, decoder) });
  printed.start();
  python.setStdout(stream("stdout"));
  python.setStderr(stream("stderr"));
  const emit = (kind, data) => {
    printed.post(true);
    tell(kind, data.toJs({ dict_converter: Object.fromEntries, create_pyproxies: false }));
  };
  tell("running");
  const began = performance.now();
  const ok = runner.run(cell, code, emit, pixels);
  printed.post(true);
  timer.due = 0;
  const progress = python.FS.analyzePath(PROGRESS).exists ? python.FS.readFile(PROGRESS, { encoding: "utf8" }) : null;
  tell("done", { ok, seconds: (performance.now() - began) / 1000, progress });
}

self.onmessage = async ({ data }) => {
  try {
    if (data.start) await start(data.start);
    else await run(data.run, data.pixels);
  } catch (error) {
    tell("broken", { text: String(error.message ?? error).slice(0, 500) });
  }
};
