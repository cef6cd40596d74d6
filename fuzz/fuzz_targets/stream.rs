#![no_main]

screentest_fuzz::target!(stream);
