// node katex_static.js path/to/katex.min.js
// One JSON request per line on stdin, one JSON answer per line on stdout; ends when stdin closes.
const katex = require(process.argv[2]);
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { tex, options } = JSON.parse(line);
  let answer;
  try {
    answer = { html: katex.renderToString(tex, options) };
  } catch (err) {
    answer = { error: err.message };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
