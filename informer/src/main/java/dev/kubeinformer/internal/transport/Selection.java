package dev.kubeinformer.internal.transport;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ShardFilter;

/**
 * Selected objects of a resource. Every request carries the selection.
 *
 * @param namespace the namespace, or {@code null} for the whole cluster
 * @param labelSelector the label selector, or {@code null} for none
 * @param fieldSelector the field selector, or {@code null} for none
 * @param shard the shard, or {@code null} for all; objects of other shards are dropped
 * even if the server sends them
 */
public record Selection(@Nullable String namespace, @Nullable String labelSelector, @Nullable String fieldSelector,
		@Nullable ShardFilter shard) {

	/**
	 * Creates a selection of all shards.
	 * @param namespace the namespace, or {@code null} for the whole cluster
	 * @param labelSelector the label selector, or {@code null} for none
	 * @param fieldSelector the field selector, or {@code null} for none
	 */
	public Selection(@Nullable String namespace, @Nullable String labelSelector, @Nullable String fieldSelector) {
		this(namespace, labelSelector, fieldSelector, null);
	}

}
