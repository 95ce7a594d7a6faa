package dev.kubeinformer.test.internal.selector;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.request.Query;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;

/**
 * The feature gate {@code ShardedListAndWatch}: whether the parameter
 * {@code shardSelector} is evaluated. While the gate is off, the parameter is not even
 * validated. The gate can be switched at any time; responses in progress do not change.
 */
public final class ShardGate {

	private final boolean watchesFiltered;

	private volatile boolean enabled;

	/**
	 * Creates the gate.
	 * @param enabled whether the gate is on
	 * @param watchesFiltered whether the parameter also limits watches, while the gate is
	 * on
	 */
	public ShardGate(boolean enabled, boolean watchesFiltered) {
		this.enabled = enabled;
		this.watchesFiltered = watchesFiltered;
	}

	public void enable(boolean on) {
		this.enabled = on;
	}

	/**
	 * Returns the selector of a list.
	 * @param type the resource
	 * @param namespace the namespace, empty for all
	 * @param query the parameters
	 * @return the selector
	 * @throws RequestFailure if a selector is malformed
	 */
	public Selector ofList(ResourceDefinition type, String namespace, Query query) {
		return Selector.of(type, namespace, query.text("labelSelector"), query.text("fieldSelector"), shard(query));
	}

	/**
	 * Returns the selector of a watch.
	 * @param type the resource
	 * @param namespace the namespace, empty for all
	 * @param query the parameters
	 * @return the selector
	 * @throws RequestFailure if a selector is malformed
	 */
	public Selector ofWatch(ResourceDefinition type, String namespace, Query query) {
		ShardSelector shard = shard(query);
		return Selector.of(type, namespace, query.text("labelSelector"), query.text("fieldSelector"),
				(this.watchesFiltered) ? shard : null);
	}

	private @Nullable ShardSelector shard(Query query) {
		String text = query.text("shardSelector");
		return (this.enabled && !text.isEmpty()) ? ShardSelector.parse(text) : null;
	}

}
