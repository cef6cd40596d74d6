#![no_main]

screentest_fuzz::target!(selector);
