package dev.kubeinformer.test.internal.schema;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A value and the value at the same place before the update: a value that has not changed
 * is not rejected (KEP-4008, CRDValidationRatcheting).
 *
 * @param schema the schema of the value
 * @param before the value before, {@code null} if there was none
 * @param now the value now
 * @param root {@code true} for a whole object
 */
record Correlation(Structural schema, @Nullable JsonNode before, JsonNode now, boolean root) {

	boolean isUnchanged() {
		return this.now.equals(this.before);
	}

	/**
	 * Returns the correlation of a field.
	 * @param name the name of the field
	 * @return the correlation, or {@code null} if the field cannot be compared
	 */
	@Nullable Correlation field(String name) {
		boolean ofType = this.root && ("kind".equals(name) || "apiVersion".equals(name));
		Structural child = this.schema.field(name);
		if (ofType || child == null || this.before == null || !this.before.isObject()) {
			return null;
		}
		return new Correlation(child, this.before.get(name), this.now.path(name), false);
	}

	/**
	 * Returns the correlation of an item of a list. Only the items of a list of the type
	 * {@code map} are compared, by their keys.
	 * @param index the index of the item
	 * @return the correlation, or {@code null} if the item cannot be compared
	 */
	@Nullable Correlation item(int index) {
		Structural items = this.schema.items;
		if (items == null || this.before == null || !"map".equals(this.schema.listType)) {
			return null;
		}
		JsonNode item = this.now.path(index);
		for (JsonNode other : this.before) {
			if (ListTypes.key(this.schema, other).equals(ListTypes.key(this.schema, item))) {
				return new Correlation(items, other, item, false);
			}
		}
		return null;
	}

}
