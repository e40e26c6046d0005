#!/bin/sh
# changed_rule.sh CMAKE BUILD-DIR TARGET THEOREM STREAMPOOL [no-history]
# Builds the proof over the changed rule, expects the theorem to break, and the unchanged model to reject the run that shows it.
set -eu
"$1" --build "$2" --target "$3" >/dev/null
history="$2/$3.pool"
rm -f "$history"
"$(find "$2" -name "$3" -type f -perm -u+x | head -n 1)" "$4" "$history"
[ "${6:-}" = no-history ] && exit 0
cat "$history"
if "$5" judge "$history"; then
  echo "the unchanged model accepts the run"
  exit 1
fi
