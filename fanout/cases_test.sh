#!/usr/bin/env bash
# CASES.md names every case, and only tests that exist in the files it names.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")" || exit 1
FAILED=0

fail() {
  echo "CASES.md: $1" >&2
  FAILED=1
}

for case in P{1..21} C{1..4} V{1..14} F{1..10} L1 T{1..9} B{1..5}; do
  [ "$(grep -c "^| $case |" CASES.md)" = 1 ] || fail "$case does not have one line"
done

TESTS=0
while IFS='|' read -r _ case _ tests files _; do
  read -ra files <<<"$files"
  for file in "${files[@]}"; do
    [ -f "$file" ] || fail "$case: no file $file"
  done
  for test in $(grep -o '`[A-Za-z]*Test[./][A-Za-z0-9_]*`' <<<"$tests" | tr -d '`'); do
    case $test in
      */*) pattern="\"${test#*/}\"" ;;
      *) pattern="^TEST[_FP]*(${test%.*}, ${test#*.})" ;;
    esac
    grep -q -e "$pattern" "${files[@]}" || fail "$case: no $test in ${files[*]}"
    TESTS=$((TESTS + 1))
  done
done < <(grep -E '^\| [A-Z][0-9]+ \|' CASES.md)

[ "$TESTS" -gt 100 ] || fail "only $TESTS tests were found in it"
[ $FAILED = 0 ] && echo "$TESTS tests of all cases are there"
exit $FAILED
