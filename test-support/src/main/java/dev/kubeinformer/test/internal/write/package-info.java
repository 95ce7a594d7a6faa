/**
 * Rules of writes: what the server fills in, keeps, refuses and removes.
 */
@NullMarked
package dev.kubeinformer.test.internal.write;

import org.jspecify.annotations.NullMarked;
