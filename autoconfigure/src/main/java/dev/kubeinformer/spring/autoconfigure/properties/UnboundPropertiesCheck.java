package dev.kubeinformer.spring.autoconfigure.properties;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
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
 * Reports properties under the starter's prefixes that are not bound: unknown properties,
 * properties below a key that has dots but no brackets, and properties below a prefix in
 * the singular. Does not use Boot's handler of unbound elements, because that handler
 * also reports blank values and environment variables with additional underscores.
 */
public final class UnboundPropertiesCheck {

	private static final Logger logger = LoggerFactory.getLogger(InformersProperties.class);

	private static final ConfigurationPropertyName INFORMERS = ConfigurationPropertyName.of(InformersProperties.PREFIX);

	private static final ConfigurationPropertyName HANDLERS = INFORMERS.append("handlers");

	private static final ConfigurationPropertyName RESOURCES = INFORMERS.append("resources");

	private static final ConfigurationPropertyName RECONCILERS = ConfigurationPropertyName
		.of(ReconcilersProperties.PREFIX);

	private static final ConfigurationPropertyName CLUSTERS = ConfigurationPropertyName.of(ClusterEntries.PREFIX);

	private static final Map<ConfigurationPropertyName, Class<?>> ROOTS = Map.of(INFORMERS, InformersProperties.class,
			ConfigurationPropertyName.of("kubernetes.client"), KubernetesClientProperties.class,
			ConfigurationPropertyName.of("kubernetes.leader"), LeaderProperties.class,
			ConfigurationPropertyName.of(DefinitionsProperties.PREFIX), DefinitionsProperties.class);

	private static final Map<ConfigurationPropertyName, ConfigurationPropertyName> PLURALS = Map.of(
			ConfigurationPropertyName.of("kubernetes.informer"), INFORMERS,
			ConfigurationPropertyName.of("kubernetes.reconciler"), RECONCILERS,
			ConfigurationPropertyName.of("kubernetes.cluster"), CLUSTERS,
			ConfigurationPropertyName.of("kubernetes.definition"),
			ConfigurationPropertyName.of(DefinitionsProperties.PREFIX));

	/**
	 * Properties that other code reads. {@code kubernetes.informer.enabled} belongs to
	 * the official client's Spring integration.
	 */
	private static final Set<ConfigurationPropertyName> ELSEWHERE = Set.of(
			ConfigurationPropertyName.of("kubernetes.client.allow-in-tests"),
			ConfigurationPropertyName.of("kubernetes.informer.enabled"));

	/** Path of a client property that is a map with arbitrary keys. */
	private static final List<String> EXTRA = List.of("impersonate", "extra");

	/**
	 * Endings of the environment variables that Kubernetes sets for a service, in the
	 * form of properties.
	 */
	private static final Pattern SERVICE = Pattern
		.compile("\\.(service\\.(host|port(\\..+)?)|port(\\[\\d+]\\.(tcp|udp|sctp)(\\.(proto|port|addr))?)?)$");

	private static final String MEANT = "Unknown property {}. Did you mean '{}'?";

	private final Environment environment;

	public UnboundPropertiesCheck(Environment environment) {
		this.environment = environment;
	}

	/**
	 * Logs unknown properties. Rejects keys that have dots but no brackets, and settings
	 * in the place of a reconciler's id.
	 * @throws InformerConfigurationException if there is such a key or setting
	 */
	public void check() {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				iterable.stream().filter((name) -> !ELSEWHERE.contains(name)).forEach((name) -> check(iterable, name));
			}
		}
	}

	private void check(IterableConfigurationPropertySource source, ConfigurationPropertyName name) {
		checkSingular(source, name);
		checkReconcilerPlace(source, name);
		Place place = Place.of(name);
		if (place == null || place.isKnown()) {
			return;
		}
		boolean cluster = CLUSTERS.isParentOf(place.below());
		if (cluster) {
			requireClusterName(source, name);
		}
		if (!isVariable(source) || !isOfService(name)) {
			report(source, name, place);
		}
	}

	private void report(IterableConfigurationPropertySource source, ConfigurationPropertyName name, Place place) {
		if (place.entry()) {
			List<String> path = place.path();
			for (int i = 1; i < path.size(); i++) {
				String property = place.known().get(canonical(path.subList(i, path.size())));
				if (property != null) {
					throw unbracketed(origin(source, name), place.below(), String.join(".", path.subList(0, i)),
							property);
				}
			}
			String similar = InformerIds.similar(String.join(".", path), place.known().values());
			if (similar != null) {
				logger.warn(MEANT, origin(source, name), place.below() + "." + similar);
				return;
			}
		}
		logger.warn("Unknown property {} below '{}'. There are {}", origin(source, name), place.below(),
				new LinkedHashSet<>(place.known().values()));
	}

	/**
	 * Logs a property below a prefix in the singular if the prefix in the plural has such
	 * a property. Other properties are ignored, because a service named
	 * 'kubernetes-informer' causes environment variables such as
	 * KUBERNETES_INFORMER_PORT.
	 * @param source the source of the property
	 * @param name the name of the property
	 */
	private static void checkSingular(IterableConfigurationPropertySource source, ConfigurationPropertyName name) {
		PLURALS.forEach((singular, plural) -> {
			if (singular.isAncestorOf(name)) {
				Place place = Place.of(plural.append(name.subName(singular.getNumberOfElements())));
				if (place != null
						&& (place.isSetting() || (plural.equals(INFORMERS) && (place.entry() || place.isKnown())))) {
					logger.warn(MEANT, origin(source, name),
							plural + name.toString().substring(singular.toString().length()));
				}
			}
		});
	}

	/**
	 * Rejects a setting in the place of a reconciler's id. An environment variable is
	 * only logged, because a service named 'kubernetes-reconcilers' causes variables such
	 * as KUBERNETES_RECONCILERS_PORT.
	 * @param source the source of the property
	 * @param name the name of the property
	 */
	private static void checkReconcilerPlace(IterableConfigurationPropertySource source,
			ConfigurationPropertyName name) {
		if (!RECONCILERS.isAncestorOf(name)) {
			return;
		}
		int at = RECONCILERS.getNumberOfElements();
		String setting = isSetting(name) ? null
				: known(ReconcilersProperties.Defaults.class).get(canonical(path(name, at)));
		String meant = (setting != null) ? "%s.%s.%s".formatted(RECONCILERS, ReconcilersProperties.DEFAULTS, setting)
				: null;
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
							+ "Settings of all reconcilers are below 'kubernetes.reconcilers.defaults', "
							+ "those of a single one below 'kubernetes.reconcilers.<id>'.");
		}
	}

	private static void requireClusterName(IterableConfigurationPropertySource source, ConfigurationPropertyName name) {
		int at = CLUSTERS.getNumberOfElements();
		for (int i = at + 2; i < name.getNumberOfElements(); i++) {
			if (isSetting(CLUSTERS.append("any").append(name.subName(i)))) {
				throw ClusterEntries.invalidName(name.subName(at).chop(i - at).toString(), origin(source, name));
			}
		}
	}

	/**
	 * Returns a binder of the entries of a map. It ignores keys without a value. It also
	 * ignores environment variables that are not settings, because a service named
	 * 'kubernetes-reconcilers' causes variables such as KUBERNETES_RECONCILERS_PORT.
	 * @param environment the environment
	 * @param map the name of the map
	 * @return the binder
	 */
	static Binder binder(Environment environment, String map) {
		return new Binder(sources(environment, ConfigurationPropertyName.of(map)),
				new PropertySourcesPlaceholdersResolver(environment));
	}

	static List<ConfigurationPropertySource> sources(Environment environment, ConfigurationPropertyName map) {
		List<ConfigurationPropertySource> sources = new ArrayList<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			sources.add(source.filter((name) -> !map.isAncestorOf(name)
					|| (isVariable(source) ? isSetting(name) : !map.isParentOf(name))));
		}
		return sources;
	}

	static boolean isVariable(ConfigurationPropertySource source) {
		return source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
	}

	/**
	 * Returns whether Kubernetes may set an environment variable of this name for a
	 * service, such as KUBERNETES_CLIENT_PORT for a service named 'kubernetes-client'.
	 * @param name the name of the property
	 * @return {@code true} if the name has the ending of a service's variable
	 */
	private static boolean isOfService(ConfigurationPropertyName name) {
		return SERVICE.matcher(name.toString()).find();
	}

	private static boolean hasText(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		ConfigurationProperty property = source.getConfigurationProperty(name);
		return property != null && StringUtils.hasText(String.valueOf(property.getValue()));
	}

	private static boolean isSetting(ConfigurationPropertyName name) {
		Place place = Place.of(name);
		return place != null && place.isSetting();
	}

	private InformerConfigurationException unbracketed(String where, ConfigurationPropertyName entry, String rest,
			String property) {
		ConfigurationPropertyName map = entry.getParent();
		String key = entry.getLastElement(Form.ORIGINAL) + "." + rest;
		// Do not give this advice for a key of a resource. Such a key may also begin with
		// the name of a cluster, but each cluster has its own properties of resources.
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
	 * Returns the name and the origin of a property. If it is an environment variable,
	 * the origin contains the name of the variable.
	 * @param source the source with the property
	 * @param name the name of the property
	 * @return the text for messages
	 */
	private static String origin(ConfigurationPropertySource source, ConfigurationPropertyName name) {
		ConfigurationProperty property = source.getConfigurationProperty(name);
		Object origin = (property != null) ? property.getOrigin() : null;
		return (origin != null) ? "'%s' (%s)".formatted(name, origin) : "'%s'".formatted(name);
	}

	private static List<String> path(ConfigurationPropertyName name, int from) {
		List<String> path = new ArrayList<>();
		for (int i = from; i < name.getNumberOfElements() && !path.equals(EXTRA); i++) {
			if (!name.isNumericIndex(i)) {
				path.add(name.getElement(i, Form.ORIGINAL));
			}
		}
		return path;
	}

	private static String canonical(List<String> path) {
		return InformerIds.canonical(String.join("", path));
	}

	private static Map<String, String> known(Class<?> type) {
		Map<String, String> names = new LinkedHashMap<>();
		Stream.of(type.getRecordComponents())
			.sorted(Comparator.comparing(RecordComponent::getName))
			.forEach((component) -> {
				String canonical = InformerIds.canonical(component.getName());
				String dashed = component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
				if (component.getType().isRecord()) {
					known(component.getType())
						.forEach((name, written) -> names.put(canonical + name, dashed + "." + written));
				}
				else {
					names.put(canonical, dashed);
				}
			});
		return names;
	}

	/**
	 * Position of a property.
	 *
	 * @param below the root of the property, or the entry of a map that contains the
	 * property
	 * @param entry {@code true} if the property belongs to an entry of a map
	 * @param path the rest of the property's name, without indexes
	 * @param known the names of the existing properties, without dashes and dots
	 */
	private record Place(ConfigurationPropertyName below, boolean entry, List<String> path, Map<String, String> known) {

		static @Nullable Place of(ConfigurationPropertyName name) {
			if (CLUSTERS.isAncestorOf(name)) {
				ConfigurationPropertyName resources = name.chop(3).append("informers.resources");
				return resources.isAncestorOf(name) ? ofEntry(resources, name, InformersProperties.Resource.class)
						: ofEntry(CLUSTERS, name, ClusterProperties.class);
			}
			if (RECONCILERS.isAncestorOf(name)) {
				return ofEntry(RECONCILERS, name,
						name.getElement(2, Form.ORIGINAL).equalsIgnoreCase(ReconcilersProperties.DEFAULTS)
								? ReconcilersProperties.Defaults.class : ReconcilersProperties.Reconciler.class);
			}
			if (HANDLERS.isAncestorOf(name)) {
				return ofEntry(HANDLERS, name, InformersProperties.Handler.class);
			}
			if (RESOURCES.isAncestorOf(name)) {
				return ofEntry(RESOURCES, name, InformersProperties.Resource.class);
			}
			return ROOTS.entrySet()
				.stream()
				.filter((root) -> root.getKey().isAncestorOf(name))
				.map((root) -> new Place(root.getKey(), false, UnboundPropertiesCheck.path(name, 2),
						UnboundPropertiesCheck.known(root.getValue())))
				.findFirst()
				.orElse(null);
		}

		private static Place ofEntry(ConfigurationPropertyName map, ConfigurationPropertyName name, Class<?> type) {
			int at = map.getNumberOfElements() + 1;
			return new Place(name.chop(at), true, UnboundPropertiesCheck.path(name, at),
					UnboundPropertiesCheck.known(type));
		}

		boolean isKnown() {
			return (this.entry && this.path.isEmpty()) || this.known.containsKey(canonical(this.path));
		}

		boolean isSetting() {
			return this.entry && this.known.containsKey(canonical(this.path));
		}

	}

}
