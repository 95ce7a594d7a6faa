package dev.kubeinformer.test.internal.resource;

import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.schema.ScalePaths;
import dev.kubeinformer.test.internal.table.TableColumn;

/**
 * Properties of a resource in discovery except its name and kind.
 *
 * @param singular the singular name
 * @param shortNames the short names for kubectl
 * @param categories the names of groups of resources in kubectl, such as "all"
 * @param status whether the resource has the status subresource
 * @param custom whether the resource comes from a CustomResourceDefinition
 * @param columns the additional columns of a custom resource
 * @param schema the schema of a custom resource; {@code null} for none
 * @param scale the fields of the scale subresource of a custom resource; {@code null} for
 * none
 */
public record ResourceTraits(String singular, List<String> shortNames, List<String> categories, boolean status,
		boolean custom, List<TableColumn> columns, @Nullable StoredSchema schema, @Nullable ScalePaths scale) {

	// Traits of a resource that only the server's own code defines.
	public static ResourceTraits plain(String kind) {
		return new ResourceTraits(kind.toLowerCase(Locale.ROOT), List.of(), List.of(), true, false, List.of(), null,
				null);
	}

	static ResourceTraits builtIn(String singular, List<String> shortNames, List<String> categories, boolean status) {
		return new ResourceTraits(singular, shortNames, categories, status, false, List.of(), null, null);
	}

}
