// node tools/site/test.mjs
// Opens every built page in Chromium: light, dark, phone width, and once more from file://.
// Each fault is one line; the exit code says whether there was any.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { MODES, SITE, launch, require, serve } from "./browser.mjs";

const LIMIT = 700_000; // bytes of a page with all it loads, compressed
const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const faults = new Set();
const notes = new Set();
const weights = {};

function pagesOf(folder) {
  return fs.readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".html") && !name.startsWith("_static") && name !== "index.html").sort();
}

// --- what is asked of a page, in the page ---------------------------------------------------------
function openBoxes() {
  const boxes = document.querySelectorAll("details:not([open])");
  const buttons = document.querySelectorAll("button.toggle-button-hidden");
  for (const box of boxes) box.open = true;
  for (const button of buttons) button.click();
  return boxes.length + buttons.length;
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
// and as wide, says as much (of a single letter axe does not judge the contrast); so does one token of each kind in
// a listing, with the others as plain text.
function shorten() {
  const formulas = [...document.querySelectorAll(".katex:not(:has([style*=color]))")];
  const widths = formulas.map((formula) => {
    const range = document.createRange();
    range.selectNodeContents(formula.querySelector(".katex-html"));
    return range.getBoundingClientRect().width;
  });
  formulas.forEach((formula, i) => {
    formula.querySelector("math").textContent = "x";
    formula.querySelector(".katex-html").innerHTML = `<span style="display: inline-block; width: ${widths[i]}px">formula</span>`;
  });
  for (const listing of document.querySelectorAll("pre")) {
    const seen = new Set();
    for (const token of listing.querySelectorAll("span[class]:not([style], :has(*))")) {
      const kind = `${token.parentElement.className} ${token.className}`;
      if (seen.has(kind)) token.replaceWith(...token.childNodes);
      seen.add(kind);
    }
    listing.normalize();
  }
}

// --- a visit --------------------------------------------------------------------------------------
async function visit(tab, base, name, mode) {
  const say = (text) => faults.add(`${name} [${mode}]: ${text}`);
  const sizes = [];
  const watch = {
    request: (r) => { if (!/^(data|blob):/.test(r.url()) && !r.url().startsWith(base)) say(`request to ${r.url()}`); },
    response: (r) => {
      if (r.status() >= 400) say(`${r.status()} ${r.url()}`);
      if (mode === "light" && r.url().startsWith(base)) sizes.push(r.request().sizes().then((size) => size.responseBodySize, () => 0));
    },
    requestfailed: (r) => { if (r.failure()?.errorText !== "net::ERR_ABORTED") say(`failed: ${r.url()}`); },
    console: (m) => { if (m.type() === "error") say(`console: ${m.text()}`); },
    pageerror: (e) => say(`script error: ${e.message}`),
  };
  for (const [event, listener] of Object.entries(watch)) tab.on(event, listener);
  await tab.goto(base + name, { waitUntil: "load" });
  await tab.waitForFunction(() => document.fonts.status === "loaded");
  if (await tab.evaluate(openBoxes)) await tab.waitForTimeout(400); // transitions of the boxes
  for (const text of await tab.evaluate(inspect)) say(text);
  if (mode === "light") {
    weights[name] = (await Promise.all(sizes)).reduce((a, b) => a + b, 0);
    if (weights[name] > LIMIT) say(`${Math.round(weights[name] / 1000)} KB compressed, more than ${LIMIT / 1000}`);
  }
  const judged = mode === "light" || (mode in MODES && !name.startsWith("_modules")); // source listings are of one make
  if (judged) await accessibility(tab, mode, say);
  for (const [event, listener] of Object.entries(watch)) tab.off(event, listener);
}

async function accessibility(tab, mode, say) {
  const rules = { "color-contrast": { enabled: mode !== "phone" } }; // slow, and its colours are those of the light page
  await tab.evaluate(shorten);
  await tab.evaluate(AXE);
  const violations = await tab.evaluate(async (rules) => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"], rules });
    return violations.map(({ id, impact, nodes }) => ({ id, impact, places: nodes.slice(0, 3).map((n) => n.target.join(" ")) }));
  }, rules);
  for (const { id, impact, places } of violations) {
    const line = `axe ${impact} ${id}: ${places.join(" | ")}`;
    if (["serious", "critical"].includes(impact)) say(line);
    else notes.add(line);
  }
}

async function search(tab, base) {
  await tab.goto(`${base}search.html?q=the+learning`, { waitUntil: "load" });
  const hits = await tab.waitForSelector("#search-results li a", { timeout: 5000 }).catch(() => null);
  if (!hits) faults.add(`search.html [${base.split(":")[0]}]: no result for a common word`);
}

// --- the tour -------------------------------------------------------------------------------------
const pages = pagesOf(SITE);
const server = await serve();
const browser = await launch();
async function tour(mode) {
  const context = await browser.newContext(MODES[mode] ?? MODES.light);
  const tab = await context.newPage();
  const base = mode === "file" ? pathToFileURL(SITE + path.sep).href : server.url;
  await tab.goto(base + "index.html");
  await tab.waitForSelector("article", { timeout: 5000 }).catch(() => faults.add(`index.html [${mode}]: leads nowhere`));
  for (const name of pages) {
    await visit(tab, base, name, mode).catch((error) => faults.add(`${name} [${mode}]: ${error.message.split("\n")[0]}`));
  }
  if (mode === "light" || mode === "file") await search(tab, base);
  await context.close();
}
await Promise.all(["light", "dark", "phone", "file"].map(tour));
await browser.close();
server.close();

const [heaviest] = Object.entries(weights).sort((a, b) => b[1] - a[1]);
for (const note of notes) console.log(`note: ${note}`);
for (const fault of faults) console.log(fault);
console.log(`${pages.length} pages, light, dark, phone and file://: ${faults.size} faults; ` +
  `heaviest page ${heaviest[0]} with ${Math.round(heaviest[1] / 1000)} KB compressed, all it loads included`);
process.exit(faults.size ? 1 : 0);
