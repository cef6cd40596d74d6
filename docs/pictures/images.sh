#!/bin/sh
# Shows the same picture with three protocols, side by side, and writes a word over each. Run it in
# the root of the repository.

picture=docs/pictures/dialog.png

caption() { printf '\033[1;%dH%s\033[3;%dH' "$1" "$2" "$1"; }
word() { printf '\033[6;%dH\033[1;7m text \033[m' "$1"; }

printf '\033[H\033[2J'
caption 2 'sixels (chafa)'
chafa -f sixels -s 24x12 "$picture"
caption 28 'kitty (timg)'
timg -p k -g 24x12 "$picture"
caption 54 'inline file (chafa)'
chafa -f iterm -s 24x12 "$picture"
for column in 11 37 63; do word "$column"; done
printf '\033[10;1H'
