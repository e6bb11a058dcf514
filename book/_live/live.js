// Run buttons for the code cells of a page. Python comes from this site and lives in a worker (worker.js);
// nothing of it is loaded before the first run.
(() => {
  const script = document.currentScript;
  const { page, version, megabytes } = script.dataset;
  const HERE = new URL(".", script.src);
  const EDITS = `mlcourse edits ${page}`, PROGRESS = "mlcourse progress"; // names in the browser's storage
  const KEEPS_VARIABLES = self.crossOriginIsolated; // then page and worker may share memory, and a stop is gentle

  // --- small helpers -------------------------------------------------------------------------------------------------
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }
  const button = (text, label, onclick) => make("button", { type: "button", "aria-label": label, onclick }, text);
  const seconds = (s) => (s < 0.1 ? "in no time" : `in ${s < 10 ? s.toFixed(1) : Math.round(s)} s`);

  const storage = {
    get(name) { try { return localStorage.getItem(name); } catch { return null; } },
    set(name, value) {
      try { value === null ? localStorage.removeItem(name) : localStorage.setItem(name, value); } catch { /* private mode */ }
    },
  };

  function fingerprint(text) {
    let sum = 5381;
    for (const char of text) sum = (Math.imul(sum, 33) ^ char.codePointAt(0)) >>> 0;
    return sum.toString(36);
  }

  // --- colours of Python code, in the classes of the page's own listings ---------------------------------------------
  const KEYWORDS = new Set("as assert async await break class continue def del elif else except finally for from global if import lambda nonlocal pass raise return try while with yield match case".split(" "));
  const WORDS = { in: "ow", is: "ow", and: "ow", or: "ow", not: "ow", True: "kc", False: "kc", None: "kc", self: "bp" };
  const BUILTINS = new Set("abs all any bool dict enumerate float format getattr hasattr int isinstance iter len list map max min next open pow print range repr reversed round set sorted str sum super tuple type vars zip".split(" "));
  const TOKEN = /(#[^\n]*)|([rbfuRBFU]{0,2}(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?))|(\b\d[\w.]*(?:(?<=[eE])[+-]\d+)?)|(@?[\p{L}_][\p{L}\p{N}_]*)|([-+*\/%@=<>!&|^~]+)/gu;

  function coloured(code) {
    let before = "";
    const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
    const kind = (comment, string, number, word) => {
      if (comment) return "c1";
      if (string) return "s2";
      if (number) return "mi";
      if (!word) return "o";
      if (word[0] === "@") return "nd";
      if (before === "def") return "nf";
      if (before === "class") return "nc";
      if (Object.hasOwn(WORDS, word)) return WORDS[word];
      return KEYWORDS.has(word) ? "k" : BUILTINS.has(word) ? "nb" : "n";
    };
    let html = "", at = 0;
    for (const match of code.matchAll(TOKEN)) {
      const [text, ...groups] = match;
      html += `${escape(code.slice(at, match.index))}<span class="${kind(...groups)}">${escape(text)}</span>`;
      before = text;
      at = match.index + text.length;
    }
    return html + escape(code.slice(at));
  }

  // --- a cell --------------------------------------------------------------------------------------------------------
  class Cell {
    constructor(element, number, key) {
      this.element = element;
      this.number = number;
      this.key = key;
      this.pre = element.querySelector(".cell_input pre");
      this.printed = this.pre.innerHTML; // as the page was built
      this.original = this.text = textOf(this.pre);
      this.stored = element.querySelector(":scope > .cell_output");
      this.tried = null; // the text that this Python has run
      this.addBar();
      this.pre.addEventListener("click", (event) => this.clicked(event));
      element.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.shiftKey || event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          ask(this);
        }
      });
    }

    addBar() {
      const n = this.number;
      this.runButton = button("▶ Run", `▶ Run cell ${n}`, () => ask(this));
      this.editButton = button("Edit", `Edit cell ${n}`, () => this.edit(this.text.length));
      this.resetButton = button("Reset", `Reset cell ${n}`, () => this.reset());
      this.state = make("span", { class: "live-state" });
      this.bar = make("div", { class: "live-bar" }, this.runButton, this.editButton, this.resetButton, this.state);
      const last = this.element.querySelector(":scope > details.hide, :scope > .cell_input");
      last.after(this.bar);
      this.resetButton.hidden = true;
    }

    // -- its text
    write(text) {
      this.text = text;
      const edited = text !== this.original;
      this.pre.innerHTML = edited || this.editor ? `${coloured(text)}\n` : this.printed;
      if (this.editor && this.editor.value !== text) this.editor.value = text;
      this.element.classList.toggle("live-edited", edited);
      this.resetButton.hidden = !edited && !this.output;
      this.mark(null);
    }

    clicked(event) {
      if (this.editor || !getSelection().isCollapsed || !matchMedia("(pointer: fine)").matches) return; // taps are for reading
      const caret = document.caretPositionFromPoint?.(event.clientX, event.clientY);
      const range = caret ? new Range() : document.caretRangeFromPoint?.(event.clientX, event.clientY);
      if (!range) return this.edit(this.text.length);
      if (caret) range.setEnd(caret.offsetNode, caret.offset);
      range.setStart(this.pre, 0);
      this.edit(range.toString().length);
    }

    edit(caret) {
      const box = this.element.querySelector(":scope > details.hide");
      if (box) box.open = true;
      if (!this.editor) {
        this.editor = editor(this);
        this.write(this.text);
      }
      this.editor.focus({ preventScroll: true });
      this.editor.setSelectionRange(caret, caret);
    }

    typed(text) {
      this.write(text);
      saveEdits();
    }

    reset() {
      if (this === current) return;
      this.write(this.original);
      this.output?.remove();
      this.output = null;
      if (this.stored) this.stored.hidden = false;
      this.resetButton.hidden = true;
      this.say("");
      saveEdits();
      this.editButton.focus();
    }

    mark(line) {
      this.element.querySelector(".live-mark")?.remove();
      if (!line) return;
      const style = getComputedStyle(this.pre);
      const top = parseFloat(style.paddingTop) + (line - 1) * parseFloat(style.lineHeight);
      const mark = make("span", { class: "live-mark", "aria-hidden": "true", style: `top: ${top}px; height: ${style.lineHeight}` });
      this.pre.append(mark);
    }

    // -- what it shows
    say(text, kind = "") {
      this.state.textContent = text;
      this.state.className = `live-state ${kind}`;
    }

    begin() {
      this.mark(null);
      this.say("running…", "busy");
      this.stream = null;
      this.pictures = 0;
      this.alts = [...(this.stored?.querySelectorAll("img") ?? [])].map((img) => img.alt);
      const old = this.output ?? this.stored;
      this.output = make("div", { class: "cell_output docutils container", style: `min-height: ${old?.offsetHeight ?? 0}px` });
      if (old === this.stored) this.stored?.toggleAttribute("hidden", true);
      else old.remove();
      this.bar.after(this.output); // of the old height until the cell is done, so that nothing jumps
    }

    end(ok, time) {
      this.output.style.minHeight = "";
      this.resetButton.hidden = false;
      if (ok) this.say(`done ${seconds(time)}`, "done");
    }

    print(name, text) {
      if (this.stream?.name !== name) {
        const pre = make("pre", { tabindex: "0" });
        this.output.append(make("div", { class: `output stream ${name} highlight-myst-ansi notranslate` }, make("div", { class: "highlight" }, pre)));
        this.stream = { name, pre };
      }
      this.stream.pre.append(text);
    }

    async display(data) {
      this.stream = null;
      if (data["image/png"]) return this.picture(data["image/png"]);
      const box = make("div", { class: data["text/html"] ? "output text_html" : "output text_plain highlight-myst-ansi notranslate" });
      this.output.append(box);
      if (data["text/html"]) box.innerHTML = data["text/html"];
      else if (data["text/markdown"]) (await import(new URL(`markdown.js?${version}`, HERE))).render(data["text/markdown"], box, HERE, version, coloured);
      else box.append(make("div", { class: "highlight" }, make("pre", { tabindex: "0" }, data["text/plain"])));
    }

    picture(base64) {
      const edited = this.text !== this.original;
      const alt = (!edited && this.alts[this.pictures]) || `Figure ${this.pictures + 1} drawn by cell ${this.number}${edited ? ", as you edited it" : ""}`;
      this.pictures += 1;
      const img = make("img", { src: `data:image/png;base64,${base64}`, alt });
      img.addEventListener("load", () => (img.width = Math.round(img.naturalWidth / pixels())));
      this.output.append(img);
    }

    fail({ text, line }) {
      this.stream = null;
      const place = line ? `line ${line}` : "";
      this.output.append(make("div", { class: "output live-error" }, make("pre", { tabindex: "0" }, text)));
      this.say(text === "Stopped." ? "stopped" : `error${place && ` in ${place}`}`, "failed");
      if (line) {
        const box = this.element.querySelector(":scope > details.hide");
        if (box) box.open = true;
        this.mark(line);
      }
    }
  }

  const textOf = (pre) => pre.textContent.replace(/\n$/, "");
  const pixels = () => Math.min(Math.max(devicePixelRatio, 1), 2);

  // --- the editor: a text area, transparent, over the coloured listing ------------------------------------------------
  function editor(cell) {
    const area = make("textarea", {
      "aria-label": `Code of cell ${cell.number}. Shift-Enter runs it. To leave, press Escape, then Tab.`,
      spellcheck: "false", autocapitalize: "off", autocomplete: "off", autocorrect: "off", wrap: "off",
    });
    const frame = make("div", { class: "live-editor" });
    cell.pre.replaceWith(frame);
    cell.pre.setAttribute("aria-hidden", "true");
    cell.pre.removeAttribute("tabindex");
    frame.append(cell.pre, area);
    const { font, padding, letterSpacing } = getComputedStyle(cell.pre);
    Object.assign(area.style, { font, padding, letterSpacing });
    area.value = cell.text;
    let leaving = false;
    const insert = (text) => document.execCommand("insertText", false, text) || area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    area.addEventListener("input", () => cell.typed(area.value));
    area.addEventListener("keydown", (event) => {
      const { value, selectionStart: start, selectionEnd: end } = area;
      const lineStart = value.lastIndexOf("\n", start - 1) + 1;
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (event.key === "Escape") leaving = true;
      else if (event.key === "Tab" && plain && !leaving) {
        event.preventDefault();
        if (start === end && !event.shiftKey) return insert(" ".repeat(4 - ((start - lineStart) % 4)));
        const block = value.slice(lineStart, end);
        area.setSelectionRange(lineStart, end);
        const moved = event.shiftKey ? block.replace(/^ {1,4}/gm, "") : block.replace(/^(?=.)/gm, "    ");
        insert(moved);
        area.setSelectionRange(start === end ? Math.max(lineStart, start + moved.length - block.length) : lineStart, lineStart + moved.length);
      } else if (event.key === "Enter" && plain && !event.shiftKey) {
        event.preventDefault();
        const line = value.slice(lineStart, start);
        insert("\n" + line.match(/^ */)[0] + (/:\s*(#.*)?$/.test(line) ? "    " : ""));
      } else if (event.key === "Backspace" && plain && start === end && /^ +$/.test(value.slice(lineStart, start))) {
        event.preventDefault();
        area.setSelectionRange(start - (((start - lineStart - 1) % 4) + 1), start);
        insert("");
      } else if (event.key !== "Shift") leaving = false;
    });
    return area;
  }

  // --- what the reader typed, kept over a reload ---------------------------------------------------------------------
  function saveEdits() {
    const edits = Object.fromEntries(cells.filter((cell) => cell.text !== cell.original).map((cell) => [cell.key, cell.text]));
    const any = Object.keys(edits).length > 0;
    storage.set(EDITS, any ? JSON.stringify(edits) : null);
    clearButton.hidden = !any;
  }

  function restoreEdits() {
    let edits = {};
    try { edits = JSON.parse(storage.get(EDITS)) ?? {}; } catch { /* not ours */ }
    for (const cell of cells) if (typeof edits[cell.key] === "string") cell.write(edits[cell.key]);
    clearButton.hidden = !cells.some((cell) => cell.text !== cell.original);
  }

  // --- Python: one worker, one cell at a time ------------------------------------------------------------------------
  let worker = null, ready = false, wish = null, current = null, queue = [], asked = null, clock = null;

  function ask(cell) {
    const above = cells.slice(0, cell.number - 1).filter((other) => other.tried !== other.text);
    asked = cell;
    enqueue([...above, cell]);
  }

  function runAll() {
    asked = null;
    enqueue(cells);
  }

  function enqueue(more) {
    if (location.protocol === "file:") {
      return panel.show("Running code needs a server. In the folder of the course, type make serve and open the address that it prints.");
    }
    for (const cell of more) {
      if (queue.includes(cell)) continue;
      queue.push(cell);
      if (cell !== current) cell.say("waiting", "busy");
    }
    if (!worker) start();
    else next();
  }

  function start() {
    worker = new Worker(new URL(`worker.js?v=${version}`, HERE), { type: "module" });
    worker.onmessage = ({ data }) => heard[data.kind](data);
    worker.onerror = (event) => heard.broken({ text: event.message ?? "the worker could not be started" });
    wish = KEEPS_VARIABLES ? new Int32Array(new SharedArrayBuffer(4)) : null;
    const codes = queue.map((cell) => cell.text);
    worker.postMessage({ start: { codes, progress: storage.get(PROGRESS), buffer: wish?.buffer } });
    panel.show("Starting Python…", true);
  }

  function next() {
    if (!ready || current || !queue.length) return;
    current = queue.shift();
    current.begin();
    current.tried = current.text;
    worker.postMessage({ run: { cell: current.number, code: current.text }, pixels: pixels() });
  }

  const heard = {
    starting() { panel.show("Starting Python…", true); },
    loading({ loaded, total }) { panel.progress(loaded, total); },
    packages({ names }) { panel.show(names.length ? `Loading ${names.join(", ")}…` : "Loading packages…", true); },
    ready() { ready = true; next(); },
    running() {
      const began = performance.now(), cell = current;
      const tick = () => {
        const time = (performance.now() - began) / 1000, left = queue.length ? `, ${queue.length} to go` : "";
        panel.show(`Running cell ${cell.number}${left}…${time > 2 ? ` ${Math.floor(time)} s` : ""}`, true, time > 2);
      };
      clearInterval(clock);
      clock = setInterval(tick, 1000);
      tick();
    },
    stream({ name, text }) { current?.print(name, text); },
    display(data) { current?.display(data); },
    error(data) { current?.fail(data); },
    done({ ok, seconds: time, progress }) {
      const cell = current;
      current = null;
      clearInterval(clock);
      cell.end(ok, time);
      if (progress) storage.set(PROGRESS, progress);
      forgetButton.hidden = !forgettable();
      if (ok && queue.length) return next();
      const failedAbove = !ok && asked && cell !== asked && queue.includes(asked);
      dropQueue();
      if (failedAbove) asked.say(`not run: cell ${cell.number} above failed; Run again goes on without it`, "failed");
      if (!ok) panel.show(`Cell ${cell.number} ended with an error.`);
      else panel.show(`Done ${seconds(time)}.`);
    },
    broken({ text }) {
      const started = ready;
      end("Python broke down.");
      panel.show(started ? `Python broke down (${text}). The next run starts it again, with the cells above.`
        : `Python could not be started: ${text}`);
    },
  };

  function dropQueue() {
    for (const cell of queue) cell.say("");
    queue = [];
  }

  function end(reason = "Stopped.") {
    worker?.terminate();
    worker = null;
    ready = false;
    clearInterval(clock);
    if (current) {
      current.fail({ text: reason, line: null });
      current.end(false);
    }
    current = null;
    dropQueue();
    for (const cell of cells) cell.tried = null;
  }

  function stop() {
    dropQueue();
    const stopped = current;
    const forGood = () => {
      end();
      panel.show("Stopped. Python was ended, and its variables with it: the next run starts with the cells above.");
    };
    if (!wish || !stopped) return forGood();
    Atomics.store(wish, 0, 1); // Python raises KeyboardInterrupt, unless it is deep in a computation
    setTimeout(() => { if (current === stopped) forGood(); }, 2000);
  }

  function restart() {
    end();
    panel.show("Python was ended. The next run starts it again, with the cells above.");
  }

  // --- the panel at the foot of the window ---------------------------------------------------------------------------
  class Panel {
    constructor() {
      this.text = make("span", { role: "status" });
      this.bar = make("progress", { "aria-label": "Loading Python", max: "1" });
      this.size = make("span", { class: "live-size" });
      this.stop = button("■ Stop", "■ Stop running", stop);
      this.restart = button("Restart", "Restart Python", restart);
      this.close = button("×", "× Close", () => (this.element.hidden = true));
      this.element = make("div", { class: "live-panel" }, this.text, this.bar, this.size, this.stop, this.restart, this.close);
      this.element.hidden = true;
      document.body.append(this.element);
    }

    show(text, busy = false, quiet = false) {
      this.element.hidden = false;
      this.text.setAttribute("aria-live", quiet ? "off" : "polite"); // a clock that ticks aloud disturbs
      this.text.textContent = text;
      this.bar.hidden = this.size.hidden = true;
      this.stop.hidden = !busy;
      this.restart.hidden = busy || !worker;
      this.close.hidden = busy;
    }

    progress(loaded, total) {
      this.bar.hidden = this.size.hidden = loaded >= total;
      this.bar.value = loaded / total;
      this.size.textContent = `${(loaded / 1e6).toFixed(1)} of ${(total / 1e6).toFixed(1)} MB`;
    }
  }

  // --- the page ------------------------------------------------------------------------------------------------------
  const homework = page.includes("homework/");
  const forgettable = () => homework && storage.get(PROGRESS) !== null;
  const panel = new Panel();
  const seen = {};
  const cells = [...document.querySelectorAll("article div.cell:has(.cell_input pre)")].map((element, i) => {
    const print = fingerprint(textOf(element.querySelector(".cell_input pre")));
    seen[print] = (seen[print] ?? 0) + 1;
    return new Cell(element, i + 1, `${print}.${seen[print]}`);
  });
  const clearButton = button("Clear my edits", "Clear my edits", () => {
    for (const cell of cells) if (cell.text !== cell.original) cell.reset();
    runAllButton.focus();
  });
  const forgetButton = button("Forget my progress", "Forget my progress", () => {
    storage.set(PROGRESS, null);
    end();
    forgetButton.hidden = true;
    panel.show("Your progress in the homework is forgotten.");
  });
  forgetButton.hidden = !forgettable();
  const runAllButton = button("▶ Run all", "▶ Run all cells", runAll);
  const how = make("a", { href: new URL("../../book/how-to.html#run-in-the-page", HERE) }, "how this works");
  const intro = make("span", {}, "Run the cells, edit them, run again: in your browser, nothing is sent anywhere. The first run "
    + `loads Python, up to ${megabytes} MB (`, how, ").");
  document.querySelector("article h1")?.after(make("div", { class: "live-page" }, runAllButton, clearButton, forgetButton, intro));
  restoreEdits();
  window.addEventListener("pageshow", restoreEdits);
})();
