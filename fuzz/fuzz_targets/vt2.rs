#![no_main]

screentest_fuzz::target!(vt2);
