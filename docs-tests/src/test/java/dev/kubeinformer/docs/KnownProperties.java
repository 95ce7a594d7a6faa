package dev.kubeinformer.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The properties that the metadata on the class path knows: those of this project and of
 * Spring Boot.
 */
class KnownProperties {

	/**
	 * Prefixes of properties of applications, and of libraries that are not on the class
	 * path.
	 */
	private static final List<String> OTHERS = List.of("app.", "report.", "sample.", "spring.cloud.");

	private final Map<String, String> types = new HashMap<>();

	KnownProperties() {
		try {
			for (String file : List.of("spring-configuration-metadata.json",
					"additional-spring-configuration-metadata.json")) {
				for (URL url : Collections.list(getClass().getClassLoader().getResources("META-INF/" + file))) {
					try (InputStream stream = url.openStream()) {
						read(JsonMapper.shared().readTree(stream));
					}
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void read(JsonNode metadata) {
		for (JsonNode property : metadata.path("properties")) {
			this.types.merge(property.path("name").asString(), property.path("type").asString(""),
					(one, other) -> one.isEmpty() ? other : one);
		}
	}

	/** Returns the problems of an application.yml or application.properties. */
	List<String> problems(Block block) {
		Map<String, Object> values = new HashMap<>();
		for (PropertySource<?> source : load(block)) {
			EnumerablePropertySource<?> enumerable = (EnumerablePropertySource<?>) source;
			for (String name : enumerable.getPropertyNames()) {
				values.put(name, String.valueOf(enumerable.getProperty(name)));
			}
		}
		List<String> problems = new ArrayList<>();
		Set<String> bound = new HashSet<>();
		for (String name : values.keySet()) {
			if (OTHERS.stream().anyMatch(name::startsWith)) {
				continue;
			}
			String known = known(dashed(name));
			if (known.isEmpty()) {
				problems.add("unknown property '%s'".formatted(name));
			}
			else if (bound.add(known)) {
				bind(known, this.types.get(known), values, problems);
			}
		}
		return problems;
	}

	private static List<PropertySource<?>> load(Block block) {
		ByteArrayResource resource = new ByteArrayResource(block.code().getBytes(StandardCharsets.UTF_8));
		try {
			return block.language().equals("properties") ? new PropertiesPropertySourceLoader().load("page", resource)
					: new YamlPropertySourceLoader().load("page", resource);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The name of the property itself, or of the map or list that it is in.
	 */
	private String known(String name) {
		if (this.types.containsKey(name)) {
			return name;
		}
		for (String parent = name.replaceAll("\\[[^]]*]", ".entry"); parent
			.contains("."); parent = parent.substring(0, parent.lastIndexOf('.'))) {
			if (this.types.getOrDefault(parent, "").matches("java\\.util\\.(Map|List|Set)<.*")) {
				return parent;
			}
		}
		return "";
	}

	private void bind(String name, String type, Map<String, Object> values, List<String> problems) {
		ResolvableType target = resolve(type);
		Map<String, Object> below = new HashMap<>(values);
		below.keySet().removeIf((key) -> !isAtOrBelow(name, key) || values.get(key).toString().contains("${"));
		try {
			new Binder(List.of(new MapConfigurationPropertySource(below)), null,
					ApplicationConversionService.getSharedInstance())
				.bind(ConfigurationPropertyName.adapt(name, '.'), Bindable.of(target),
						new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
		}
		catch (BindException ex) {
			Throwable cause = ex;
			while (cause.getCause() != null) {
				cause = cause.getCause();
			}
			problems.add(ex.getMessage() + ": " + cause.getMessage());
		}
	}

	private static boolean isAtOrBelow(String name, String key) {
		ConfigurationPropertyName parent = ConfigurationPropertyName.adapt(name, '.');
		ConfigurationPropertyName child = ConfigurationPropertyName.adapt(key, '.');
		return parent.equals(child) || parent.isAncestorOf(child);
	}

	private static ResolvableType resolve(String type) {
		String raw = type.replaceAll("<.*", "");
		try {
			Class<?> target = ClassUtils.forName(raw, KnownProperties.class.getClassLoader());
			if (!type.contains("<")) {
				return ResolvableType.forClass(target);
			}
			String[] arguments = type.substring(type.indexOf('<') + 1, type.lastIndexOf('>')).split(",(?![^<]*>)");
			ResolvableType[] resolved = new ResolvableType[arguments.length];
			for (int i = 0; i < arguments.length; i++) {
				resolved[i] = resolve(arguments[i].strip());
			}
			return ResolvableType.forClassWithGenerics(target, resolved);
		}
		catch (ClassNotFoundException ex) {
			return ResolvableType.forClass(Object.class);
		}
	}

	/**
	 * The name as the metadata has it: words with hyphens.
	 */
	private static String dashed(String name) {
		return name.replaceAll("\\[\\d+]$", "").replaceAll("([a-z])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
	}

}
