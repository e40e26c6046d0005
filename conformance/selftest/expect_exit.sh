#!/bin/sh
# expect_exit.sh CODE COMMAND…: succeeds when the command ends with exactly that code.
expected="$1"
shift
"$@"
code=$?
[ "$code" -eq "$expected" ] && exit 0
echo "exit code $code, expected $expected: $*" >&2
exit 1
