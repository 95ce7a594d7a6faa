package dev.kubeinformer.spring.autoconfigure.properties;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

import dev.kubeinformer.spring.cluster.InformerClusters;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.PropertyRanges;

/**
 * Properties of named clusters. They are not bound to a properties class, because a
 * service named 'kubernetes-clusters' would cause environment variables such as
 * KUBERNETES_CLUSTERS_PORT.
 */
public final class ClusterEntries {

	/** Prefix of the properties of named clusters. */
	public static final String PREFIX = "kubernetes.clusters";

	private static final ConfigurationPropertyName NAME = ConfigurationPropertyName.of(PREFIX);

	private ClusterEntries() {
	}

	/**
	 * Reads the entries and checks their ranges.
	 * @param environment the environment
	 * @return the entries by the name of the cluster, in alphabetical order
	 * @throws InformerConfigurationException if a key is not a valid cluster name
	 * @throws InvalidPropertyValueException if a value is not valid
	 */
	public static Map<String, ClusterProperties> read(Environment environment) {
		Set<String> names = names(environment);
		Binder binder = UnboundPropertiesCheck.binder(environment, PREFIX);
		Map<String, ClusterProperties> entries = new TreeMap<>();
		for (String name : names) {
			ClusterProperties entry = binder.bindOrCreate(name(name, ""), ClusterProperties.class);
			entry.checkRanges(name);
			entries.put(name, entry);
		}
		return entries;
	}

	/**
	 * Reads the names of the clusters, but no values: ahead-of-time processing cannot
	 * resolve placeholders of the environment at run time. Names that map to the same
	 * environment variable count as one.
	 * @param environment the environment
	 * @return the names of the clusters, in alphabetical order
	 * @throws InformerConfigurationException if a key is not a valid cluster name
	 * @throws InvalidPropertyValueException if a value is set for the name of a cluster
	 * itself instead of for a property below it
	 */
	public static Set<String> names(Environment environment) {
		Set<String> keys = new LinkedHashSet<>();
		for (ConfigurationPropertySource source : UnboundPropertiesCheck.sources(environment, NAME)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				iterable.stream()
					.filter(NAME::isAncestorOf)
					.forEach((name) -> keys.add(name.getElement(NAME.getNumberOfElements(), Form.ORIGINAL)));
			}
		}
		keys.addAll(withoutProperties(environment));
		keys.forEach(ClusterEntries::requireName);
		Map<String, String> names = new LinkedHashMap<>();
		// If a name has several forms, keep that of the last source. This source has the
		// lowest precedence, so it is a file rather than an environment variable, which
		// has no '-'.
		keys.forEach((key) -> names.put(InformerIds.canonical(key), key));
		return new TreeSet<>(names.values());
	}

	private static void requireName(String key) {
		if (InformerIds.canonical(key).equals(InformerClusters.DEFAULT)) {
			throw new InformerConfigurationException(
					"The configuration has 'kubernetes.clusters.%s', but that is the name of the cluster of 'kubernetes.client'"
						.formatted(key),
					"Give the cluster another name. The settings of the default cluster are below "
							+ "'kubernetes.client' and 'kubernetes.informers'.");
		}
		if (!InformerIds.isCluster(key)) {
			throw invalidName(key, "'%s'".formatted(name(key, "")));
		}
	}

	static InformerConfigurationException invalidName(String name, String place) {
		return new InformerConfigurationException(
				"%s names a cluster '%s', which is not a valid name".formatted(place, name),
				"Use lower-case letters, digits and '-' for the key below 'kubernetes.clusters', and no dots: "
						+ "ids are made of it, such as 'edge.pods'. Environment variables leave '-' out, as in "
						+ "KUBERNETES_CLUSTERS_PRODEU_URL for 'prod-eu'.");
	}

	/**
	 * Returns the names of clusters without properties, which are defined by beans.
	 * @param environment the environment
	 * @return the names
	 */
	private static List<String> withoutProperties(Environment environment) {
		List<String> names = new ArrayList<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable
					&& !UnboundPropertiesCheck.isVariable(source)) {
				for (ConfigurationPropertyName name : iterable) {
					if (NAME.isParentOf(name)) {
						requireBlank(name, iterable.getConfigurationProperty(name));
						names.add(name.getLastElement(Form.ORIGINAL));
					}
				}
			}
		}
		return names;
	}

	private static void requireBlank(ConfigurationPropertyName name, @Nullable ConfigurationProperty property) {
		if (property != null && StringUtils.hasText(String.valueOf(property.getValue()))) {
			throw InvalidPropertyValueException.secret(name.toString(),
					"has a value, which is not shown here; a cluster has properties below its name, such as '%s.url'"
						.formatted(name));
		}
	}

	/**
	 * Returns the name of a property of a cluster.
	 * @param cluster the name of the cluster
	 * @param property the name of the property below it; empty for the entry itself
	 * @return the name
	 */
	public static String name(String cluster, String property) {
		String entry = PropertyRanges.entry(PREFIX, cluster);
		return property.isEmpty() ? entry : entry + "." + property;
	}

}
