/**
 * Rules of writes: the values that the server fills in, keeps, rejects and removes.
 */
@NullMarked
package dev.kubeinformer.test.internal.write;

import org.jspecify.annotations.NullMarked;
