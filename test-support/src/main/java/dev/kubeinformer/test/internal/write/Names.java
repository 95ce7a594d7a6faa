package dev.kubeinformer.test.internal.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.status.Rejection;

/**
 * Generates and checks the names of objects.
 */
final class Names {

	private static final String SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

	private static final int SUFFIX_LENGTH = 5;

	private static final int LABEL_LIMIT = 63;

	private static final int SUBDOMAIN_LIMIT = 253;

	private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

	private static final Pattern LABEL_PATTERN = Pattern.compile(LABEL);

	private static final Pattern SUBDOMAIN_PATTERN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");

	private static final String NOT_A_LABEL = "a lowercase RFC 1123 label must consist of lower case alphanumeric "
			+ "characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or "
			+ "'123-abc', regex used for validation is '" + LABEL + "')";

	private static final String NOT_A_SUBDOMAIN = "a lowercase RFC 1123 subdomain must consist of lower case "
			+ "alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. "
			+ "'example.com', regex used for validation is '" + LABEL + "(\\." + LABEL + ")*')";

	private static final Set<String> LABELLED = Set.of("namespaces", "services");

	private static final Set<String> FINALIZERS = Set.of("orphan", "foregroundDeletion", "kubernetes");

	private Names() {
	}

	/**
	 * Returns the name of a new object.
	 * @param type its resource
	 * @param metadata its metadata
	 * @return the name, generated if the metadata has only a prefix
	 */
	static String of(ResourceDefinition type, ObjectNode metadata) {
		String name = Json.text(metadata, "name");
		if (name != null) {
			return name;
		}
		String prefix = Json.text(metadata, "generateName");
		if (prefix == null) {
			throw Rejection.of(type, "", Rejection.required("metadata.name", "name or generateName is required"));
		}
		int limit = LABEL_LIMIT - SUFFIX_LENGTH;
		StringBuilder generated = new StringBuilder((prefix.length() > limit) ? prefix.substring(0, limit) : prefix);
		for (int i = 0; i < SUFFIX_LENGTH; i++) {
			generated.append(SUFFIX_LETTERS.charAt(ThreadLocalRandom.current().nextInt(SUFFIX_LETTERS.length())));
		}
		return generated.toString();
	}

	/**
	 * Checks the name and the finalizers of an object.
	 * @param type its resource
	 * @param metadata its metadata
	 * @throws RequestFailure 422 if one is not valid
	 */
	static void check(ResourceDefinition type, ObjectNode metadata) {
		check(type, metadata, FieldChecks.NONE);
	}

	static void check(ResourceDefinition type, ObjectNode metadata, FieldChecks fields) {
		List<Rejection> rejections = rejections(type, metadata, fields);
		if (!rejections.isEmpty()) {
			throw Rejection.of(type, metadata.path("name").asString(), rejections.toArray(Rejection[]::new));
		}
	}

	static List<Rejection> rejections(ResourceDefinition type, ObjectNode metadata, FieldChecks fields) {
		List<Rejection> rejections = new ArrayList<>();
		String name = metadata.path("name").asString();
		String wrong = wrong(type, name);
		if (wrong != null) {
			rejections.add(Rejection.value("metadata.name", name, wrong));
		}
		int index = 0;
		for (String finalizer : PendingFinalizers.of(metadata)) {
			boolean plain = !finalizer.contains("/") && !FINALIZERS.contains(finalizer);
			if (plain && type.isCustom()) {
				fields.warnings()
					.accept("metadata.finalizers: \"" + finalizer + "\": prefer a domain-qualified finalizer name "
							+ ((finalizer.contains(".")) ? "including a path (/) " : "")
							+ "to avoid accidental conflicts with other finalizer writers");
			}
			else if (plain) {
				rejections.add(Rejection.value("metadata.finalizers[" + index + "]", finalizer,
						"name is neither a standard finalizer name nor is it fully qualified"));
			}
			index++;
		}
		return rejections;
	}

	private static @Nullable String wrong(ResourceDefinition type, String name) {
		if ("rbac.authorization.k8s.io".equals(type.group())) {
			return wrongSegment(name);
		}
		boolean label = type.group().isEmpty() && LABELLED.contains(type.plural());
		int limit = (label) ? LABEL_LIMIT : SUBDOMAIN_LIMIT;
		if (name.length() > limit) {
			return "must be no more than " + limit + " characters";
		}
		if (!label) {
			return (SUBDOMAIN_PATTERN.matcher(name).matches()) ? null : NOT_A_SUBDOMAIN;
		}
		if (SUBDOMAIN_PATTERN.matcher(name).matches() && name.contains(".")) {
			return "must not contain dots";
		}
		return (LABEL_PATTERN.matcher(name).matches()) ? null : NOT_A_LABEL;
	}

	private static @Nullable String wrongSegment(String name) {
		if (".".equals(name) || "..".equals(name)) {
			return "may not be '" + name + "'";
		}
		for (String character : List.of("/", "%")) {
			if (name.contains(character)) {
				return "may not contain '" + character + "'";
			}
		}
		return null;
	}

}
