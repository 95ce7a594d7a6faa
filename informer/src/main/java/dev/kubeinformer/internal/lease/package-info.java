/**
 * Requests for Leases over connections of their own.
 */
@NullMarked
package dev.kubeinformer.internal.lease;

import org.jspecify.annotations.NullMarked;
