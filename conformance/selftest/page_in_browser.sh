#!/bin/bash
# page_in_browser.sh CHROMIUM STREAMPOOL FOLDER: report.html drawn by a browser. Its script makes the page from the data, so
# only a browser shows that it runs.
set -u
chromium="$1"
streampool="$2"
work="$(mktemp -d "$3/page-XXXXXX")"
trap 'rm -rf "$work"' EXIT
failures=0

# drawn NAME: the page of the run of that name, as the browser has it in the end.
drawn() {
  "$chromium" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --dump-dom "file://$work/$1/report.html" \
    2> "$work/$1.log" > "$work/$1.html"
}
has() { # NAME TEXT
  grep -q -- "$2" "$work/$1.html" || { echo "FAILED: the page of $1 lacks: $2"; failures=$((failures + 1)); }
}

"$streampool" run --runtime host --suite directed --filter 'order/*' --out "$work/good" > /dev/null 2>&1
drawn good
has good '<div class="verdict conformant">conformant</div>'
has good '<p>None.</p>'
has good 'binding clauses were not exercised'
has good '<td>order/query_held_stream</td>'

"$streampool" run --runtime mutant:event_covers_every_free --suite directed --filter 'reuse/*' --out "$work/bad" > /dev/null 2>&1
drawn bad
has bad '<div class="verdict not-conformant">not conformant</div>'
has bad '<h3>REUSE-UNSAFE (must-not)'
has bad 'held by g<title>'                       # a gate
has bad 'marker-end="url(#tip)"'            # an order edge
has bad 'a and b share [0-9]* bytes from 0x' # the overlap
has bad 'fill="url(#both)"'
has bad 'streampool replay failures/'

[ "$failures" -eq 0 ] || { echo "$failures checks failed"; exit 1; }
echo "both pages are drawn"
