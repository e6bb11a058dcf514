// Runs code in the pages themselves, as a reader would: Run, edit, reload, stop, homework.
// By itself: node tools/site/live.mjs [all | name of a page...]. Each fault is one line.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { MODES, SITE, launch, require, serve } from "./browser.mjs";

const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const CHAPTERS = ["gaussian-discriminant", "linear-regression", "logistic-regression", "perceptron"];
const BARS = { cold: 20, warm: 5, megabytes: 45 }; // seconds to the first result, and what is loaded for it
const PREFIX = "/some/course/"; // as on a host that serves many projects
const MINUTES = 60_000;
const ROUNDING = { "book/convex-optimization.html": [39] }; // cells that count steps on a path that rounding decides

export const isLive = () => fs.existsSync(path.join(SITE, "_static/live/manifest.json"));
const pages = (folder) => fs.readdirSync(path.join(SITE, folder)).filter((name) => name.endsWith(".html"))
  .map((name) => `${folder}/${name}`).filter((name) => fs.readFileSync(path.join(SITE, name), "utf8").includes("live/live.js"));

// --- a page, with the hands of a reader ---------------------------------------------------------------------------
class Reader {
  static async opens(context, server, name, say) {
    const reader = new Reader();
    reader.tab = await context.newPage();
    reader.asked = [];
    const host = new URL(server.url).host;
    const watch = (request) => {
      reader.asked.push(request.url());
      if (/^(https?|ws):/.test(request.url()) && new URL(request.url()).host !== host) say(`${name}: request to ${request.url()}`);
    };
    reader.tab.on("request", watch);
    reader.tab.on("response", (r) => { if (r.status() >= 400) say(`${name}: ${r.status()} ${r.url()}`); });
    reader.tab.on("console", (m) => { if (m.type() === "error") say(`${name}: console: ${m.text().slice(0, 200)}`); });
    reader.tab.on("pageerror", (e) => say(`${name}: script error: ${e.message}`));
    await reader.tab.goto(server.url + name, { waitUntil: "load" });
    return reader;
  }

  cell(n) { return this.tab.locator("article div.cell:has(.cell_input pre)").nth(n - 1); }
  async count() { return this.tab.locator("article div.cell:has(.cell_input pre)").count(); }
  state(n) { return this.cell(n).locator(".live-state").textContent(); }
  output(n) { return this.cell(n).locator(":scope > .cell_output:visible").innerText({ timeout: 500 }).catch(() => ""); }

  async rests(n, time = MINUTES) {
    const state = this.cell(n).locator(".live-state:is(.done, .failed)");
    await state.waitFor({ state: "attached", timeout: time });
  }

  async run(n, time) {
    await this.cell(n).getByRole("button", { name: "Run" }).click();
    await this.rests(n, time);
  }

  async write(n, text) {
    await this.cell(n).getByRole("button", { name: "Edit" }).click();
    await this.cell(n).locator("textarea").fill(text);
  }

  stored() {
    return this.tab.evaluate(() => [...document.querySelectorAll("article div.cell:has(.cell_input pre)")]
      .map((cell) => {
        const copy = cell.querySelector(":scope > .cell_output:not([hidden])")?.cloneNode(true);
        for (const button of copy?.querySelectorAll("button") ?? []) button.remove(); // "Copy to clipboard"
        return copy?.textContent ?? "";
      }));
  }
}

// --- the same text, up to the last digit printed: another processor may round another way ----------------------------
const NUMBER = /-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;
const TIME = /\d+(?:\.\d+)? (?:s|ms|µs)\b/g;

export function agree(stored, found) {
  const words = (text) => text.replace(TIME, "TIME").replace(NUMBER, "#").replace(/[-\s]+/g, " ").trim();
  if (words(stored) !== words(found)) return false;
  const numbers = (text) => text.replace(TIME, "").match(NUMBER) ?? [];
  const theirs = numbers(found);
  return numbers(stored).every((number, i) => {
    const decimals = number.match(/\.(\d+)/)?.[1].length ?? 0;
    const unit = 10 ** (Number(number.match(/e([+-]?\d+)/i)?.[1] ?? 0) - decimals);
    const tiny = Math.max(Math.abs(number), Math.abs(theirs[i])) < 1e-9; // a rounding error, whatever it is
    return tiny || Math.abs(number - theirs[i]) <= (decimals ? 1.001 * unit : 0);
  });
}

// --- what is tested ---------------------------------------------------------------------------------------------------
const tests = {
  async "a first result"({ browser, server, say, report }) {
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), "reader-")); // a browser that keeps what it compiled, as readers' do
    const context = await launch({ profile, ...MODES.light });
    const visits = [["cold", "book/perceptron.html"], ["warm", "book/svm.html"], ["warm", "book/kernels.html"], ["warm", "book/trees.html"]];
    const times = { cold: Infinity, warm: Infinity };
    for (const [kind, name] of visits) {
      const reader = await Reader.opens(context, server, name, say);
      const early = reader.asked.filter((url) => /worker|manifest|python\//.test(url));
      if (early.length) say(`${name}: loads ${early[0]} before anything is run`);
      const began = performance.now();
      await reader.run(2); // the first figure, after the imports
      times[kind] = Math.min(times[kind], (performance.now() - began) / 1000);
      if (!(await reader.cell(2).locator(".cell_output:visible img").count())) say(`${name}: no figure after a run`);
      await reader.tab.close();
    }
    const sum = (key) => Object.values(server.sent).filter(({ live }) => live).reduce((total, file) => total + file[key], 0) / 1e6;
    report(`first figure ${times.cold.toFixed(1)} s cold, ${times.warm.toFixed(1)} s warm; `
      + `${sum("plain").toFixed(1)} MB loaded for it, ${sum("compressed").toFixed(1)} MB as sent`);
    for (const kind of ["cold", "warm"]) {
      if (times[kind] > BARS[kind]) report(`SLOW: first result ${kind} after more than ${BARS[kind]} s`);
      if (times[kind] > 2 * BARS[kind]) say(`first result ${kind}: ${times[kind].toFixed(1)} s, more than twice ${BARS[kind]}`); // no busy machine's excuse
    }
    if (sum("plain") > BARS.megabytes) say(`${sum("plain")} MB for a first result, more than ${BARS.megabytes}`);
    await context.close();
    fs.rmSync(profile, { recursive: true, force: true });
  },

  async "only what is imported is loaded"({ browser, server, say }) {
    const context = await browser.newContext(MODES.light);
    const reader = await Reader.opens(context, server, "book/perceptron.html", say);
    await reader.write(1, "import numpy as np\nprint(np.arange(3))");
    await reader.run(1);
    if ((await reader.output(1)).trim() !== "[0 1 2]") say(`numpy alone: ${await reader.output(1)}`);
    const loaded = (name) => reader.asked.some((url) => url.includes(`python/${name}-`));
    if (!loaded("numpy") || ["scipy", "matplotlib", "mlcourse"].some(loaded)) say(`numpy alone: loaded ${reader.asked.slice(-8)}`);
    await reader.write(1, "import importlib\nprint(importlib.import_module('scipy.special').expit(0))"); // no import to be seen
    await reader.run(1);
    if ((await reader.output(1)).trim() !== "0.5") say(`a hidden import of scipy: ${await reader.output(1)}`);
    await context.close();
  },

  async "edits, errors, reload, reset"({ browser, server, say }) {
    const context = await browser.newContext(MODES.light);
    const name = "book/logistic-regression.html";
    let reader = await Reader.opens(context, server, name, say);
    const original = await reader.cell(2).locator("pre").first().textContent();
    const edited = "total = 0\nfor i in range(3):\n    total += i\nprint(f'sum {total}')\n1 / 0";
    await reader.write(1, "x = 41");
    await reader.write(2, edited);
    await reader.cell(2).locator("textarea").press("Shift+Enter");
    await reader.rests(2);
    if (!/^error in line 5$/.test(await reader.state(2))) say(`error: the state says "${await reader.state(2)}"`);
    const text = await reader.output(2);
    if (!/sum 3[^]*<cell 2>", line 5[^]*1 \/ 0[^]*ZeroDivisionError/.test(text)) say(`error: shown as ${text.slice(0, 300)}`);
    const mark = await reader.cell(2).locator(".live-mark").boundingBox();
    const area = await reader.cell(2).locator("textarea").boundingBox();
    if (!mark || mark.y < area.y + area.height * 0.65) say("error: line 5 of 5 is not the marked one");
    await reader.write(2, "def deep(n):\n    return deep(n + 1)\ndeep(0)");
    await reader.run(2);
    if (!/RecursionError/.test(await reader.output(2))) say(`endless recursion: ${(await reader.output(2)).slice(-300)}`);
    await reader.write(2, "x + 1");
    await reader.run(2);
    if ((await reader.output(2)).trim() !== "42") say(`the cell above was not run first: ${await reader.output(2)}`);
    await reader.tab.keyboard.press("Escape");
    await reader.tab.reload({ waitUntil: "load" });
    if ((await reader.cell(2).locator("pre").first().textContent()).trim() !== "x + 1") say("an edit does not survive a reload");
    await reader.cell(2).getByRole("button", { name: "Reset" }).click();
    if ((await reader.cell(2).locator("pre").first().textContent()) !== original) say("Reset does not bring the cell back");
    await reader.tab.getByRole("button", { name: "Clear my edits" }).click();
    await reader.tab.close();
    reader = await Reader.opens(context, server, name, say);
    if (await reader.tab.locator(".live-edited").count()) say("Clear my edits leaves edits");
    // typing: indentation after a colon, Tab, and the colours of the listing
    await reader.write(1, "");
    await reader.cell(1).locator("textarea").pressSequentially("def f(x):\nreturn x # é <");
    const typed = await reader.cell(1).locator("textarea").inputValue();
    if (typed !== "def f(x):\n    return x # é <") say(`typed code came out as ${JSON.stringify(typed)}`);
    const colours = await reader.cell(1).locator("pre span").evaluateAll((spans) => spans.map((s) => `${s.className}:${s.textContent}`).join(" "));
    if (!/k:def nf:f n:x k:return n:x c1:# é </.test(colours)) say(`colours of typed code: ${colours}`);
    await context.close();
  },

  async "stop"({ browser, server, isolated, say }) {
    for (const [kind, from] of Object.entries({ "ends Python": server, "keeps Python": isolated })) {
      const context = await browser.newContext(MODES.light);
      const reader = await Reader.opens(context, from, "book/perceptron.html", say);
      await reader.write(1, "x = 7\nprint('alive')");
      await reader.run(1);
      await reader.write(2, "for i in range(10**5):\n    print(i)\nprint('endless')\nwhile True:\n    pass");
      await reader.cell(2).getByRole("button", { name: "Run" }).click();
      await reader.cell(2).getByText("the rest is not shown").waitFor();
      await reader.tab.evaluate(() => (document.title = "the page is free")); // it does not wait for Python
      await reader.tab.getByRole("button", { name: "Stop" }).click();
      await reader.rests(2, 5000);
      if ((await reader.state(2)) !== "stopped") say(`stop (${kind}): the state says "${await reader.state(2)}"`);
      await reader.write(2, "print(x)");
      await reader.run(2);
      if ((await reader.output(2)).trim() !== "7") say(`stop (${kind}): the next run gave ${await reader.output(2)}`);
      const again = (await reader.state(1)).startsWith("done");
      if (!again) say(`stop (${kind}): the cell above says "${await reader.state(1)}"`);
      await context.close();
    }
  },

  async "homework"({ browser, server, say }) {
    const context = await browser.newContext(MODES.light);
    const name = "book/homework/perceptron.html";
    const reader = await Reader.opens(context, server, name, say);
    const answers = {
      wrong: ["def update(w, x, y, tau):\n    return w - tau * y * x\n\nhw.q1.check(update)", /not yet/],
      endless: ["from mlcourse_homework.engine import question as engine\nengine.TIME_LIMIT = 1\n\ndef update(w, x, y, tau):\n    while True: pass\n\nhw.q1.check(update)",
        /not yet[^]*stopped after 1 s \(line 5/],
      broken: ["def update(w, x, y, tau):\n    return w + tau * y * z\n\nhw.q1.check(update)", /NameError[^]*line 2/],
      right: ["def update(w, x, y, tau):\n    return w + tau * y * x if y * (w @ x) <= 0 else w\n\nhw.q1.check(update)", /^right/],
      hint: ["hw.q1.hint()", /Hint 1/],
      solution: ["hw.q1.solution()", /def /],
    };
    for (const [kind, [code, expected]] of Object.entries(answers)) {
      await reader.write(2, code);
      await reader.run(2);
      await reader.tab.waitForTimeout(300); // Markdown is set after the run
      const text = await reader.output(2);
      if (!expected.test(text) || (kind !== "right" && /^right/.test(text))) say(`homework, ${kind} answer: ${text.slice(0, 300)}`);
      if (/hint|solution/.test(kind) && /\$|\*\*|```/.test(text)) say(`homework, ${kind}: raw Markdown: ${text.slice(0, 200)}`);
    }
    await reader.tab.reload({ waitUntil: "load" });
    const last = await reader.count();
    await reader.run(last);
    if (!/1 of 9 right/.test(await reader.output(last))) say(`homework: progress is lost over a reload: ${(await reader.output(last)).slice(0, 200)}`);
    await context.close();
  },

  async "looks"({ browser, server, say }) {
    for (const mode of ["light", "dark", "phone"]) {
      const context = await browser.newContext(MODES[mode]);
      const reader = await Reader.opens(context, server, "book/homework/adaboost.html", say);
      await reader.write(1, "import matplotlib.pyplot as plt\nprint('printed')\nplt.plot([1, 2])\nplt.show()\n1 / 0");
      await reader.run(1);
      await reader.write(2, "a_long_line = 'x' * 3 + 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy'");
      await reader.tab.evaluate(AXE);
      const found = await reader.tab.evaluate(async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
        .map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.slice(0, 2).map((node) => node.target.join(" ")).join(" | ")}`));
      for (const fault of found.filter((fault) => /^(serious|critical)/.test(fault))) say(`running [${mode}]: axe ${fault}`);
      const wide = await reader.tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (wide > 0) say(`running [${mode}]: wider than the window by ${wide} px`);
      await context.close();
    }
  },

  async "without a server"({ browser, say }) {
    const context = await browser.newContext(MODES.light);
    const tab = await context.newPage();
    tab.on("console", (m) => { if (m.type() === "error") say(`file://: console: ${m.text()}`); });
    await tab.goto(pathToFileURL(path.join(SITE, "book/perceptron.html")).href);
    await tab.getByRole("button", { name: "Run all" }).click();
    const text = await tab.locator(".live-panel").innerText();
    if (!/make serve/.test(text)) say(`file://: the panel says ${text}`);
    await context.close();
  },
};

async function runWhole({ browser, server, say, report }, name) {
  const context = await browser.newContext(MODES.light);
  const reader = await Reader.opens(context, server, name, say);
  const stored = await reader.stored();
  const began = performance.now();
  await reader.tab.getByRole("button", { name: "Run all" }).click();
  await reader.tab.waitForFunction(() => {
    const states = [...document.querySelectorAll("article .live-state")];
    return states.some((state) => state.matches(".failed")) || states.every((state) => state.matches(".done"));
  }, null, { timeout: 20 * MINUTES, polling: 250 });
  const found = await reader.stored();
  for (const [i, text] of stored.entries()) {
    if (/^error/.test(await reader.state(i + 1))) say(`${name}: cell ${i + 1} fails: ${found[i].slice(-300)}`);
    else if (!agree(text, found[i]) && !ROUNDING[name]?.includes(i + 1)) say(`${name}: cell ${i + 1} shows ${JSON.stringify(found[i].slice(0, 300))} instead of ${JSON.stringify(text.slice(0, 300))}`);
  }
  report(`${name}: ${stored.length} cells in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  await context.close();
}

// --- all of it --------------------------------------------------------------------------------------------------------
export async function testLive(browser, say, report, which = process.env.LIVE) {
  const headers = { "cache-control": "max-age=600" };
  const server = await serve({ prefix: PREFIX, headers });
  const isolated = await serve({ headers: { ...headers, "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" } });
  const surroundings = { browser, server, isolated, say, report };
  const attempt = (name, test) => test().catch((error) => say(`${name}: ${error.message.split("\n")[0]}`));
  const chosen = which === "all" ? [...pages("book"), ...pages("book/homework")]
    : which ? which.split(" ") : [...CHAPTERS.map((name) => `book/${name}.html`), "book/homework/perceptron.html"];
  for (const [name, test] of Object.entries(tests)) await attempt(name, () => test(surroundings));
  const waiting = [...chosen];
  const hand = async () => { for (let name; (name = waiting.shift());) await attempt(name, () => runWhole(surroundings, name)); };
  await Promise.all([hand(), hand()]); // two at a time
  server.close();
  isolated.close();
}

if (process.argv[1] === import.meta.filename) {
  const faults = new Set();
  const browser = await launch();
  await testLive(browser, (fault) => (faults.add(fault), console.log(fault)), console.log, process.argv.slice(2).join(" ") || undefined);
  await browser.close();
  console.log(`live pages: ${faults.size} faults`);
  process.exit(faults.size ? 1 : 0);
}
