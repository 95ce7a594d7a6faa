/**
 * Distribution of slots over the members of a group, each with a Lease of its own, as a
 * pure state machine: it receives responses, events and clock readings, and returns the
 * next step. It neither sends nor waits.
 */
@NullMarked
package dev.kubeinformer.internal.shards;

import org.jspecify.annotations.NullMarked;
