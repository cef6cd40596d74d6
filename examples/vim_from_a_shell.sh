#!/bin/sh
# Edits a file with vim from a shell script: sh vim_from_a_shell.sh
set -eu
rm -f hello.txt
SCREENTEST_SESSION=$(screentest open --name "edit-$$" -- vim -u NONE -N hello.txt)
export SCREENTEST_SESSION
trap 'screentest close' EXIT
screentest type 'ihello from a shell'
screentest press Esc
screentest expect 'hello from a shell'
screentest type ':wq'
screentest press Enter
test "$(screentest wait --exit)" = 0
echo "vim wrote: $(cat hello.txt)"
