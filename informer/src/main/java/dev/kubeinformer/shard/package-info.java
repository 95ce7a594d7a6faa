/**
 * Shards that move between the replicas of an application: each object belongs to one
 * replica at a time.
 */
@NullMarked
package dev.kubeinformer.shard;

import org.jspecify.annotations.NullMarked;
