package dev.kubeinformer.test.internal.selector;

import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.storage.PersistedObject;

/**
 * Selects the objects of a list or watch by namespace, labels, fields and shard.
 *
 * @param namespace the namespace, empty for all
 * @param labels the label selector
 * @param fields the field selector
 * @param everything {@code true} if there is neither a selector nor a shard; the
 * namespace does not matter
 * @param shard the shard, {@code null} for all objects
 */
public record Selector(String namespace, Predicate<PersistedObject> labels, Predicate<PersistedObject> fields,
		boolean everything, @Nullable ShardSelector shard) implements Predicate<PersistedObject> {

	public static Selector of(ResourceDefinition type, String namespace, String labelSelector, String fieldSelector,
			@Nullable ShardSelector shard) {
		return new Selector(namespace, RequestedLabels.parse(labelSelector), FieldSelector.parse(type, fieldSelector),
				labelSelector.isBlank() && fieldSelector.isBlank() && shard == null, shard);
	}

	/**
	 * Returns the shard in the metadata of a list.
	 * @return the canonical selector of the shard, or {@code null} if there is none
	 */
	public @Nullable String shardText() {
		return (this.shard != null) ? this.shard.canonical() : null;
	}

	@Override
	public boolean test(PersistedObject object) {
		return (this.namespace.isEmpty() || this.namespace.equals(object.key().namespace()))
				&& (this.everything || (this.labels.test(object) && this.fields.test(object)))
				&& (this.shard == null || this.shard.test(object));
	}

}
