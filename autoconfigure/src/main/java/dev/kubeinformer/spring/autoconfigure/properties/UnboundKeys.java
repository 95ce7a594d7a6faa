package dev.kubeinformer.spring.autoconfigure.properties;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.util.StringUtils;

import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientProperties;
import dev.kubeinformer.spring.autoconfigure.leader.LeaderProperties;
import dev.kubeinformer.spring.settings.ClusterKeyAdvice;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Finder of our properties that are written but bound to nothing: those below a key of
 * handlers, reconcilers or resources that holds dots and no brackets, those that do not
 * exist, and those below our prefix in the singular.
 */
public final class UnboundKeys {

	private static final Logger logger = LoggerFactory.getLogger(InformersProperties.class);

	private static final Map<String, Class<?>> MAPS = Map.of("handlers", InformersProperties.Handler.class, "resources",
			InformersProperties.Resource.class);

	private static final Map<String, Class<?>> ROOTS = Map.of(InformersProperties.PREFIX, InformersProperties.class,
			"kubernetes.client", KubernetesClientProperties.class, "kubernetes.leader", LeaderProperties.class);

	/**
	 * Read by others than those classes.
	 */
	private static final Set<String> ELSEWHERE = Set.of("kubernetes.client.allow-in-tests");

	private static final ConfigurationPropertyName SINGULAR = ConfigurationPropertyName.of("kubernetes.informer");

	private static final ConfigurationPropertyName SINGULAR_RECONCILER = ConfigurationPropertyName
		.of("kubernetes.reconciler");

	private static final ConfigurationPropertyName RECONCILERS = ConfigurationPropertyName
		.of(ReconcilersProperties.PREFIX);

	private static final ConfigurationPropertyName HANDLERS = ConfigurationPropertyName
		.of(InformersProperties.PREFIX + ".handlers");

	private static final ConfigurationPropertyName CLUSTERS = ConfigurationPropertyName.of(ClusterEntries.PREFIX);

	private static final ConfigurationPropertyName SINGULAR_CLUSTER = ConfigurationPropertyName
		.of("kubernetes.cluster");

	/** What leads from the name of a cluster to its resources. */
	private static final List<String> CLUSTER_RESOURCES = List.of("informers", "resources");

	/** The map of a client's properties. */
	private static final List<String> EXTRA = List.of("impersonate", "extra");

	private static final String MEANT = "Unknown property {}. Did you mean '{}'?";

	private final Environment environment;

	public UnboundKeys(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Refuses keys with dots and settings in the place of keys, and names properties that
	 * do not exist in the log.
	 * @throws InformerConfigurationException if a key holds dots and no brackets, or a
	 * setting has the place of the id of a reconciler
	 */
	public void check() {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				MAPS.forEach((map, type) -> check(iterable,
						ConfigurationPropertyName.of(InformersProperties.PREFIX).append(map),
						(key) -> properties(type)));
				checkPlaces(iterable);
				check(iterable, RECONCILERS, UnboundKeys::ofReconciler);
				ROOTS.forEach((root, type) -> report(iterable, root, properties(type)));
				reportSingular(iterable, properties(InformersProperties.class));
				reportSingularReconciler(iterable);
				checkClusters(iterable);
			}
		}
	}

	/**
	 * Refuses settings that have the place of the id of a reconciler. A service named
	 * 'kubernetes-reconcilers' is the origin of KUBERNETES_RECONCILERS_PORT and the like,
	 * so that environment variables are only named.
	 * @param source the source of the properties
	 */
	private static void checkPlaces(IterableConfigurationPropertySource source) {
		int at = RECONCILERS.getNumberOfElements();
		Map<String, String> known = properties(ReconcilersProperties.Defaults.class);
		for (ConfigurationPropertyName name : source) {
			if (!RECONCILERS.isAncestorOf(name)) {
				continue;
			}
			String setting = isReconcilerSetting(name) ? null : known.get(canonical(path(name, at)));
			String meant = (setting != null)
					? "%s.%s.%s".formatted(RECONCILERS, ReconcilersProperties.DEFAULTS, setting) : null;
			if (isVariable(source)) {
				if (meant != null) {
					logger.warn(MEANT, origin(source, name), meant);
				}
			}
			else if (hasText(source, name) && (meant != null || (name.getNumberOfElements() == at + 1
					&& source.containsDescendantOf(name) != ConfigurationPropertyState.PRESENT))) {
				throw new InformerConfigurationException(
						"%s is a setting, not an id of a reconciler".formatted(origin(source, name)),
						((meant != null) ? "Did you mean '%s'? ".formatted(meant) : "")
								+ "What holds for all reconcilers is below 'kubernetes.reconcilers.defaults', "
								+ "what holds for one below 'kubernetes.reconcilers.<id>'.");
			}
		}
	}

	private static boolean isVariable(ConfigurationPropertySource source) {
		return source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
	}

	private static boolean hasText(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		ConfigurationProperty property = source.getConfigurationProperty(name);
		return property != null && StringUtils.hasText(String.valueOf(property.getValue()));
	}

	/**
	 * Returns whether a name is that of a setting of a reconciler.
	 * @param name the name, below the prefix of reconcilers
	 * @return whether it has a key, and a property that exists
	 */
	static boolean isReconcilerSetting(ConfigurationPropertyName name) {
		int at = RECONCILERS.getNumberOfElements();
		return name.getNumberOfElements() > at + 1
				&& ofReconciler(name.getElement(at, Form.ORIGINAL)).containsKey(canonical(path(name, at + 1)));
	}

	private void checkClusters(IterableConfigurationPropertySource source) {
		int at = CLUSTERS.getNumberOfElements();
		for (ConfigurationPropertyName name : source) {
			if (SINGULAR_CLUSTER.isAncestorOf(name) && isClusterSetting(name)) {
				logger.warn(MEANT, origin(source, name),
						CLUSTERS + name.toString().substring(SINGULAR_CLUSTER.toString().length()));
			}
			if (!CLUSTERS.isAncestorOf(name) || name.getNumberOfElements() <= at + 1 || isClusterSetting(name)) {
				continue;
			}
			if (isOfClusterResource(name)) {
				check(source, name, at + 1 + CLUSTER_RESOURCES.size(), properties(InformersProperties.Resource.class));
			}
			else {
				checkCluster(source, name, at);
			}
		}
	}

	private void checkCluster(IterableConfigurationPropertySource source, ConfigurationPropertyName name, int at) {
		for (int i = at + 2; i < name.getNumberOfElements(); i++) {
			if (isClusterSetting(CLUSTERS.append("any").append(name.subName(i)))) {
				throw ClusterEntries.invalidName(name.subName(at).chop(i - at).toString(), origin(source, name));
			}
		}
		if (!isVariable(source)) {
			check(source, name, at, properties(ClusterProperties.class));
		}
	}

	/**
	 * Returns whether a name is that of a setting of a cluster.
	 * @param name the name, below the prefix of clusters or that in the singular
	 * @return whether it has the name of a cluster, and a property that exists
	 */
	static boolean isClusterSetting(ConfigurationPropertyName name) {
		int at = CLUSTERS.getNumberOfElements();
		if (isOfClusterResource(name)) {
			int key = at + 1 + CLUSTER_RESOURCES.size();
			return properties(InformersProperties.Resource.class).containsKey(canonical(path(name, key + 1)));
		}
		return name.getNumberOfElements() > at + 1
				&& properties(ClusterProperties.class).containsKey(canonical(path(name, at + 1)));
	}

	private static boolean isOfClusterResource(ConfigurationPropertyName name) {
		int at = CLUSTERS.getNumberOfElements() + 1;
		List<String> path = path(name, at);
		return path.size() > CLUSTER_RESOURCES.size()
				&& path.subList(0, CLUSTER_RESOURCES.size()).equals(CLUSTER_RESOURCES);
	}

	private static void reportSingularReconciler(IterableConfigurationPropertySource source) {
		for (ConfigurationPropertyName name : source) {
			if (SINGULAR_RECONCILER.isAncestorOf(name) && isReconcilerSetting(name)) {
				logger.warn(MEANT, origin(source, name),
						RECONCILERS + name.toString().substring(SINGULAR_RECONCILER.toString().length()));
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
		for (ConfigurationPropertyName name : source) {
			int at = SINGULAR.getNumberOfElements();
			boolean official = name.getNumberOfElements() > at && "enabled".equals(name.getElement(at, Form.UNIFORM));
			if (SINGULAR.isAncestorOf(name) && !official && isKnown(name, at, known)) {
				logger.warn(MEANT, origin(source, name),
						InformersProperties.PREFIX + name.toString().substring(SINGULAR.toString().length()));
			}
		}
	}

	private static void report(IterableConfigurationPropertySource source, String root, Map<String, String> known) {
		if (isVariable(source)) {
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
			if (EXTRA.equals(path)) {
				// Its keys are free.
				break;
			}
		}
		return path;
	}

	private static Map<String, String> ofReconciler(String key) {
		return properties(key.equalsIgnoreCase(ReconcilersProperties.DEFAULTS) ? ReconcilersProperties.Defaults.class
				: ReconcilersProperties.Reconciler.class);
	}

	private void check(IterableConfigurationPropertySource source, ConfigurationPropertyName prefix,
			Function<String, Map<String, String>> known) {
		for (ConfigurationPropertyName name : source) {
			if (prefix.isAncestorOf(name) && name.getNumberOfElements() > prefix.getNumberOfElements() + 1) {
				int at = prefix.getNumberOfElements();
				check(source, name, at, known.apply(name.getElement(at, Form.ORIGINAL)));
			}
		}
	}

	private void check(IterableConfigurationPropertySource source, ConfigurationPropertyName name, int at,
			Map<String, String> known) {
		List<String> path = path(name, at + 1);
		if (path.isEmpty() || known.containsKey(canonical(path))) {
			return;
		}
		String key = name.getElement(at, Form.ORIGINAL);
		for (int i = 1; i < path.size(); i++) {
			String property = known.get(canonical(path.subList(i, path.size())));
			if (property != null) {
				throw unbracketed(origin(source, name), name.chop(at), key + "." + String.join(".", path.subList(0, i)),
						property);
			}
		}
		String similar = InformerIds.similar(String.join(".", path), known.values());
		if (similar != null) {
			logger.warn(MEANT, origin(source, name), name.chop(at + 1) + "." + similar);
		}
		else if (!RECONCILERS.isAncestorOf(name) || !isVariable(source)) {
			logger.warn("Unknown property {} below '{}'. There are {}", origin(source, name), name.chop(at + 1),
					new LinkedHashSet<>(known.values()));
		}
	}

	private InformerConfigurationException unbracketed(String where, ConfigurationPropertyName map, String key,
			String property) {
		// Those of resources may be said for each cluster, elsewhere.
		String advice = (RECONCILERS.equals(map) || HANDLERS.equals(map))
				? ClusterKeyAdvice.of(key, ClusterEntries.read(this.environment).keySet()) : "";
		if (!advice.isEmpty()) {
			return new InformerConfigurationException(
					"%s would be lost: '%s' begins with the name of a cluster".formatted(where, key), advice.strip());
		}
		return new InformerConfigurationException(
				"%s would be lost: '%s' holds dots, which end a key".formatted(where, key),
				("Write it in brackets: '%1$s[%2$s].%3$s', in YAML '\"[%2$s]\":' below '%1$s:'. "
						+ "In the name of an environment variable leave dots, dashes and underscores of the key out: '%4$s'.")
					.formatted(map, key, property, InformerIds.canonical(key).toUpperCase(Locale.ROOT)));
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
