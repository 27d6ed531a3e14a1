#!/usr/bin/env bash
# Installs what is missing, builds, measures every framework, and ends with a table and the paths of the charts.
set -u -o pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$ROOT" || exit 1
. scripts/install.sh

usage() {
  cat <<'EOF'
usage: ./run.sh [--profile quick|seed|full|smoke] [--suite all|echo|fanout] [--frameworks REGEX] [--repetitions N]
                [--out DIR] [--build-only] [--help]

  --profile NAME      quick  every framework, about 7 minutes (default)
                      seed   the published suite's load: 100,000 calls at once, ten repetitions, all client counts;
                             about an hour
                      full   seed, and 32,000 in flight, bursts and native timers at all client counts; hours
                      smoke  whether everything runs, a minute; its figures mean nothing
  --suite NAME        echo   the RPC frameworks
                      fanout server push over SSE
                      all    both (default)
  --frameworks REGEX  only those whose name the expression finds (default: all)
  --repetitions N     of seed and full (default: 10)
  --out DIR           where the run goes, seen from the repository (default: results/runs/<date>-<host>)
  --build-only        install and build, and stop
EOF
}

bad_usage() {
  echo "run.sh: $1" >&2
  exit 2
}

PROFILE=quick SUITE=all FRAMEWORKS='.*' REPETITIONS=10 OUT='' BUILD_ONLY=no
while [ $# -gt 0 ]; do
  case $1 in
    --profile | --suite | --frameworks | --repetitions | --out)
      [ $# -ge 2 ] || bad_usage "$1 needs a value; --help says which"
      case $1 in
        --profile) PROFILE=$2 ;;
        --suite) SUITE=$2 ;;
        --frameworks) FRAMEWORKS=$2 ;;
        --repetitions) REPETITIONS=$2 ;;
        --out) OUT=$2 ;;
      esac
      shift 2 ;;
    --build-only) BUILD_ONLY=yes; shift ;;
    --help | -h) usage; exit 0 ;;
    *) bad_usage "unknown flag $1; there are --profile, --suite, --frameworks, --repetitions, --out, --build-only, --help" ;;
  esac
done
case $PROFILE in
  smoke | quick | seed | full) ;;
  *) bad_usage "unknown profile \"$PROFILE\"; there are quick, seed, full, smoke" ;;
esac
case $SUITE in
  all | echo | fanout) ;;
  *) bad_usage "unknown suite \"$SUITE\"; there are all, echo, fanout" ;;
esac
[[ $REPETITIONS =~ ^[1-9][0-9]{0,2}$ ]] || bad_usage "--repetitions $REPETITIONS: give a number of 1 to 999"

main() {
install_packages run
build release qps fixed hol echo_server board encoders push sse_load sse_events sse_server manifest summarize plots \
  compare
[ "$BUILD_ONLY" = yes ] && exit 0
BIN=build/release/bin
"$BIN/qps" --frameworks "$FRAMEWORKS" --benchmark_list_tests >/dev/null || exit 2

OUT=${OUT:-results/runs/$(date +%Y-%m-%dT%H-%M-%S)-$(hostname)}
[ -e "$OUT/manifest.json" ] && bad_usage "$OUT holds a run already; give another --out"
mkdir -p "$OUT" || exit 1
"$BIN/manifest" --out "$OUT/manifest.json" --profile "$PROFILE" || exit 1

# Ctrl-C: the program that runs ends in order and keeps its finished rows; the rest is left out.
STATUS=0 INTERRUPTED=no
trap 'INTERRUPTED=yes' INT TERM

# measure PROGRAM FILE AFTER FLAG...: AFTER is about how many seconds the programs after this one take.
measure() {
  local program=$1 file=$2 after=$3
  shift 3
  [ "$INTERRUPTED" = yes ] && return
  echo "== $program -> $OUT/$file" >&2
  "$BIN/$program" --after "$after" --benchmark_out="$OUT/$file" "$@" || STATUS=1
}

REPEAT="--benchmark_repetitions=$REPETITIONS --benchmark_enable_random_interleaving=true"
SWEEP="--clients 4 --in-flight 250,500,1000,2000,4000,8000,16000,32000 --burst 0 --timeout 20s"

measure_echo() {
  local only=(--frameworks "$FRAMEWORKS")
  case $PROFILE in
    smoke)
      measure qps qps/benchmark.json 60 "${only[@]}" --clients 2 --in-flight 100 --burst 50 --benchmark_min_time=0.05
      measure fixed fixed/benchmark.json 50 "${only[@]}" --clients 2 --calls 2000 --small-calls 4 \
        --benchmark_min_time=0.01
      measure hol hol/benchmark.json 20 "${only[@]}" --benchmark_min_time=0.05 ;;
    quick)
      measure qps qps/benchmark.json 265 "${only[@]}" --clients 4,16 --burst 0 --timeout 20s --benchmark_min_time=0.4
      measure fixed fixed/benchmark.json 180 "${only[@]}" --clients 16 --benchmark_min_time=0.05
      measure hol hol/benchmark.json 100 "${only[@]}" --benchmark_min_time=0.4 ;;
    seed | full)
      if [ "$PROFILE" = seed ]; then
        measure qps qps/benchmark.json 1800 "${only[@]}" --in-flight 2000 --burst 0 --benchmark_min_time=0.25 $REPEAT
      else
        measure qps qps/benchmark.json 9000 "${only[@]}" --in-flight 2000,32000 --benchmark_min_time=1 $REPEAT
        measure qps qps/native_timer.json 8000 "${only[@]}" --delay-source native --in-flight 2000 --burst 0 $REPEAT
      fi
      measure qps qps/sweep.json 1600 "${only[@]}" $SWEEP --benchmark_min_time=0.25
      measure hol hol/benchmark.json 1500 "${only[@]}" --benchmark_repetitions=$(((REPETITIONS + 2) / 3))
      measure fixed fixed/benchmark.json 0 "${only[@]}" --small-calls 16 --benchmark_min_time=0.05 $REPEAT ;;
  esac
}

measure_fanout() {
  case $PROFILE in
    smoke)
      measure board fanout/board.json 15 --streams 20 --warm-up 500ms --benchmark_min_time=0.5
      measure encoders fanout/encoders.json 10 --streams 4 --ticks 20
      measure push fanout/push.json 0 --streams 20 --connect-streams 200 --benchmark_min_time=0.5 ;;
    quick)
      measure board fanout/board.json 60 --streams 100,200 --warm-up 1s --benchmark_min_time=3 \
        --benchmark_filter='zstd/full/.*:200$|brotli/full/cohort/.*:200$|brotli/full/.*/sink/streams:100$'
      measure encoders fanout/encoders.json 35 --streams 40 --ticks 100 \
        --benchmark_filter='(zstd_[137](_shared)?|zstd_1_lowmem|brotli_[45])/(window:19|streams:20)$'
      measure push fanout/push.json 0 --streams 200,2000 --benchmark_min_time=4 ;;
    seed)
      measure board fanout/board.json 420 --streams 1,100,200,1000,5000 \
        --benchmark_filter='streams:200$|(zstd/full/|brotli/full/cohort).*:(1|1000|5000)$|brotli/full/.*/sink/streams:100$'
      measure encoders fanout/encoders.json 180 --ticks 60
      measure push fanout/push.json 0 ;;
    full)
      measure board fanout/board.json 600 --streams 1,100,200,1000,5000 --benchmark_repetitions=$(((REPETITIONS + 2) / 3))
      measure encoders fanout/encoders.json 300 --benchmark_repetitions=$(((REPETITIONS + 2) / 3))
      measure push fanout/push.json 0 --benchmark_repetitions=$(((REPETITIONS + 2) / 3)) ;;
  esac
}

[ "$SUITE" = fanout ] || measure_echo
[ "$SUITE" = echo ] || measure_fanout

trap - INT TERM
"$BIN/summarize" --in "$OUT" || STATUS=1
"$BIN/plots" --in "$OUT" >"$OUT/plots.log" || STATUS=1
"$BIN/compare" "$OUT" || STATUS=1
echo
echo "run:    $OUT"
echo "charts: $OUT/charts (PNG and SVG)"
[ "$INTERRUPTED" = yes ] && { echo "interrupted: the rows that were finished are there" >&2; STATUS=1; }
exit $STATUS
}

# In a function, so that an edit of this file does not reach a run that is under way.
main
