package dev.kubeinformer.test;

import java.util.function.Predicate;

/**
 * What a list or watch is about: a namespace and the selectors.
 *
 * @param namespace the namespace, empty for all
 * @param labels the label selector
 * @param fields the field selector
 * @param everything whether there is neither selector
 */
record Selector(String namespace, Predicate<StoredObject> labels, Predicate<StoredObject> fields,
		boolean everything) implements Predicate<StoredObject> {

	static Selector of(ResourceDefinition type, String namespace, String labelSelector, String fieldSelector) {
		return new Selector(namespace, LabelSelector.parse(labelSelector), FieldSelector.parse(type, fieldSelector),
				labelSelector.isBlank() && fieldSelector.isBlank());
	}

	@Override
	public boolean test(StoredObject object) {
		return (this.namespace.isEmpty() || this.namespace.equals(object.key().namespace()))
				&& (this.everything || (this.labels.test(object) && this.fields.test(object)));
	}

}
