package dev.kubeinformer.spring.test;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Service;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.RequiredRbac;

/**
 * Options of {@link KubernetesManifests}. Do not change an instance:
 * {@link #changed(Consumer)} returns a changed copy.
 */
final class ManifestOptions {

	/** Name of a single cluster; {@code null} for all clusters. */
	@Nullable String cluster;

	@Nullable String name;

	@Nullable String namespace;

	@Nullable String serviceAccount;

	@Nullable String image;

	@Nullable String version;

	@Nullable Integer replicas;

	List<String> profiles = List.of();

	List<RequiredRbac> rules = List.of();

	List<Class<?>> definitions = List.of();

	List<Class<?>> foreignDefinitions = List.of();

	List<Consumer<? super V1Deployment>> deployment = List.of();

	List<Consumer<? super V1Service>> services = List.of();

	boolean withNamespace = true;

	boolean withDeployment = true;

	boolean withService;

	boolean breakingChangesAccepted;

	ManifestOptions changed(Consumer<ManifestOptions> change) {
		ManifestOptions copy = new ManifestOptions();
		copy.cluster = this.cluster;
		copy.name = this.name;
		copy.namespace = this.namespace;
		copy.serviceAccount = this.serviceAccount;
		copy.image = this.image;
		copy.version = this.version;
		copy.replicas = this.replicas;
		copy.profiles = this.profiles;
		copy.rules = this.rules;
		copy.definitions = this.definitions;
		copy.foreignDefinitions = this.foreignDefinitions;
		copy.deployment = this.deployment;
		copy.services = this.services;
		copy.withNamespace = this.withNamespace;
		copy.withDeployment = this.withDeployment;
		copy.withService = this.withService;
		copy.breakingChangesAccepted = this.breakingChangesAccepted;
		change.accept(copy);
		return copy;
	}

	static <T> List<T> plus(List<? extends T> before, List<? extends T> more) {
		return Stream.<T>concat(before.stream(), more.stream()).toList();
	}

}
