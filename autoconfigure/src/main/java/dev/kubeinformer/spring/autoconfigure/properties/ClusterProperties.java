package dev.kubeinformer.spring.autoconfigure.properties;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientProperties;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.PropertyRanges;

/**
 * Properties of a cluster that has a name: those of its client, and what differs for
 * informers in it. Nothing of {@code kubernetes.client} is inherited.
 */
public class ClusterProperties extends KubernetesClientProperties {

	private final Informers informers = new Informers();

	/**
	 * Whether the application is not ready before handlers, reconcilers and informers in
	 * this cluster are synced, and a start that waits for informers waits for them.
	 */
	private boolean readiness;

	public Informers getInformers() {
		return this.informers;
	}

	public boolean isReadiness() {
		return this.readiness;
	}

	public void setReadiness(@Nullable Boolean readiness) {
		if (readiness != null) {
			this.readiness = readiness;
		}
	}

	/**
	 * Checks what the types of the properties do not say.
	 * @param name the name of the cluster
	 * @throws InvalidPropertyValueException if a value is out of its range
	 */
	void checkRanges(String name) {
		String prefix = ClusterEntries.name(name, "");
		check(prefix);
		PropertyRanges ranges = new PropertyRanges(prefix + ".informers");
		ranges.zeroOrMore("resync", this.informers.getResync());
		ranges.atLeast("concurrent-lists", this.informers.getConcurrentLists(), 1);
		this.informers.getResources().forEach((key, resource) -> {
			String entry = PropertyPaths.entry("resources", key);
			ranges.zeroOrMore(entry + ".resync", resource.getResync());
			ranges.atLeast(entry + ".page-size", resource.getPageSize(), 0);
		});
	}

	/**
	 * Properties of informers in the cluster, before those of
	 * {@code kubernetes.informers}.
	 */
	public static class Informers {

		/**
		 * Namespaces to watch in the cluster, '*' for all, '@current' for that of its
		 * kubeconfig's context. Ignored for resources without namespace.
		 */
		private @Nullable List<String> namespaces;

		/**
		 * Period in which handlers get every cached object of the cluster again; zero for
		 * never.
		 */
		private @Nullable Duration resync;

		/**
		 * Number of lists that the informers of the cluster read at once.
		 */
		private @Nullable Integer concurrentLists;

		/**
		 * What differs for a resource of the cluster, by its plural and group, such as
		 * pods or "[deployments.apps]".
		 */
		private Map<String, InformersProperties.Resource> resources = new LinkedHashMap<>();

		public @Nullable List<String> getNamespaces() {
			return this.namespaces;
		}

		public void setNamespaces(@Nullable List<String> namespaces) {
			this.namespaces = namespaces;
		}

		public @Nullable Duration getResync() {
			return this.resync;
		}

		public void setResync(@Nullable Duration resync) {
			this.resync = resync;
		}

		public @Nullable Integer getConcurrentLists() {
			return this.concurrentLists;
		}

		public void setConcurrentLists(@Nullable Integer concurrentLists) {
			this.concurrentLists = concurrentLists;
		}

		public Map<String, InformersProperties.Resource> getResources() {
			return this.resources;
		}

		public void setResources(Map<String, InformersProperties.Resource> resources) {
			this.resources = resources;
		}

	}

}
