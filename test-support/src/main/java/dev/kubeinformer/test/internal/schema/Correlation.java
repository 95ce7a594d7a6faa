package dev.kubeinformer.test.internal.schema;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Pair of a value and the previous value, which was at the same place before the update.
 * A value that has not changed is not rejected (KEP-4008, CRDValidationRatcheting).
 *
 * @param schema the schema of the value
 * @param before the value before the update, {@code null} if there was none
 * @param now the value after the update
 * @param root {@code true} for a complete object; {@code false} for a value inside an
 * object
 */
record Correlation(Structural schema, @Nullable JsonNode before, JsonNode now, boolean root) {

	boolean isUnchanged() {
		return this.now.equals(this.before);
	}

	/**
	 * Returns the pair of values of a field.
	 * @param name the name of the field
	 * @return the pair, or {@code null} if the field cannot be compared
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
	 * Returns the pair of values of an item of a list. An item can be compared only in a
	 * list of the type {@code map}, where the previous item has the same keys.
	 * @param index the index of the item
	 * @return the pair, or {@code null} if the item cannot be compared
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
