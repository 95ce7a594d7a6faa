/**
 * The election of a leader by a Lease, as a pure state machine: it is given answers and
 * readings of clocks, and says what to ask for next. It sends nothing and waits for
 * nothing.
 */
@NullMarked
package dev.kubeinformer.internal.election;

import org.jspecify.annotations.NullMarked;
