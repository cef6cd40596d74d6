#!/bin/sh
# Asks three questions with dialog(1), each in a separate process.
set -eu
name=$(dialog --stdout --inputbox "Your name" 8 40)
city=$(dialog --stdout --inputbox "Your city" 8 40)
colour=$(dialog --stdout --menu "Your colour" 12 40 3 red warm green fresh blue cool)
clear
echo "Saved: $name, $city, $colour."
