#![no_main]

screentest_fuzz::target!(tape);
