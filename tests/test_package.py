"""The wheel builds, installs alone and carries its data; the package keeps its promises to importers."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tarfile
import zipfile
from functools import cache
from pathlib import Path

import pytest

import playmill
from common.found import PACKAGE, needs_sources

ROOT = Path(__file__).parent.parent
SOURCES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.long
@needs_sources
def test_the_wheel_is_made_of_the_sdist_installs_alone_and_runs(tmp_path):
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    with tarfile.open(next(tmp_path.glob("playmill-*.tar.gz"))) as packed:
        shipped = {name.partition("/")[2] for name in packed.getnames()}
    wanted = (
        "CHANGELOG.md",
        "CITATION.cff",
        "Containerfile",
        "LICENSE",
        "tests/conftest.py",
        "docs/agents.md",
        "tools/release.py",
    )
    assert [name for name in wanted if name not in shipped] == []
    wheel = next(tmp_path.glob("playmill-*.whl"))
    names = set(zipfile.ZipFile(wheel).namelist())
    for path in PACKAGE.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            assert path.relative_to(PACKAGE.parent).as_posix() in names
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site)]
    subprocess.run([*install, str(wheel)], check=True)
    code = f"import sys; sys.path.insert(0, {str(site)!r}); import playmill; print(playmill.__file__)\n"
    code += "from playmill.cli import main; sys.exit(main(['games']))"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert str(site) in done.stdout
    assert "dimensions" in done.stdout


def test_every_public_name_is_there():
    for name in playmill.__all__:
        assert getattr(playmill, name) is not None
    # What a game is made of, and the verbs of the laboratory.
    assert len(playmill.__all__) <= 31
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = playmill.nonsense


def test_the_version_stands_once():
    assert f'version = "{playmill.__version__}"' in (ROOT / "pyproject.toml").read_text()


@cache
def _nodes(path: Path) -> list[ast.Import | ast.ImportFrom | ast.Call]:
    """What a module imports and calls, wherever in it: several tests look at all modules."""
    tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [node for node in tree if isinstance(node, (ast.Import, ast.ImportFrom, ast.Call))]


def _imports(path: Path) -> set[str]:
    found = set()
    for node in _nodes(path):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("playmill."):
            found.add(node.module.split(".")[1])
    return found


def test_imports_go_one_way():
    allowed = {
        "cli": {"starters", "web", "lab", "report", "agents", "games", "engine", "stats"},
        "author": {"defaults", "drawing", "report", "engine"},
        "web": {"defaults", "lab", "report", "agents", "drawing", "engine", "stats"},
        "adapters": {"lab", "agents", "engine"},
        "lab": {"report", "agents", "games", "engine", "stats"},
        "report": {"agents", "games", "engine", "stats"},
        "games": {"author", "drawing"},
        "starters": {"engine"},
        "defaults": {"report", "drawing", "engine"},
        "agents": {"engine", "games"},
        "engine": set(),
        "stats": set(),
        "drawing": set(),
    }
    for path in SOURCES:
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if room in allowed:
            strangers = (
                _imports(path) - allowed[room] - {room, "home", "interrupts", "stdio", "texts", "toml", "version"}
            )
            assert not strangers, f"{path.name} imports {strangers}"


#: Sub-packages, each of which imports only from those before it; but for the GPU, which is loaded when it is asked for.
LAYERS = {
    "engine": ("lang", "errors", "config", "contract", "lint", "kernels", "compile", "run", "cuda", "check"),
    "lab": ("io", "runs", "audit", "decide", "learn", "replays", "sql", "contests", "jobs", "bench"),
    "web": ("access", "page", "saved", "table", "agents", "live", "replay", "play", "lab", "server", "contest"),
}


@pytest.mark.parametrize("package", LAYERS)
def test_sub_packages_import_only_from_those_before_them(package):
    order, wrong = LAYERS[package], []
    for path in (PACKAGE / package).rglob("*.py"):
        mine = path.relative_to(PACKAGE / package).parts[0]
        for node in _nodes(path):
            parts = (getattr(node, "module", "") or "").split(".")
            if parts[:2] == ["playmill", package] and len(parts) > 2 and order.index(parts[2]) > order.index(mine):
                wrong.append((str(path.relative_to(PACKAGE)), ".".join(parts)))
    assert wrong in ([], [("engine/run/backends.py", "playmill.engine.cuda.backend")])


@pytest.mark.parametrize("page", ["architecture.md", "ru/architecture.md"])
def test_the_page_of_the_architecture_names_these_layers(page):
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for package, order in LAYERS.items():
        (row,) = re.findall(rf"^\| `{package}` \|.*$", text, re.MULTILINE)
        assert ", ".join(f"`{name}`" for name in order) in row, package


def test_games_import_nothing_but_what_is_there_for_authors():
    examples = [
        path for name in ("pig", "kuhn", "leduc", "connect4") for path in (ROOT / "examples" / name).glob("*.py")
    ]
    for path in [*(PACKAGE / "games").glob("*/**/*.py"), *examples]:
        for node in _nodes(path):
            module = getattr(node, "module", "") or ""
            if module.partition(".")[0] == "playmill" and module != "playmill":
                assert module.startswith(("playmill.author", "playmill.drawing", "playmill.games")), f"{path}: {module}"


def _modules_imported(path: Path, names: dict[str, Path]) -> set[Path]:
    """The package's own modules that a module names in an import, at its head or inside a function."""
    found = set()
    for node in _nodes(path):
        if isinstance(node, ast.ImportFrom):
            wholes = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {whole if whole in names else str(node.module) for whole in wholes}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {names[name] for name in found if name in names} - {path}


def test_no_module_imports_itself_by_way_of_others():
    names = {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for path in SOURCES
        if path.parent.name != "playmill"  # `import playmill` asks for nothing before it is used
    }
    left = {path: _modules_imported(path, names) for path in names.values()}
    while leaves := [path for path, imported in left.items() if not imported & left.keys()]:
        for path in leaves:
            del left[path]
    assert not left, f"a circle among {sorted(str(path.relative_to(PACKAGE)) for path in left)}"


def test_the_engine_knows_no_game():
    for path in (PACKAGE / "engine").rglob("*.py"):
        for name in playmill.game_names():
            assert f"games.{name}" not in path.read_text(encoding="utf-8"), path.name


def test_no_user_text_is_evaluated_or_unpickled():
    for path in SOURCES:
        for node in _nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec"), path.name
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                names = [alias.name for alias in node.names] + [getattr(node, "module", "") or ""]
                assert "pickle" not in names, path.name


def test_our_own_errors_speak_both_languages():
    for path in SOURCES:
        for node in _nodes(path):
            name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
            least = {"PlaymillError": 2, "ConfigError": 3}.get(name, 0)
            unpacked = least and any(isinstance(one, ast.Starred) for one in node.args)
            assert not least or unpacked or len(node.args) >= least, f"{path.name}:{node.lineno}"
