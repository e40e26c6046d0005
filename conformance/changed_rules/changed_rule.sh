#!/bin/sh
# changed_rule.sh CMAKE BUILD-DIR WORK-DIR RULES TABLE STREAMPOOL NAME THEOREM SHOWS FILE
# Builds the proof over the changed rule and expects the theorem to break. Where the table says that a run shows it, the
# unchanged judge must reject the run (seen), or accept it although the changed rules refuse it (vanished).
set -eu
cmake=$1 build=$2 work=$3 rules=$4 table=$5 streampool=$6 name=$7 theorem=$8 shows=$9
history="$work/$name.pool"
rm -f "$history"
"$work/apply_change" "$rules" "$table" "$name" "$work/changed"
"$cmake" --build "$build" --target changed_rule >/dev/null
said=$("$work/changed_rule" "$theorem" "$history") || { echo "$said"; exit 1; }
echo "$said"
[ "$shows" = named ] && exit 0
[ "$(echo "$said" | tail -n 1)" = "$shows" ] || { echo "expected a run that shows it: $shows"; exit 1; }
cat "$history"
if "$streampool" judge "$history"; then verdict=vanished; else verdict=seen; fi
[ "$verdict" = "$shows" ] || { echo "the unchanged judge says otherwise"; exit 1; }
