package dev.kubeinformer.resource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Catalogue of built-in types, read from {@code built-in-types.txt}. It holds only the
 * names of classes, so a lookup does not load other model classes.
 */
final class BuiltInTypes {

	private static final String MODELS = "io.kubernetes.client.openapi.models.";

	private static final Map<String, Entry> BY_CLASS_NAME = read();

	private BuiltInTypes() {
	}

	static @Nullable Entry find(String className) {
		return BY_CLASS_NAME.get(className);
	}

	static @Nullable Entry find(String group, String version, String plural) {
		for (Entry entry : BY_CLASS_NAME.values()) {
			if (entry.plural().equals(plural) && entry.version().equals(version) && entry.group().equals(group)) {
				return entry;
			}
		}
		return null;
	}

	static Collection<ResourceType<?>> all() {
		List<ResourceType<?>> types = new ArrayList<>(BY_CLASS_NAME.size());
		BY_CLASS_NAME.forEach((className, entry) -> {
			Class<? extends KubernetesObject> objectClass = load(className);
			if (objectClass != null) {
				types.add(entry.toType(objectClass));
			}
		});
		return Collections.unmodifiableList(types);
	}

	private static @Nullable Class<? extends KubernetesObject> load(String className) {
		try {
			return Class.forName(className, false, BuiltInTypes.class.getClassLoader())
				.asSubclass(KubernetesObject.class);
		}
		catch (ClassNotFoundException ex) {
			// An older version of the official client has fewer models.
			return null;
		}
	}

	private static Map<String, Entry> read() {
		Map<String, Entry> entries = new LinkedHashMap<>();
		try (InputStream stream = BuiltInTypes.class.getResourceAsStream("built-in-types.txt")) {
			if (stream == null) {
				throw new IllegalStateException(
						"built-in-types.txt is missing next to " + BuiltInTypes.class.getName());
			}
			BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (!line.startsWith("#") && !line.isBlank()) {
					String[] columns = line.split(" ");
					entries.put(MODELS + columns[5], new Entry(columns[0].equals("-") ? "" : columns[0], columns[1],
							columns[2], columns[3], columns[4].equals("namespaced")));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return entries;
	}

	record Entry(String group, String version, String plural, String kind, boolean namespaced) {

		<T extends KubernetesObject> ResourceType<T> toType(Class<T> objectClass) {
			return new ResourceType<>(this.group, this.version, this.plural, this.kind, this.namespaced, objectClass);
		}

	}

}
