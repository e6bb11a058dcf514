// node pyodide_compile.mjs CORE SOURCE TARGET ARCHIVE... [--keep-sources]
// Repacks archives of Python modules with the bytecode of the page's own Python, run here in Node: a page that
// compiles nothing starts in half the time. Of packages it leaves out what no page can use.
import path from "node:path";
import { pathToFileURL } from "node:url";

const keep = process.argv.includes("--keep-sources");
const [core, source, target, ...archives] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const { loadPyodide } = await import(pathToFileURL(path.join(core, "pyodide.mjs")));
const python = await loadPyodide({ indexURL: core + path.sep });
python.mountNodeFS("/source", source);
python.mountNodeFS("/target", target);
python.runPython(`
import re, sys, zipfile
from importlib import util, _bootstrap_external

UNUSED = re.compile(
    r"(^|/)(tests?|sphinxext|sample_data|_pyinstaller|include)/"
    r"|[.](pyi|h|c|cpp|pxd|pyx|lib|a|afm|def|md)$"
    r"|mpl-data/images/|fonts/(afm|pdfcorefonts)/|backends/web_backend/"
    r"|numpy/f2py/(?!__init__[.]py)"
)
EMPTY = "numpy/f2py/__init__.py"  # needs a compiler, but SciPy imports all that NumPy has
TAG = sys.implementation.cache_tag

def bytecode(source, path):
    "The contents of a .pyc that Python takes without a look at the source."
    code = compile(source, path, "exec", dont_inherit=True, optimize=0)
    return bytes(_bootstrap_external._code_to_hash_pyc(code, util.source_hash(source), False))

def repack(name, home, keep):
    with zipfile.ZipFile("/source/" + name) as old, zipfile.ZipFile("/target/" + name, "w") as new:
        def put(path, data):
            new.writestr(zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED, 9)
        for path in old.namelist():
            library = home.endswith(".zip/")
            if path.endswith("/") or UNUSED.search(path) and not library and not keep and ".dist-info/" not in path:
                continue
            data = b"" if path == EMPTY else old.read(path)
            if not path.endswith(".py"):
                put(path, data)
            elif keep:
                folder, _, module = path.rpartition("/")
                put(path, data)
                put(f"{folder}/__pycache__/{module[:-3]}.{TAG}.pyc", bytecode(data, home + path))
            else:
                put(path + "c", bytecode(data, home + path))
`);
for (const name of archives) {
  const [major, minor] = python.runPython("sys.version_info[:2]").toJs();
  const home = name === "python_stdlib.zip" ? `/lib/python${major}${minor}.zip/` : `/lib/python${major}.${minor}/site-packages/`;
  python.globals.get("repack")(name, home, keep);
}
