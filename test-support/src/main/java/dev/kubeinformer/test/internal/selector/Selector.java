package dev.kubeinformer.test.internal.selector;

import java.util.function.Predicate;

import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.storage.StoredObject;

/**
 * What a list or watch is about: a namespace and the selectors.
 *
 * @param namespace the namespace, empty for all
 * @param labels the label selector
 * @param fields the field selector
 * @param everything whether there is neither selector
 */
public record Selector(String namespace, Predicate<StoredObject> labels, Predicate<StoredObject> fields,
		boolean everything) implements Predicate<StoredObject> {

	public static Selector of(ResourceDefinition type, String namespace, String labelSelector, String fieldSelector) {
		return new Selector(namespace, LabelSelector.parse(labelSelector), FieldSelector.parse(type, fieldSelector),
				labelSelector.isBlank() && fieldSelector.isBlank());
	}

	@Override
	public boolean test(StoredObject object) {
		return (this.namespace.isEmpty() || this.namespace.equals(object.key().namespace()))
				&& (this.everything || (this.labels.test(object) && this.fields.test(object)));
	}

}
