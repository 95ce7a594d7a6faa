/**
 * Faults and what they do to answers and connections.
 */
@NullMarked
package dev.kubeinformer.test.internal.fault;

import org.jspecify.annotations.NullMarked;
