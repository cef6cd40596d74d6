# Gives the terminal other colours, and shows them. For docs/pictures.md.
printf '\033]10;#3b3228\033\\\033]11;#fbf1dc\033\\\033]12;chocolate\033\\'
printf '\033]4;1;firebrick;2;dark olive green;3;rgb:b0/70/00;4;#2f5d8a;5;#8a4f7d;6;rgbi:0.02/0.2/0.2\033\\'
printf '\033]4;236;wheat;237;#f0e0c0\033\\'
printf '\033[1m Notes \033[0m                     \033[2mOSC 4, 10, 11 and 12\033[0m\n\n'
printf ' \033[32m✓\033[0m buy tea     \033[31m✗\033[0m call Ada     \033[33m…\033[0m write the report\n\n'
printf ' \033[48;5;236m a row in colour 236 \033[48;5;237m and one in 237 \033[0m\n\n '
for color in 1 2 3 4 5 6; do printf '\033[4%sm   \033[0m \033[3%smtext\033[0m ' $color $color; done
printf '\n\n \033[7m inverse \033[0m \033[4;34mlink\033[0m \033[35;3mitalic\033[0m \033[38;2;200;0;0mexact\033[0m $ '
