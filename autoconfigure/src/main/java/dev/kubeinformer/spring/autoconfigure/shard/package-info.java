/**
 * Auto-configuration of the distribution of objects over the replicas.
 */
@NullMarked
package dev.kubeinformer.spring.autoconfigure.shard;

import org.jspecify.annotations.NullMarked;
