package dev.kubeinformer.spring.test;

import java.time.Duration;
import java.util.List;

import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Settings of {@link EmbeddedKubernetesTest @EmbeddedKubernetesTest} for the servers.
 *
 * @param bookmarkMillis the period of bookmarks in milliseconds
 * @param garbageCollection whether objects without a remaining owner are deleted
 * @param namespace the namespace that {@code @current} stands for
 * @param clusters the names of the clusters besides the default one
 * @param definitions whether to create the definitions of the application's classes
 */
record EmbeddedKubernetesSettings(long bookmarkMillis, boolean garbageCollection, String namespace,
		List<String> clusters, boolean definitions) {

	EmbeddedKubernetes start() {
		return EmbeddedKubernetes.builder()
			.bookmarkInterval(Duration.ofMillis(this.bookmarkMillis))
			.garbageCollection(this.garbageCollection)
			.namespaces(this.namespace)
			.start();
	}

}
