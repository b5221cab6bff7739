// SPDX-License-Identifier: Apache-2.0

#pragma once

// How the C library gives out memory, which its standard says nothing of.

/// Lets all threads share one heap; does nothing where the C library has no such choice.
///
/// The C library of GNU gives each thread a heap of its own, and what the one freed is no use to the others.
void cmemory_share_heap(void);

/// Lets large blocks return to the system when they are freed; does nothing where the C library has no such
/// choice.
///
/// The C library of GNU keeps more of them the larger they were, which a program that runs for long does not need.
void cmemory_return_large_blocks(void);
