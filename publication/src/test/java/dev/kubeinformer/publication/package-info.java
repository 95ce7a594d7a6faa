/**
 * What is published, and what of it others may rely on.
 */
@NullMarked
package dev.kubeinformer.publication;

import org.jspecify.annotations.NullMarked;
