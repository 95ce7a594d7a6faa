package dev.kubeinformer.test.internal.resource;

import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import dev.kubeinformer.test.internal.table.TableColumn;

/**
 * Part of discovery about a resource besides its name and kind.
 *
 * @param singular the singular name
 * @param shortNames the short names for kubectl
 * @param categories the names under which kubectl finds it with others, such as "all"
 * @param status whether it has the status subresource
 * @param custom whether it comes from a CustomResourceDefinition
 * @param columns the columns that the definition of a custom resource asks for
 * @param schema the schema of a custom resource, {@code null} for none
 */
public record ResourceTraits(String singular, List<String> shortNames, List<String> categories, boolean status,
		boolean custom, List<TableColumn> columns, @Nullable JsonNode schema) {

	// Those of a resource that only the server's own code knows.
	public static ResourceTraits plain(String kind) {
		return new ResourceTraits(kind.toLowerCase(Locale.ROOT), List.of(), List.of(), true, false, List.of(), null);
	}

	static ResourceTraits builtIn(String singular, List<String> shortNames, List<String> categories, boolean status) {
		return new ResourceTraits(singular, shortNames, categories, status, false, List.of(), null);
	}

}
