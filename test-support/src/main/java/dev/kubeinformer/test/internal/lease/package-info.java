/**
 * The holder of Leases with which clients compete.
 */
@NullMarked
package dev.kubeinformer.test.internal.lease;

import org.jspecify.annotations.NullMarked;
