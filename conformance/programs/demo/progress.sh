# A progress bar that is redrawn, and lines above it.
for i in $(seq 0 5 100); do
    printf '\r\e[K\e[32m%3d%%\e[m [' $i
    printf '%*s' $((i / 5)) '' | tr ' ' '#'
    printf '%*s]' $((20 - i / 5)) ''
    [ $((i % 25)) = 0 ] && printf '\r\e[Kstep %d done\n' $i
done
echo
