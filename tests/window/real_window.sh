# SPDX-License-Identifier: Apache-2.0
# For tests that look at a real window under Xvfb: UI FACTS EXAMPLES. They begin again on a display of
# their own.
for program in xvfb-run xdotool; do
  command -v "$program" >/dev/null || { echo "$program is not installed"; exit 77; }
done
if [ "${4:-}" != inside ]; then
  temp=$(mktemp -d)
  trap 'rm -rf "$temp"' EXIT
  xvfb-run -a -s "-noreset -screen 0 1600x1000x24 -fbdir $temp" sh "$0" "$1" "$2" "$3" inside "$temp"
  exit
fi
ui=$1
facts=$2
examples=$3
temp=$5
export HOME="$temp"
# Where Y and Z lie the other way about: keys go by what they are called, not by where they lie.
! command -v setxkbmap >/dev/null || setxkbmap de

current=2  # the number of Standing::current

fail() { echo "$1"; cat "$temp/said"; cat "$temp/probes"; exit 1; }

open_window() {  # ARGUMENT...: until it shows an answer
  "$ui" --probes "$temp/probes" "$@" >"$temp/said" 2>&1 &
  program=$!
  trap 'kill $program 2>/dev/null || :' EXIT
  window=$(timeout 60 xdotool search --sync --onlyvisible --name '^gpufeed$' | head -1)
  [ -n "$window" ]
  xdotool windowfocus "$window"
  until_shown "^$current "
}

until_shown() {  # PATTERN: waits for a line of the probes
  for _ in $(seq 300); do
    ! grep -qs -- "$1" "$temp/probes" || return 0
    kill -0 "$program" || fail "the window ended"
    sleep 0.1
  done
  fail "nothing is like: $1"
}

press() {  # NAME, or how it begins, and for how long: 0.2 s
  until_shown "^[0-9]* [0-9]* $1"
  place=$(sed -n "s/^\([0-9]* [0-9]*\) $1.*/\1/p" "$temp/probes" | head -1)
  # The words of a place are to be split.
  # shellcheck disable=SC2086
  xdotool mousemove $place sleep 0.2 mousedown 1 sleep "${2:-0.2}" mouseup 1
}

picture() {  # NAME [LEAST MOST]: keeps the screen once it is full, and as bright as that, of 255
  for _ in $(seq 100); do
    sleep 0.1
    cp "$temp/Xvfb_screen0" "$temp/$1.xwd"
    found=$("$facts" "$temp/$1.xwd")
    # The words of what was found are to be split.
    # shellcheck disable=SC2086
    ! is_full "${2:-0}" "${3:-255}" $found || return 0
  done
  fail "$1 is $found: size, colors, brightness"
}

is_full() {  # LEAST MOST SIZE COLORS BRIGHTNESS; a black one with the pointer has 78 colors
  [ "$3" = 1600x1000 ] && [ "$4" -ge 1000 ] && [ "$5" -ge "$1" ] && [ "$5" -le "$2" ]
}
