/**
 * Storage with a revision for every write, and with the history that watches follow.
 */
@NullMarked
package dev.kubeinformer.test.internal.storage;

import org.jspecify.annotations.NullMarked;
