#!/usr/bin/env bash
# run.sh BROWSER TEST SERVER FOLDER: runs TEST (a file beside this one) with the program BROWSER against SERVER, in
# FOLDER of the build, where npm's packages and the screenshots go. Without a browser or npm the test is skipped (77),
# with the reason; under CI that is a failure.
set -u -o pipefail
BROWSER=$1 TEST=$2 SERVER=$3 FOLDER=$4
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

missing() {
  echo "$TEST cannot be run: $1"
  if [ "${CI:-}" = true ]; then exit 1; fi
  exit 77
}

for program in "$BROWSER" node npm; do
  command -v "$program" >/dev/null || missing "$program is not installed"
done
mkdir -p "$FOLDER" || exit 1
cd "$FOLDER" || exit 1

# The tests of both browsers may run at once, and the first of them installs.
exec 9>install.lock
flock 9
cp "$HERE"/*.mjs "$HERE"/package.json "$HERE"/package-lock.json "$HERE"/.npmrc . || exit 1
if ! cmp -s package-lock.json installed.json; then
  npm ci --ignore-scripts --no-progress >npm.log 2>&1 || missing "npm ci failed: $(tail -n 3 npm.log | tr '\n' ' ')"
  cp package-lock.json installed.json
fi
flock -u 9

BROWSER=$(command -v "$BROWSER")
export BROWSER SERVER
exec node --test --test-reporter=spec "$TEST"
