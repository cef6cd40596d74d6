//! Counts the bytes that are allocated and not yet freed.
//!
//! The resident size of a process depends on how its allocator manages its arenas, which hides
//! small leaks. This counter is exact.
#![expect(
    unsafe_code,
    reason = "an allocator is an unsafe trait; every call goes to the system's"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

/// Returns the number of bytes in use.
pub(crate) fn in_use() -> usize {
    IN_USE.load(Ordering::Relaxed)
}

struct CountingAllocator;

// SAFETY: every call and its result are passed through unchanged.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `alloc`.
        let memory = unsafe { System.alloc(layout) };
        if !memory.is_null() {
            IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        }
        memory
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the contract of `dealloc`.
        unsafe { System.dealloc(memory, layout) };
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `alloc_zeroed`.
        let memory = unsafe { System.alloc_zeroed(layout) };
        if !memory.is_null() {
            IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        }
        memory
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `realloc`.
        let moved = unsafe { System.realloc(memory, layout, size) };
        if !moved.is_null() {
            IN_USE.fetch_add(size, Ordering::Relaxed);
            IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        }
        moved
    }
}
