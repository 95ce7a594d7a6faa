package dev.kubeinformer.internal.codec.json;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonElement;
import com.google.gson.annotations.JsonAdapter;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.model.ModelClass;

/**
 * Creates the trees of the objects of one model class. It uses the same fields and names
 * as Gson.
 */
final class ModelFields implements ModelTrees.TreeWriter {

	private final Class<?> type;

	private final boolean official;

	private final ModelTrees trees;

	private final Field[] fields;

	private final String[] names;

	private final ModelTrees.TreeWriter[] writers;

	private final GsonTrees.@Nullable FieldTree[] adapters;

	/**
	 * Reads the fields of a class.
	 * @param type the class
	 * @param trees writes the values of the fields
	 * @param gson writes fields that have a Gson adapter
	 * @throws IllegalArgumentException if the fields of the class cannot be read
	 */
	ModelFields(Class<?> type, ModelTrees trees, GsonTrees gson) {
		ModelClass modelClass = ModelClass.of(type);
		if (!modelClass.isAccessible()) {
			throw new IllegalArgumentException(
					"'%s' cannot be written as JSON: its module keeps its fields to itself".formatted(type.getName()));
		}
		this.type = type;
		this.official = type.getPackageName().equals(V1ObjectMeta.class.getPackageName());
		this.trees = trees;
		List<Field> all = modelClass.fields().stream().filter((each) -> !isManagedFields(each)).toList();
		this.fields = all.toArray(Field[]::new);
		this.names = all.stream().map((each) -> JsonModel.names(each).get(0)).toArray(String[]::new);
		this.adapters = new GsonTrees.FieldTree[this.fields.length];
		this.writers = all.stream().map((each) -> trees.writerOf(each.getType())).toArray(ModelTrees.TreeWriter[]::new);
		ModelTypes types = new ModelTypes(type);
		for (int i = 0; i < this.fields.length; i++) {
			JsonAdapter annotation = this.fields[i].getAnnotation(JsonAdapter.class);
			this.adapters[i] = (annotation != null)
					? gson.field(types.resolve(this.fields[i].getGenericType()), annotation) : null;
		}
	}

	private static boolean isManagedFields(Field field) {
		// Managed fields belong to the server.
		return field.getDeclaringClass() == V1ObjectMeta.class && field.getName().equals("managedFields");
	}

	@Override
	public Object write(Object model) {
		Map<String, @Nullable Object> tree = new LinkedHashMap<>();
		for (int i = 0; i < this.fields.length; i++) {
			Object value = ModelClass.get(this.fields[i], model);
			GsonTrees.FieldTree adapter = this.adapters[i];
			Object part = (adapter != null) ? written(adapter.of(value)) : part(this.writers[i], value);
			if (part != null) {
				tree.put(this.names[i], part);
			}
		}
		return tree;
	}

	private @Nullable Object written(@Nullable JsonElement json) {
		return (json != null) ? this.trees.ofGson(json) : null;
	}

	private @Nullable Object part(ModelTrees.TreeWriter writer, @Nullable Object value) {
		if (value == null || (this.official && ((value instanceof Collection<?> collection && collection.isEmpty())
				|| (value instanceof Map<?, ?> map && map.isEmpty())))) {
			return null;
		}
		return writer.write(value);
	}

	@Override
	public String toString() {
		return this.type.getName();
	}

}
