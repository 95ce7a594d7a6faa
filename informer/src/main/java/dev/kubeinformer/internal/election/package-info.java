/**
 * Leader election with a Lease, as a pure state machine: it receives responses and clock
 * readings, and returns the next step. It neither sends requests nor waits.
 */
@NullMarked
package dev.kubeinformer.internal.election;

import org.jspecify.annotations.NullMarked;
