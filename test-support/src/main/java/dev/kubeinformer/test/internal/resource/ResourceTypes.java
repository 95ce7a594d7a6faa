package dev.kubeinformer.test.internal.resource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Served resources: the built-in resources, and the custom resources whose definitions
 * exist.
 */
public final class ResourceTypes {

	/**
	 * Resource of the CustomResourceDefinitions.
	 */
	public static final GroupResource DEFINITIONS = new GroupResource("apiextensions.k8s.io",
			"customresourcedefinitions");

	private static final String TABLE = "built-in-types.txt";

	// File with the names in the order of kube-apiserver. If several resources have the
	// same name, clients such as kubectl use the first one.
	private static final String NAMES = "built-in-names.txt";

	private static final String MODELS = "io.kubernetes.client.openapi.models.";

	private final List<ResourceDefinition> builtIn;

	private volatile List<ResourceDefinition> definitions;

	private ResourceTypes(List<ResourceDefinition> builtIn) {
		this.builtIn = List.copyOf(builtIn);
		this.definitions = this.builtIn;
	}

	public static ResourceTypes builtIn() {
		Map<String, String[]> types = new HashMap<>();
		for (String[] columns : read(TABLE)) {
			types.put(key(columns), columns);
		}
		List<ResourceDefinition> definitions = new ArrayList<>();
		for (String[] names : read(NAMES)) {
			String[] type = Objects.requireNonNull(types.remove(key(names)), "a name without a type");
			definitions.add(define(type, names));
		}
		if (!types.isEmpty()) {
			throw new IllegalStateException("'" + NAMES + "' lacks " + types.keySet());
		}
		return new ResourceTypes(definitions);
	}

	private static List<String[]> read(String name) {
		InputStream table = Objects.requireNonNull(ResourceTypes.class.getResourceAsStream(name), name);
		try (BufferedReader reader = new BufferedReader(new InputStreamReader(table, StandardCharsets.UTF_8))) {
			List<String[]> rows = new ArrayList<>();
			for (String line = reader.readLine(); line != null; line = reader.readLine()) {
				if (!line.startsWith("#")) {
					rows.add(line.split(" "));
				}
			}
			return rows;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static String key(String[] columns) {
		return columns[0] + " " + columns[1] + " " + columns[2];
	}

	private static ResourceDefinition define(String[] type, String[] names) {
		String group = ("-".equals(type[0])) ? "" : type[0];
		ResourceTraits traits = ResourceTraits.builtIn(names[3], list(names[4]), list(names[5]),
				"status".equals(names[6]));
		return new ResourceDefinition(new GroupResource(group, type[2]), type[1], type[3], "namespaced".equals(type[4]),
				type[5], traits);
	}

	private static List<String> list(String column) {
		return ("-".equals(column)) ? List.of() : List.of(column.split(","));
	}

	/**
	 * Replaces the served custom resources.
	 * @param custom the resources
	 */
	public void serve(List<ResourceDefinition> custom) {
		List<ResourceDefinition> all = new ArrayList<>(this.builtIn);
		all.addAll(custom);
		this.definitions = List.copyOf(all);
	}

	// Returns the resource of CustomResourceDefinitions.
	public ResourceDefinition definitions() {
		return Objects.requireNonNull(find(DEFINITIONS.group(), "v1", DEFINITIONS.plural()));
	}

	public @Nullable ResourceDefinition find(String group, String version, String plural) {
		return this.definitions.stream()
			.filter((type) -> type.plural().equals(plural) && type.version().equals(version)
					&& type.group().equals(group))
			.findFirst()
			.orElse(null);
	}

	// Returns the resource of a kind, or null if it is not served.
	public @Nullable ResourceDefinition ofKind(String groupVersion, String kind) {
		return this.definitions.stream()
			.filter((type) -> type.kind().equals(kind) && type.groupVersion().equals(groupVersion))
			.findFirst()
			.orElse(null);
	}

	// Returns any version of a resource, or null if it is not served.
	public @Nullable ResourceDefinition ofResource(GroupResource resource) {
		return this.definitions.stream().filter((type) -> type.resource().equals(resource)).findFirst().orElse(null);
	}

	/**
	 * Returns a resource that must be served.
	 * @param group the API group, empty for the core group
	 * @param version the version
	 * @param plural the plural
	 * @return the resource
	 * @throws IllegalArgumentException if the resource is not served
	 */
	public ResourceDefinition named(String group, String version, String plural) {
		ResourceDefinition type = find(group, version, plural);
		if (type == null) {
			throw new IllegalArgumentException("\"" + plural + "\" of \"" + group + "/" + version
					+ "\" is not served; create its CustomResourceDefinition first");
		}
		return type;
	}

	// Returns whether a resource is still served.
	public boolean isServed(ResourceDefinition type) {
		return !type.isCustom() || find(type.group(), type.version(), type.plural()) != null;
	}

	/**
	 * Returns the resource of a model class: of the official client, or with
	 * {@code @KubernetesResource}.
	 * @param model the class
	 * @return the resource
	 * @throws IllegalArgumentException if the class does not name a resource, or if its
	 * resource is not served
	 */
	public ResourceDefinition forModel(Class<?> model) {
		AnnotatedModel custom = AnnotatedModel.of(model);
		if (custom != null) {
			return named(custom.group(), custom.version(), custom.plural());
		}
		return this.builtIn.stream()
			.filter((type) -> model.getName().equals(MODELS + type.model()))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"\"" + model.getName() + "\" is not the model class of a built-in resource and has no "
							+ "@KubernetesResource; for a custom resource call serve(group, version, plural, kind, "
							+ "namespaced) and then resources(model, group, version, plural)"));
	}

	// The resources of a group and version in the order of the table.
	public List<ResourceDefinition> in(String group, String version) {
		return this.definitions.stream()
			.filter((type) -> type.group().equals(group) && type.version().equals(version))
			.toList();
	}

	// The names of all groups but the core one.
	public List<String> groups() {
		return this.definitions.stream()
			.map(ResourceDefinition::group)
			.filter((group) -> !group.isEmpty())
			.distinct()
			.toList();
	}

	// The versions of a group, the preferred one first.
	public List<String> versions(String group) {
		return this.definitions.stream()
			.filter((type) -> type.group().equals(group))
			.map(ResourceDefinition::version)
			.distinct()
			.sorted(new VersionPriority())
			.toList();
	}

}
