#![no_main]

screentest_fuzz::target!(ansi);
