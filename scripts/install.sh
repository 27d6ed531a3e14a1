# Sourced by run.sh and test.sh: install_packages GROUP... installs what packages.txt lists for these groups and is
# missing. Does nothing, quickly, where all is there.

install_packages() {
  local wanted missing=() package groups
  groups=$(IFS='|'; echo "$*")
  wanted=$(awk -v groups="^(${groups})$" '$1 ~ groups { print $2 }' "$ROOT/packages.txt")
  for package in $wanted; do
    # A nodejs from elsewhere brings its own npm, and cannot live with Debian's.
    [ "$package" = npm ] && command -v npm >/dev/null && continue
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local sudo=()
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -v 2>/dev/null; then
      sudo=(sudo)
    else
      echo "These Debian packages are missing, and this is neither root nor able to sudo. Install them and start again:" >&2
      echo "  apt-get install ${missing[*]}" >&2
      exit 1
    fi
  fi
  echo "installing ${#missing[@]} packages: ${missing[*]}" >&2
  local log policy=/usr/sbin/policy-rc.d made_policy=no failed=no
  log=$(mktemp)
  # Debian starts a web server as soon as it is installed, on all addresses: not on our account.
  if [[ " ${missing[*]} " == *" nginx-light "* ]] && [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | "${sudo[@]}" install -m 755 /dev/stdin "$policy" && made_policy=yes
  fi
  { "${sudo[@]}" apt-get update && "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 || failed=yes
  [ $made_policy = yes ] && "${sudo[@]}" rm -f "$policy"
  if [ $failed = yes ]; then
    tail -20 "$log" >&2
    echo "apt-get could not install: ${missing[*]}" >&2
    exit 1
  fi
  rm -f "$log"
}

# build PRESET TARGET...: configures once, builds what has changed.
build() {
  local preset=$1
  shift
  if [ ! -f "$ROOT/build/$preset/build.ninja" ]; then
    cmake -S "$ROOT" --preset "$preset" >"$ROOT/.configure.log" 2>&1 || {
      tail -20 "$ROOT/.configure.log" >&2
      echo "configure failed; the whole log is in .configure.log" >&2
      exit 1
    }
    rm -f "$ROOT/.configure.log"
  fi
  cmake --build "$ROOT/build/$preset" --target "$@" >&2 || exit 1
}
