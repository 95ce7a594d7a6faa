package dev.kubeinformer.internal.transport;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ShardFilter;

/**
 * Selected objects of a resource. Every request carries the selection.
 *
 * @param namespace the namespace, or {@code null} for the whole cluster
 * @param labelSelector the label selector, or {@code null} for none
 * @param fieldSelector the field selector, or {@code null} for none
 * @param shards returns the shard or the slots for the next request, or {@code null} for
 * all objects; other objects are dropped even if the server sends them
 */
public record Selection(@Nullable String namespace, @Nullable String labelSelector, @Nullable String fieldSelector,
		@Nullable Supplier<ShardFilter> shards) {

	/**
	 * Creates a selection of all shards.
	 * @param namespace the namespace, or {@code null} for the whole cluster
	 * @param labelSelector the label selector, or {@code null} for none
	 * @param fieldSelector the field selector, or {@code null} for none
	 */
	public Selection(@Nullable String namespace, @Nullable String labelSelector, @Nullable String fieldSelector) {
		this(namespace, labelSelector, fieldSelector, null);
	}

	/**
	 * Returns the filter of the next request.
	 * @return the filter; {@code null} for all objects
	 */
	@Nullable ShardFilter shard() {
		return (this.shards != null) ? this.shards.get() : null;
	}

}
