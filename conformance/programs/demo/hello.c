#include <stdio.h>

/* Greets everybody. */
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        printf("Hello, %s!\n", argv[i]);
    return argc > 1 ? 0 : 1;
}
