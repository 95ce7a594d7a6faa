/**
 * What is known and reported of an informer.
 */
@NullMarked
package dev.kubeinformer.internal.status;

import org.jspecify.annotations.NullMarked;
