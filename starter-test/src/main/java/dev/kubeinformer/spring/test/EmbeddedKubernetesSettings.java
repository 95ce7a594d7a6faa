package dev.kubeinformer.spring.test;

import java.time.Duration;
import java.util.List;

import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Settings of the embedded APIs, from
 * {@link EmbeddedKubernetesTest @EmbeddedKubernetesTest}.
 *
 * @param bookmarkMillis the period of bookmarks in milliseconds
 * @param garbageCollection whether an object is deleted after its last owner
 * @param namespace the namespace of the application, for which {@code @current} stands in
 * its configuration
 * @param clusters the names of the clusters besides the default one
 * @param definitions whether to create the definitions of the application's classes
 * @param validation whether objects of built-in types are validated
 */
record EmbeddedKubernetesSettings(long bookmarkMillis, boolean garbageCollection, String namespace,
		List<String> clusters, boolean definitions, boolean validation) {

	EmbeddedKubernetes start() {
		return EmbeddedKubernetes.builder()
			.bookmarkInterval(Duration.ofMillis(this.bookmarkMillis))
			.garbageCollection(this.garbageCollection)
			.namespaces(this.namespace)
			.validation(this.validation)
			.start();
	}

}
