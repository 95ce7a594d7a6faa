/**
 * Slots that move between the replicas of an application: their lifecycle, and
 * application events about them.
 */
@NullMarked
package dev.kubeinformer.spring.shard;

import org.jspecify.annotations.NullMarked;
