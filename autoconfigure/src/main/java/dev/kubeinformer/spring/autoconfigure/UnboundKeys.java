package dev.kubeinformer.spring.autoconfigure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientProperties;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Finder of our properties that are written but bound to nothing: those below a key of
 * handlers or resources that holds dots and no brackets, those that do not exist, and
 * those below our prefix in the singular.
 */
final class UnboundKeys {

	private static final Logger logger = LoggerFactory.getLogger(InformersProperties.class);

	private static final Map<String, Class<?>> MAPS = Map.of("handlers", InformersProperties.Handler.class, "resources",
			InformersProperties.Resource.class);

	private static final Map<String, Class<?>> ROOTS = Map.of(InformersProperties.PREFIX, InformersProperties.class,
			"kubernetes.client", KubernetesClientProperties.class);

	/**
	 * Read by others than those classes.
	 */
	private static final Set<String> ELSEWHERE = Set.of("kubernetes.client.allow-in-tests");

	private static final String SINGULAR = "kubernetes.informer";

	private final Environment environment;

	UnboundKeys(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Refuses keys with dots, and names properties that do not exist in the log.
	 * @throws UnbracketedKeyException if a key holds dots and no brackets
	 */
	void check() {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				MAPS.forEach((map, type) -> check(iterable, map, properties(type)));
				ROOTS.forEach((root, type) -> report(iterable, root, properties(type)));
				reportSingular(iterable, properties(InformersProperties.class));
			}
		}
	}

	/**
	 * Names properties below the prefix in the singular if they exist in the plural. The
	 * official client's Spring integration has the prefix in the singular and a property
	 * 'enabled' too, and a service named 'kubernetes-informer' is the origin of
	 * KUBERNETES_INFORMER_PORT and the like.
	 * @param source the source of the properties
	 * @param known those that exist in the plural
	 */
	private static void reportSingular(IterableConfigurationPropertySource source, Map<String, String> known) {
		ConfigurationPropertyName prefix = ConfigurationPropertyName.of(SINGULAR);
		for (ConfigurationPropertyName name : source) {
			int at = prefix.getNumberOfElements();
			boolean official = name.getNumberOfElements() > at && "enabled".equals(name.getElement(at, Form.UNIFORM));
			if (prefix.isAncestorOf(name) && !official && isKnown(name, at, known)) {
				logger.warn("Unknown property {}. Did you mean '{}'?", origin(source, name),
						InformersProperties.PREFIX + name.toString().substring(SINGULAR.length()));
			}
		}
	}

	private static void report(IterableConfigurationPropertySource source, String root, Map<String, String> known) {
		if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource) {
			// A service may be the origin of KUBERNETES_CLIENT_PORT and the like.
			return;
		}
		ConfigurationPropertyName prefix = ConfigurationPropertyName.of(root);
		for (ConfigurationPropertyName name : source) {
			if (prefix.isAncestorOf(name) && !isKnown(name, prefix.getNumberOfElements(), known)) {
				logger.warn("Unknown property {} below '{}'. There are {}", origin(source, name), root,
						new LinkedHashSet<>(known.values()));
			}
		}
	}

	private static boolean isKnown(ConfigurationPropertyName name, int at, Map<String, String> known) {
		if (MAPS.containsKey(name.getElement(at, Form.UNIFORM))) {
			return true;
		}
		return ELSEWHERE.contains(name.toString()) || known.containsKey(canonical(path(name, at)));
	}

	private static List<String> path(ConfigurationPropertyName name, int from) {
		List<String> path = new ArrayList<>();
		for (int i = from; i < name.getNumberOfElements(); i++) {
			if (!name.isNumericIndex(i)) {
				path.add(name.getElement(i, Form.ORIGINAL));
			}
		}
		return path;
	}

	private static void check(IterableConfigurationPropertySource source, String map, Map<String, String> known) {
		ConfigurationPropertyName prefix = ConfigurationPropertyName.of(InformersProperties.PREFIX).append(map);
		for (ConfigurationPropertyName name : source) {
			if (prefix.isAncestorOf(name) && name.getNumberOfElements() > prefix.getNumberOfElements() + 1) {
				check(source, name, prefix.getNumberOfElements(), known);
			}
		}
	}

	private static void check(IterableConfigurationPropertySource source, ConfigurationPropertyName name, int at,
			Map<String, String> known) {
		List<String> path = path(name, at + 1);
		if (path.isEmpty() || known.containsKey(canonical(path))) {
			return;
		}
		String key = name.getElement(at, Form.ORIGINAL);
		for (int i = 1; i < path.size(); i++) {
			String property = known.get(canonical(path.subList(i, path.size())));
			if (property != null) {
				throw new UnbracketedKeyException(origin(source, name), name.chop(at).toString(),
						key + "." + String.join(".", path.subList(0, i)), property);
			}
		}
		logger.warn("Unknown property {}: there is no '{}'. There are {}", origin(source, name), String.join(".", path),
				new LinkedHashSet<>(known.values()));
	}

	/**
	 * Returns where a property is written. An environment variable has another name
	 * there.
	 * @param source the source that has the property
	 * @param name the name of the property
	 * @return its place
	 */
	private static String origin(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		ConfigurationProperty property = source.getConfigurationProperty(name);
		Object origin = (property != null) ? property.getOrigin() : null;
		return (origin != null) ? "'%s' (%s)".formatted(name, origin) : "'%s'".formatted(name);
	}

	private static String canonical(List<String> path) {
		return InformerIds.canonical(String.join("", path));
	}

	private static Map<String, String> properties(Class<?> type) {
		Map<String, String> names = new LinkedHashMap<>();
		for (String path : PropertyPaths.of(type)) {
			names.put(InformerIds.canonical(path), dashed(path));
		}
		return names;
	}

	private static String dashed(String property) {
		return property.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
	}

}
