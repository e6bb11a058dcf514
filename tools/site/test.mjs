// node tools/site/test.mjs
// Opens every built page in Chromium on a dark phone, where it then turns wide and light, and once more from file://,
// wide and light at once; one page of each folder (a sample) is asked everything in every mode.
// Each fault is one line; the exit code says whether there was any.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { MODES, SITE, launch, require, serve } from "./browser.mjs";
import { testFigures } from "./figures.mjs";
import { isLive, testLive } from "./live.mjs";

const LIMIT = 700_000; // bytes of a page with all it loads, compressed
const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const faults = new Set();
const notes = new Set();
const weights = {};
const parts = {}; // of the test, in seconds
const steps = {}; // of the visits, those of all tabs added up

async function clock(name, promise, times = steps) {
  const start = performance.now();
  const result = await promise;
  times[name] = (times[name] ?? 0) + (performance.now() - start) / 1000;
  return result;
}

function pagesOf(folder) {
  return fs.readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".html") && !name.startsWith("_static") && name !== "index.html").sort();
}

// --- what is asked of a page, in the page ---------------------------------------------------------
async function openBoxes() {
  const still = document.createElement("style");
  still.textContent = "*, ::before, ::after { transition: none !important; animation: none !important }";
  document.head.append(still);
  const boxes = document.querySelectorAll("details:not([open])");
  const buttons = document.querySelectorAll("button.toggle-button-hidden");
  for (const box of boxes) box.open = true;
  for (const button of buttons) button.click();
  await document.fonts.ready;
}

function inspect() {
  const found = [];
  const raw = /\$\$|\$[^$\s][^$\n]{0,80}\$|\\[a-zA-Z]{2,}|\\\(|\{[a-z][\w:-]*\}`|^:{3,}|```|:(?:label|class|name|nonumber):/m;
  const skip = "code, pre, script, style, kbd, annotation, .katex, mjx-container, .highlight";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data;
    if (raw.test(text) && !walker.currentNode.parentElement.closest(skip)) found.push(`raw markup: ${text.trim().slice(0, 80)}`);
  }
  for (const img of document.images) {
    if (!img.getAttribute("alt") || img.alt.includes("_images/")) found.push(`no alt text: ${img.getAttribute("src")}`);
    if (!img.complete || !img.naturalWidth) found.push(`picture not shown: ${img.getAttribute("src")}`);
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) {
    const wide = [...document.querySelectorAll("article *")].filter((el) => el.getBoundingClientRect().right > clientWidth + 1
      && !el.closest(".katex-display, pre, .pst-scrollable-table-container, table")).slice(0, 3);
    found.push(`wider than the window by ${scrollWidth - clientWidth} px: ${wide.map((el) => `${el.tagName}.${el.className}`).join(", ")}`);
  }
  return found;
}

// To axe a formula is hundreds of elements that look alike, and so is a listing. One word, in the formula's colour
// and as wide, says as much (of a single letter axe does not judge the contrast); the first formula keeps its inner
// parts. Of a listing or a signature stays one token of each kind, with the others as plain text; of names in the text
// only the outer mark, when the inner one has the same colour.
function shorten() {
  const main = document.querySelector("main");
  const formulas = [...main.querySelectorAll(".katex:not(:has([style*=color]))")];
  const widths = formulas.map((formula) => {
    const range = document.createRange();
    range.selectNodeContents(formula.querySelector(".katex-html"));
    return range.getBoundingClientRect().width;
  });
  const colour = (el) => getComputedStyle(el).color;
  const plain = [...main.querySelectorAll("span.pre")].filter((el) => colour(el) === colour(el.parentElement));
  const place = document.createElement("div");
  main.replaceWith(place); // in the page each change would cost a search through the style sheets
  formulas.forEach((formula, i) => {
    const word = `<span aria-hidden="true" style="display: inline-block; width: ${widths[i]}px">formula</span>`;
    if (i) return formula.innerHTML = word;
    formula.querySelector("math").textContent = "x";
    formula.querySelector(".katex-html").innerHTML = word;
  });
  for (const el of plain) el.replaceWith(...el.childNodes);
  for (const listing of main.querySelectorAll("pre, .sig")) {
    const seen = new Set();
    for (const token of [...listing.querySelectorAll("span[class]:not([style])")].reverse()) { // inner ones first
      const kind = `${token.parentElement.className} ${token.className}`;
      if (seen.has(kind) && !token.firstElementChild) token.replaceWith(...token.childNodes);
      seen.add(kind);
    }
  }
  main.normalize();
  place.replaceWith(main);
}

// Text of one look has one contrast: axe judges three pieces of each kind instead of all.
function markLooks() {
  const behind = new Map([[null, ""]]);
  const backgrounds = (el) => {
    if (!behind.has(el)) {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(el);
      const own = [backgroundColor, backgroundImage, opacity].join();
      behind.set(el, backgrounds(el.parentElement) + (own === "rgba(0, 0, 0, 0),none,1" ? "" : `${own};`));
    }
    return behind.get(el);
  };
  const seen = {};
  for (const el of document.body.querySelectorAll("*")) {
    const written = [...el.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim().length > 1);
    if (!(written || el.matches("input, select, textarea")) || !el.checkVisibility({ visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(el);
    const look = [el.tagName, el.className, color, fontSize, fontWeight, textShadow, backgrounds(el)].join();
    seen[look] = (seen[look] ?? 0) + 1;
    el.toggleAttribute("data-look", seen[look] <= 3);
  }
}

// --- a visit --------------------------------------------------------------------------------------
const ALL = {}; // what axe is asked
const COLOURS = { runOnly: ["color-contrast", "link-in-text-block"] }; // all that depends on the theme
const LAYOUT = { runOnly: ["cat.keyboard", "cat.name-role-value"] }; // what can be scrolled and what is shown

async function visit(tab, base, name, mode) {
  const say = (text) => faults.add(`${name} [${mode}]: ${text}`);
  const sizes = [];
  const watch = {
    request: (r) => { if (!/^(data|blob):/.test(r.url()) && !r.url().startsWith(base)) say(`request to ${r.url()}`); },
    response: (r) => { if (r.status() >= 400) say(`${r.status()} ${r.url()}`); },
    requestfinished: (r) => {
      if (mode === "dark phone" && r.url().startsWith(base)) sizes.push(r.sizes().then((size) => size.responseBodySize, () => 0));
    },
    requestfailed: (r) => { if (r.failure()?.errorText !== "net::ERR_ABORTED") say(`failed: ${r.url()}`); },
    console: (m) => { if (m.type() === "error") say(`console: ${m.text()}`); },
    pageerror: (e) => say(`script error: ${e.message}`),
  };
  for (const [event, listener] of Object.entries(watch)) tab.on(event, listener);
  await clock("load", tab.goto(base + name, { waitUntil: "load" }));
  if (mode !== "file") await clock("open the boxes", tab.evaluate(openBoxes)); // from file:// they are the same
  for (const text of await clock("inspect", tab.evaluate(inspect))) say(text);
  if (mode === "dark phone") {
    weights[name] = (await Promise.all(sizes)).reduce((a, b) => a + b, 0);
    if (weights[name] > LIMIT) say(`${Math.round(weights[name] / 1000)} KB compressed, more than ${LIMIT / 1000}`);
  }
  const listing = name.startsWith("_modules"); // the sources of the package, of one make
  if (mode !== "file" && (samples.has(name) || !listing)) await accessibility(tab, name, mode);
  for (const [event, listener] of Object.entries(watch)) tab.off(event, listener);
}

// Wide after narrow: the other way round the theme takes its time to let a keyboard scroll what is too wide.
async function accessibility(tab, name, mode) {
  await clock("shorten", tab.evaluate(shorten));
  await clock("axe: start", tab.evaluate(AXE));
  if (mode === "light") return judge(tab, name, mode, ALL);
  await judge(tab, name, "dark phone", samples.has(name) ? ALL : LAYOUT);
  await tab.setViewportSize(MODES.dark.viewport);
  await judge(tab, name, "dark", samples.has(name) ? ALL : COLOURS);
  await tab.emulateMedia({ colorScheme: "light" });
  await judge(tab, name, "light", ALL);
  await tab.setViewportSize(MODES[mode].viewport);
  await tab.emulateMedia({ colorScheme: "dark" });
}

async function judge(tab, name, mode, rules) {
  const theme = mode === "light" ? "light" : "dark";
  await tab.waitForFunction((theme) => document.documentElement.dataset.theme === theme, theme, { timeout: 5000 })
    .catch(() => faults.add(`${name} [${mode}]: the theme is not ${theme}`));
  if (rules !== LAYOUT) await clock("looks", tab.evaluate(markLooks));
  const violations = await clock(`axe: ${mode}`, tab.evaluate(async (rules) => {
    axe.configure({ rules: [{ id: "color-contrast", selector: "[data-look]" }] });
    const { violations } = await axe.run(document, { resultTypes: ["violations"], ...rules });
    return violations.map(({ id, impact, nodes }) => ({ id, impact, places: nodes.slice(0, 3).map((n) => n.target.join(" ")) }));
  }, rules));
  for (const { id, impact, places } of violations) {
    const line = `axe ${impact} ${id}: ${places.join(" | ")}`;
    if (["serious", "critical"].includes(impact)) faults.add(`${name} [${mode}]: ${line}`);
    else notes.add(line);
  }
}

// --- the tours ------------------------------------------------------------------------------------
const pages = pagesOf(SITE);
const samples = new Set(pages.filter((name, i) => path.dirname(name) !== path.dirname(pages[i - 1] ?? ""))); // of each folder one
const server = await serve();
const browser = await launch();
const baseOf = (mode) => mode === "file" ? pathToFileURL(SITE + path.sep).href : server.url;
const contextOf = (mode) => browser.newContext(MODES[mode] ?? MODES.light);

const FOUND = { // what is looked for, and a page that the search must list
  "Novikoff": "book/perceptron.html",
  "Wolfe": "book/convex-optimization.html",
  "kernel trick": "book/kernels.html",
  "nested cross-validation": "book/cross-validation.html",
  "support vector": "book/glossary.html",
};

async function doors(mode) {
  const context = await contextOf(mode);
  const tab = await context.newPage();
  await tab.goto(`${baseOf(mode)}index.html`);
  await tab.waitForSelector("article", { timeout: 5000 }).catch(() => faults.add(`index.html [${mode}]: leads nowhere`));
  for (const [words, page] of Object.entries(FOUND)) {
    await tab.goto(`${baseOf(mode)}search.html?q=${encodeURIComponent(words)}`, { waitUntil: "load" });
    await tab.waitForSelector(`#search-results li a[href*="${page}"]`, { timeout: 5000 })
      .catch(() => faults.add(`search.html [${mode}]: "${words}" does not lead to ${page}`));
  }
  await context.close();
}

async function tours(modes) { // the list is worked off by one tab more than there are cores
  const todo = modes.flatMap((mode) => pages.map((name) => [mode, name]))
    .filter(([mode, name]) => mode !== "light" || samples.has(name));
  async function guide() {
    let at, context, tab;
    for (let next; (next = todo.shift());) {
      const [mode, name] = next;
      if (mode !== at) {
        await context?.close();
        context = await contextOf(at = mode);
        tab = await context.newPage();
      }
      await visit(tab, baseOf(mode), name, mode).catch((error) => {
        faults.add(`${name} [${mode}]: ${error.message.split("\n")[0]}`);
        at = undefined; // the next page gets a new tab
      });
    }
    await context?.close();
  }
  await Promise.all(Array.from({ length: os.availableParallelism() + 1 }, guide));
}

const modes = ["dark phone", "light", "file"];
await clock("doors", Promise.all(modes.map(doors)), parts);
await clock("tours", tours(modes), parts);
const say = (text) => faults.add(text);
await clock("figures", testFigures(browser, server.url, say), parts);
if (isLive()) await clock("live", testLive(browser, say, (text) => notes.add(text)), parts);
else notes.add("LIVE PAGES NOT TESTED: the site was built without them");
await browser.close();
server.close();

const [heaviest] = Object.entries(weights).sort((a, b) => b[1] - a[1]);
for (const note of notes) console.log(`note: ${note}`);
for (const fault of faults) console.log(fault);
console.log(`${pages.length} pages, light, dark, phone and file://: ${faults.size} faults; ` +
  `heaviest page ${heaviest[0]} with ${Math.round(heaviest[1] / 1000)} KB compressed, all it loads included`);
const list = (times) => Object.entries(times).map(([name, time]) => `${name} ${Math.round(time)}`).join(", ");
console.log(`seconds: ${list(parts)}; in the tabs of the tours: ${list(steps)}`);
process.exit(faults.size ? 1 : 0);
