#!/bin/bash
# command_line.sh STREAMPOOL FOLDER: the command as a user meets it: help, typing errors, exit codes, interruption.
set -u
streampool="$1"
work="$(mktemp -d "$2/command-line-XXXXXX")"
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

# expect CODE TEXT COMMAND…: the exit code, and a text in what is printed.
expect() {
  local code="$1" text="$2" output actual
  shift 2
  output="$("$@" 2>&1)"
  actual=$?
  if [ "$actual" -ne "$code" ] || [[ "$output" != *"$text"* ]]; then
    echo "FAILED: $*: exit code $actual, expected $code; expected to read: $text"
    echo "$output" | head -20
    failures=$((failures + 1))
  fi
}

expect 0 "Example" "$streampool" --help
expect 2 "Commands" "$streampool"
expect 0 "specification" "$streampool" --version
for command in run list judge record explain replay minimize fuzz clauses profiles runtimes doctor report package verify prove mutants; do
  expect 0 "Example" "$streampool" "$command" --help
  expect 0 "Usage: streampool $command" "$streampool" help "$command"
  expect 0 "Exit code" "$streampool" "$command" --help
done
expect 2 "did you mean 'judge'" "$streampool" jugde
expect 2 "did you mean '--profile'" "$streampool" run --profil strict
expect 2 "did you mean '--help'" "$streampool" --hepl
expect 2 "--runtime needs NAME|PATH" "$streampool" run --runtime
expect 2 "--seed is given more than once" "$streampool" run --seed 1 --seed 2
expect 2 "takes at most 3" "$streampool" profiles diff a b c
expect 2 "behind \`--\`" "$streampool" record --output f ./program
expect 2 "did you mean 'trim_waits'" "$streampool" run --runtime mutant:trim_wait
expect 0 "trim_waits" "$streampool" mutants --list --filter 'trim_*'
expect 2 "cannot load the runtime" "$streampool" run --runtime /etc/hostname
expect 2 "with variant=x: invalid_value" "$streampool" run --runtime host:x
expect 2 "no case matches --filter 'nothing*'" "$streampool" run --filter 'nothing*'
expect 2 "no case matches" "$streampool" list --filter 'nothing*'
expect 2 "expected 1 to" "$streampool" run --jobs 0
printf 'name = 3\n' > bad.toml
expect 2 "bad.toml:1" "$streampool" run --profile ./bad.toml
expect 2 "expected [[waiver]]" "$streampool" run --waivers bad.toml
expect 2 "cannot read" "$streampool" run --waivers missing.toml
expect 2 "did you mean 'strict'" "$streampool" run --profile strikt
expect 2 "did you mean 'host'" "$streampool" run --runtime hots
expect 2 "did you mean 'directed'" "$streampool" run --suite direct
expect 2 "Runtimes that are here" "$streampool" run --runtime nothing-like-it
expect 2 "there is no file" "$streampool" run --runtime ./missing.so
expect 2 "whole number" "$streampool" run --seed many
expect 2 "1 <= i <= n" "$streampool" run --shard 3/2
expect 2 "output folder" "$streampool" run --out /proc/nothing
expect 2 '{"error"' "$streampool" run --runtime nothing-like-it --json
expect 2 "did you mean 'REUSE-UNSAFE'" "$streampool" clauses REUSE-UNSAVE
expect 2 "did you mean 'REUSE-UNSAFE'" "$streampool" clauses reuse-unsafe
expect 0 "must-not" "$streampool" clauses REUSE-UNSAFE
expect 0 "needed for: runtime ascend" "$streampool" doctor
expect 0 "cuda-13" "$streampool" profiles
expect 0 "alignment" "$streampool" profiles diff strict ascend-9.1-beta-as-built
expect 0 "reuse/same_stream" "$streampool" list --filter 'reuse/*'

printf 'streampool-history 1\nstream_create s1 nonblocking\npool_create p\nmalloc a 1 p s1 -> ok 0x1000\nmalloc b 1 p s1 -> ok 0x1000\n' > overlap.pool
printf 'streampool-history 1\nstream_create s1 nonblocking\nstream_query s1 -> ok\n' > good.pool
printf 'streampool-history 1\nstream_create s1 sideways\n' > bad.pool
head -c 100000 /dev/urandom > junk.pool
expect 1 "ALLOC-OVERLAP" "$streampool" judge overlap.pool
expect 0 "conformant" "$streampool" judge good.pool
expect 1 "ALLOC-OVERLAP" "$streampool" judge good.pool overlap.pool
expect 2 "malformed" "$streampool" judge overlap.pool bad.pool
expect 2 "malformed" "$streampool" judge junk.pool
expect 2 "malformed" "$streampool" judge missing.pool
expect 1 '"verdict":"violation"' "$streampool" judge --json overlap.pool
expect 2 '"clause":null' "$streampool" judge --json bad.pool
expect 0 "conformant" "$streampool" judge - < good.pool
expect 2 "did you mean" "$streampool" judge --profile strikt good.pool
expect 2 "no call on line 99" "$streampool" explain --line 99 good.pool
expect 0 '"clause":"ALLOC-OVERLAP"' "$streampool" explain --json overlap.pool
expect 1 "does not fail" "$streampool" minimize good.pool --runtime host

expect 0 "CONFORMANT" "$streampool" run --runtime host --suite directed,litmus --shard 1/2 --out a
expect 0 "CONFORMANT" "$streampool" run --runtime host --suite directed,litmus --shard 2/2 --out b
expect 0 "CONFORMANT" "$streampool" report a b --out merged
expect 0 "complete: all" "$streampool" package merged --out sub.tar
expect 0 "valid" "$streampool" verify sub.tar
expect 0 "not complete" "$streampool" package a --out half.tar
expect 1 "were not run" "$streampool" verify half.tar
sed 's/"pass"/"Pass"/' sub.tar > forged.tar
expect 1 "changed after it was packed" "$streampool" verify forged.tar
expect 1 "NOT CONFORMANT" "$streampool" run --runtime null --suite directed --filter 'allocation/*' --out null
replayed="$(ls null/failures/*.pool | head -1)"
expect 1 "fail" "$streampool" replay "$replayed" --runtime null
expect 0 "pass" "$streampool" replay "$replayed" --runtime host
expect 1 "violation" "$streampool" judge "$replayed"
# A call that returned too early on one runtime waits on a right one, and there is no line that lets it go.
printf 'streampool-history 1\nstream_create s nonblocking\ngate_create g\ngate_hold s g\nstream_sync s -> ok\n' > early.pool
expect 1 "ORDER-EARLY" "$streampool" replay early.pool --runtime null
expect 3 "as it must" "$streampool" replay early.pool --runtime host

# Runtimes around others: what is printed, and what two of them must answer alike.
printf 'streampool-history 1\npool_create p\npool_set p release_threshold 7\npool_get p release_threshold\npool_get p used_mem_current\n' > threshold.pool
expect 0 "pool_get p release_threshold -> ok 7" "$streampool" replay threshold.pool --runtime trace:host
expect 0 "pool_get p release_threshold -> ok 7 wrote=8 | ok unwritten" "$streampool" replay threshold.pool --runtime shadow:host:null
expect 2 "shadow needs two runtimes" "$streampool" replay threshold.pool --runtime shadow:host
output="$("$streampool" replay threshold.pool --runtime shadow:host:sim)"
[[ "$output" != *shadow:* ]] || { echo "FAILED: host and sim are said to differ: $output"; failures=$((failures + 1)); }

for file in a/results.jsonl a/junit.xml a/report.html; do
  [ -s "$file" ] || { echo "FAILED: $file is not there"; failures=$((failures + 1)); }
done

# Ctrl-C: what was done is kept, and nobody is left.
"$streampool" run --runtime host --suite directed --isolate case --out interrupted > interrupted.txt 2>&1 &
pid=$!
while [ ! -s interrupted/results.jsonl ] && kill -0 "$pid" 2> /dev/null; do read -rt 0.01 <> <(:) || true; done
kill -INT "$pid"
wait "$pid"
code=$?
if [ "$code" -ne 130 ] || ! grep -q INTERRUPTED interrupted.txt || [ ! -s interrupted/report.html ]; then
  echo "FAILED: interrupted run: exit code $code"
  tail -5 interrupted.txt
  failures=$((failures + 1))
fi
pgrep -P "$pid" > /dev/null && { echo "FAILED: a worker outlived its kit"; failures=$((failures + 1)); }

[ "$failures" -eq 0 ] || { echo "$failures checks failed"; exit 1; }
echo "all checks passed"
