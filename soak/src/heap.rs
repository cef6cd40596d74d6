//! What is allocated and not given back, to the byte.
//!
//! What a process occupies depends on how its allocator cuts and keeps its arenas, and a small leak drowns in that. Here every byte
//! counts.
#![expect(
    unsafe_code,
    reason = "an allocator is an unsafe trait; every call goes to the system's"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

/// How many bytes are in use.
pub(crate) fn in_use() -> usize {
    IN_USE.load(Ordering::Relaxed)
}

struct CountingAllocator;

// SAFETY: what is asked is passed on as it is, and so is the answer.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the promises of `alloc`.
        let memory = unsafe { System.alloc(layout) };
        if !memory.is_null() {
            IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        }
        memory
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises of `dealloc`.
        unsafe { System.dealloc(memory, layout) };
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the promises of `alloc_zeroed`.
        let memory = unsafe { System.alloc_zeroed(layout) };
        if !memory.is_null() {
            IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        }
        memory
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the promises of `realloc`.
        let moved = unsafe { System.realloc(memory, layout, size) };
        if !moved.is_null() {
            IN_USE.fetch_add(size, Ordering::Relaxed);
            IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        }
        moved
    }
}
