# All colours and attributes.
for i in $(seq 0 255); do printf '\e[48;5;%dm %3d \e[m' $i $i; [ $(((i + 1) % 16)) = 0 ] && echo; done
for a in 1 2 3 4 5 7 9; do printf '\e[%dmattribute %d\e[m ' $a $a; done
echo
for r in 0 64 128 192 255; do printf '\e[38;2;%d;100;200mtrue \e[m' $r; done
echo
