#![no_main]

screentest_fuzz::target!(images);
