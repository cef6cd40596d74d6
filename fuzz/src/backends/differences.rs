//! What the two backends do differently, and why.
