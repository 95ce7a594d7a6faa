package dev.kubeinformer.spring.test;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Arguments of {@link KubernetesManifestsMain}.
 *
 * @param values the values by the name of the option; a switch has the value {@code true}
 * or {@code false}
 * @param properties the arguments of the application
 */
record ManifestArguments(Map<String, String> values, List<String> properties) {

	private static final Set<String> SWITCHES = Set.of("service", "no-deployment", "no-namespace", "check",
			"accept-breaking-changes");

	private static final Set<String> VALUES = Set.of("application", "classes", "output", "name", "default-name",
			"namespace", "service-account", "image", "version", "replicas", "profiles", "definitions",
			"foreign-definitions", "cluster");

	/**
	 * Parses arguments.
	 * @param arguments the arguments
	 * @return the options; an argument with a '.' in its name is a property of the
	 * application
	 * @throws IllegalArgumentException if an argument is unknown or has no value
	 */
	static ManifestArguments parse(String... arguments) {
		Map<String, String> values = new LinkedHashMap<>();
		List<String> properties = new ArrayList<>();
		for (String argument : arguments) {
			int equals = argument.indexOf('=');
			String name = argument.startsWith("--") ? argument.substring(2, (equals < 0) ? argument.length() : equals)
					: "";
			String value = (equals < 0) ? "" : argument.substring(equals + 1).strip();
			if (SWITCHES.contains(name)) {
				if (!Set.of("", "true", "false").contains(value)) {
					throw new IllegalArgumentException(
							"The argument '%s' is a switch; use '--%s' or leave it out".formatted(argument, name));
				}
				values.put(name, value.isEmpty() ? "true" : value);
			}
			else if (VALUES.contains(name)) {
				if (value.isEmpty()) {
					throw new IllegalArgumentException(
							"The argument '%s' has no value; use '--%s=VALUE'".formatted(argument, name));
				}
				values.put(name, value);
			}
			else if (name.indexOf('.') > 0) {
				properties.add(argument);
			}
			else {
				throw new IllegalArgumentException(
						"Unknown argument '%s'. There are %s, and properties of the application such as '--server.port=8081'"
							.formatted(argument, known()));
			}
		}
		ManifestArguments parsed = new ManifestArguments(values, properties);
		parsed.check();
		return parsed;
	}

	private static String known() {
		Set<String> known = new TreeSet<>();
		VALUES.forEach((name) -> known.add("--" + name + "=…"));
		SWITCHES.forEach((name) -> known.add("--" + name));
		return String.join(", ", known);
	}

	private void check() {
		if (get("output") == null) {
			throw new IllegalArgumentException("The argument '--output=…' is missing; use '--output=src/main/k8s'");
		}
		if (get("application") == null && get("classes") == null) {
			throw new IllegalArgumentException(
					"The application is missing; use '--application=com.example.App' with its class, "
							+ "or '--classes=target/classes' with the folder where it is");
		}
		if (get("replicas") != null) {
			replicas();
		}
	}

	@Nullable String get(String name) {
		return this.values.get(name);
	}

	boolean isSet(String name) {
		return "true".equals(get(name));
	}

	List<String> list(String name) {
		String value = get(name);
		return (value != null)
				? Stream.of(value.split(",")).map(String::strip).filter((part) -> !part.isEmpty()).toList() : List.of();
	}

	List<Path> classes() {
		String value = get("classes");
		return (value != null) ? Stream.of(value.split(File.pathSeparator)).map(Path::of).toList() : List.of();
	}

	Path output() {
		return Path.of(this.values.getOrDefault("output", ""));
	}

	@Nullable Integer replicas() {
		String value = get("replicas");
		try {
			return (value != null) ? Integer.valueOf(value) : null;
		}
		catch (NumberFormatException ex) {
			throw new IllegalArgumentException(
					"The argument '--replicas=%s' is not a number; use '--replicas=2'".formatted(value), ex);
		}
	}

}
