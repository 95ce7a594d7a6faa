package dev.kubeinformer.test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The resources that are served.
 */
final class ResourceTypes {

	private static final String TABLE = "built-in-types.txt";

	private static final String MODELS = "io.kubernetes.client.openapi.models.";

	private final List<ResourceDefinition> definitions;

	private ResourceTypes(List<ResourceDefinition> definitions) {
		this.definitions = List.copyOf(definitions);
	}

	static ResourceTypes builtIn() {
		List<ResourceDefinition> definitions = new ArrayList<>();
		InputStream table = Objects.requireNonNull(ResourceTypes.class.getResourceAsStream(TABLE), TABLE);
		try (BufferedReader reader = new BufferedReader(new InputStreamReader(table, StandardCharsets.UTF_8))) {
			reader.lines().filter((line) -> !line.startsWith("#")).map(ResourceTypes::parse).forEach(definitions::add);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return new ResourceTypes(definitions);
	}

	private static ResourceDefinition parse(String line) {
		String[] columns = line.trim().split(" +");
		String group = ("-".equals(columns[0])) ? "" : columns[0];
		return new ResourceDefinition(new GroupResource(group, columns[2]), columns[1], columns[3],
				"namespaced".equals(columns[4]), columns[5]);
	}

	@Nullable ResourceDefinition find(String group, String version, String plural) {
		return this.definitions.stream()
			.filter((type) -> type.plural().equals(plural) && type.version().equals(version)
					&& type.group().equals(group))
			.findFirst()
			.orElse(null);
	}

	ResourceDefinition forModel(Class<?> model) {
		return this.definitions.stream()
			.filter((type) -> model.getName().equals(MODELS + type.model()))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"\"" + model.getName() + "\" is not the model class of a built-in resource"));
	}

	// The resources of a group and version in the order of the table.
	List<ResourceDefinition> in(String group, String version) {
		return this.definitions.stream()
			.filter((type) -> type.group().equals(group) && type.version().equals(version))
			.toList();
	}

	// The names of all groups but the core one.
	List<String> groups() {
		return this.definitions.stream()
			.map(ResourceDefinition::group)
			.filter((group) -> !group.isEmpty())
			.distinct()
			.toList();
	}

	// The versions of a group, the preferred one first.
	List<String> versions(String group) {
		return this.definitions.stream()
			.filter((type) -> type.group().equals(group))
			.map(ResourceDefinition::version)
			.distinct()
			.sorted(new VersionPriority())
			.toList();
	}

}
