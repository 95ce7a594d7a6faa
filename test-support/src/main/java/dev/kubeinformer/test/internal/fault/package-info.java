/**
 * Faults and their effects on responses and connections.
 */
@NullMarked
package dev.kubeinformer.test.internal.fault;

import org.jspecify.annotations.NullMarked;
