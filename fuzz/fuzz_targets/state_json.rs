#![no_main]

screentest_fuzz::target!(state_json);
