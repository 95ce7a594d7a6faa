/**
 * Runtime of a membership: its loop, threads, requests, and the calls of work that is
 * divided by slots.
 */
@NullMarked
package dev.kubeinformer.internal.membership;

import org.jspecify.annotations.NullMarked;
