#![no_main]

screentest_fuzz::target!(json_rpc);
