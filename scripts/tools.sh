# shellcheck shell=bash
# Sourced by the scripts beside it: finds or installs what they need. Installs go below target/tools
# and are repeated only when the file that pins them changes. Works with bash 3.2, which macOS has.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TOOLS=${MCP_TOOLS_DIR:-$ROOT/target/tools}
LOGS=$TOOLS/log
TARGET=${CARGO_TARGET_DIR:-$ROOT/target}
mkdir -p "$LOGS"

fail() {
    printf '\nFAILED: %s\n' "$*" >&2
    exit 1
}

# Runs a named step, tells how long it took, and ends the script when it fails.
STEP_TIMES=
step() {
    local name=$1 begin=$SECONDS code=0 took
    shift
    printf '\n==> %s\n    %s\n' "$name" "$*"
    "$@" || code=$?
    took=$((SECONDS - begin))
    STEP_TIMES="$STEP_TIMES$(printf '%6d s  %s' "$took" "$name")"$'\n'
    if [ "$code" -ne 0 ]; then
        printf '\nTime per step:\n%s' "$STEP_TIMES"
        fail "step \"$name\" ended with exit code $code after $took s. Its command: $*"
    fi
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo -n "$@"
    fi
}

# Installs Debian packages; tells what to install by hand where that is not possible.
apt_install() {
    command -v apt-get >/dev/null || fail "please install: $*"
    echo "installing with apt-get: $*"
    { as_root apt-get update -q && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@"; } >"$LOGS/apt.log" 2>&1 || {
        tail -n 20 "$LOGS/apt.log" >&2
        fail "apt-get could not install: $* (run this script as root, or install them yourself)"
    }
}

need_compiler() {
    command -v cargo >/dev/null || fail "no Rust toolchain found: install Rust first"
    command -v cc >/dev/null || apt_install build-essential
}

# cargo_install ROOT CRATE@VERSION: becomes `cargo install`, at low priority so that it can run beside other work.
cargo_install() {
    exec nice -n 10 env -u CARGO_TARGET_DIR cargo install --locked --quiet --root "$1" "$2"
}

# The Rust test runner: whichever version is there, otherwise one below target/tools.
need_nextest() {
    export PATH="$PATH:$TOOLS/cargo/bin"
    command -v cargo-nextest >/dev/null && return
    echo "installing cargo-nextest"
    (cargo_install "$TOOLS/cargo" cargo-nextest@0.9.143) || fail "could not install cargo-nextest"
}

# npm_folder FOLDER: installs what FOLDER/package-lock.json pins, and links it to FOLDER/node_modules.
npm_folder() {
    local folder=$1 place
    place=$TOOLS/npm/$(echo "$folder" | tr / -)
    if ! cmp -s "$ROOT/$folder/package-lock.json" "$place/installed-lock.json"; then
        command -v npm >/dev/null || apt_install npm
        echo "installing the npm packages of $folder"
        rm -rf "$place"
        mkdir -p "$place"
        cp "$ROOT/$folder/package.json" "$ROOT/$folder/package-lock.json" "$ROOT/$folder/.npmrc" "$place/"
        # Install scripts stay off: none of these packages needs one.
        (cd "$place" && npm ci --ignore-scripts) >"$LOGS/npm.log" 2>&1 || {
            tail -n 30 "$LOGS/npm.log" >&2
            fail "npm could not install the packages of $folder"
        }
        cp "$place/package-lock.json" "$place/installed-lock.json"
    fi
    ln -sfn "$place/node_modules" "$ROOT/$folder/node_modules"
}

# Puts Node 22 first on the PATH: the pinned one where it exists for this machine.
need_node22() {
    local version
    npm_folder tests/node22
    rm -f "$ROOT/tests/node22/node_modules"
    if [ -x "$TOOLS/npm/tests-node22/node_modules/.bin/node" ]; then
        export PATH="$TOOLS/npm/tests-node22/node_modules/.bin:$PATH"
    fi
    version=$(node --version 2>/dev/null) || fail "no Node.js could be installed: please install Node 22 or newer"
    version=${version#v}
    [ "${version%%.*}" -ge 22 ] || fail "Node $version is too old and none could be installed: please install Node 22 or newer"
}

# Makes the Python environment of tests/interop/python; its interpreter is $PYTHON.
need_python() {
    local base=python3 place=$TOOLS/python pins=$ROOT/tests/interop/python/requirements.txt
    PYTHON=$place/bin/python
    export PYTHON
    cmp -s "$pins" "$place/installed-requirements.txt" && return
    "$base" -c 'import ensurepip, venv' 2>/dev/null || apt_install python3 python3-venv
    "$base" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || fail "Python 3.10 or newer is needed"
    echo "installing the Python packages of tests/interop/python"
    rm -rf "$place"
    { "$base" -m venv "$place" && "$PYTHON" -m pip install -q --disable-pip-version-check --require-hashes -r "$pins"; } >"$LOGS/pip.log" 2>&1 || {
        tail -n 20 "$LOGS/pip.log" >&2
        fail "pip could not install the packages of tests/interop/python"
    }
    cp "$pins" "$place/installed-requirements.txt"
}

# Finds a Chromium, or installs Debian's; it is $CHROMIUM.
need_chromium() {
    local name
    [ -z "${CHROMIUM:-}" ] || { export CHROMIUM && return; }
    for name in chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Chromium.app/Contents/MacOS/Chromium" "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
        CHROMIUM=$(command -v "$name") && export CHROMIUM && return
    done
    command -v apt-get >/dev/null || fail "no browser found: please install Chromium, or name one in CHROMIUM"
    apt_install chromium
    CHROMIUM=$(command -v chromium) || fail "the package chromium has no program of this name; name a browser in CHROMIUM"
    export CHROMIUM
}

# need_example NAME: builds an example; its path is $EXAMPLE. Packages and features are those of the tests, so that
# after them nothing is left to build.
need_example() {
    EXAMPLE=$TARGET/debug/examples/$1
    (cd "$ROOT" && cargo build --workspace --all-features --example "$1") || fail "the example \"$1\" does not build"
}

# Builds the example server that shows cards; its path is $CARDS.
need_cards() {
    need_example cards
    CARDS=$EXAMPLE
}

# Builds the example server that carries the test fixture; its path is $EVERYTHING.
need_everything() {
    need_example everything
    EVERYTHING=$EXAMPLE
}
