#!/usr/bin/env bash
# Installs what is missing, builds with the address and undefined-behaviour sanitizers, runs every test and ends with
# ctest's summary. `./test.sh tsan` does the same for the tests that matter to the thread sanitizer.
set -u -o pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$ROOT" || exit 1
. scripts/install.sh

case ${1:-dev} in
  dev) PRESET=dev ;;
  tsan) PRESET=tsan ;;
  --help | -h) sed -n 's/^# //p' "$0"; exit 0 ;;
  *) echo "test.sh: unknown argument \"$1\"; give nothing, dev or tsan" >&2; exit 2 ;;
esac

install_packages run test
build "$PRESET" "$([ "$PRESET" = tsan ] && echo concurrency_tests || echo all)"
ctest --preset "$PRESET" --parallel "$(nproc)"
