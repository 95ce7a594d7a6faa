/**
 * Named clusters, and the {@code Informers} of each.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.cluster;

import org.jspecify.annotations.NullMarked;
