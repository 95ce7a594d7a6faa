package com.example.configrestart;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.models.V1ConfigMapEnvSource;
import io.kubernetes.client.openapi.models.V1ConfigMapKeySelector;
import io.kubernetes.client.openapi.models.V1ConfigMapProjection;
import io.kubernetes.client.openapi.models.V1ConfigMapVolumeSource;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1EnvFromSource;
import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1EnvVarSource;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1ProjectedVolumeSource;
import io.kubernetes.client.openapi.models.V1SecretEnvSource;
import io.kubernetes.client.openapi.models.V1SecretKeySelector;
import io.kubernetes.client.openapi.models.V1SecretProjection;
import io.kubernetes.client.openapi.models.V1SecretVolumeSource;
import io.kubernetes.client.openapi.models.V1Volume;
import io.kubernetes.client.openapi.models.V1VolumeProjection;

/**
 * Names of the ConfigMaps and Secrets that a pod uses: as variables and as volumes.
 *
 * @param configMaps the names of the ConfigMaps
 * @param secrets the names of the Secrets
 */
record ConfigReferences(SortedSet<String> configMaps, SortedSet<String> secrets) {

	static ConfigReferences of(V1PodSpec pod) {
		List<V1Container> containers = Stream.concat(all(pod.getContainers()), all(pod.getInitContainers())).toList();
		List<V1EnvFromSource> from = each(containers, V1Container::getEnvFrom);
		List<V1EnvVarSource> values = each(containers, V1Container::getEnv).stream()
			.map(V1EnvVar::getValueFrom)
			.filter(Objects::nonNull)
			.toList();
		List<V1Volume> volumes = all(pod.getVolumes()).toList();
		List<V1VolumeProjection> projections = each(parts(volumes, V1Volume::getProjected).toList(),
				V1ProjectedVolumeSource::getSources);
		return new ConfigReferences(
				names(parts(from, V1EnvFromSource::getConfigMapRef).map(V1ConfigMapEnvSource::getName),
						parts(values, V1EnvVarSource::getConfigMapKeyRef).map(V1ConfigMapKeySelector::getName),
						parts(volumes, V1Volume::getConfigMap).map(V1ConfigMapVolumeSource::getName),
						parts(projections, V1VolumeProjection::getConfigMap).map(V1ConfigMapProjection::getName)),
				names(parts(from, V1EnvFromSource::getSecretRef).map(V1SecretEnvSource::getName),
						parts(values, V1EnvVarSource::getSecretKeyRef).map(V1SecretKeySelector::getName),
						parts(volumes, V1Volume::getSecret).map(V1SecretVolumeSource::getSecretName),
						parts(projections, V1VolumeProjection::getSecret).map(V1SecretProjection::getName)));
	}

	private static <T> Stream<T> all(Collection<T> elements) {
		return Optional.ofNullable(elements).stream().flatMap(Collection::stream);
	}

	private static <T, R> List<R> each(List<T> elements, Function<T, ? extends Collection<R>> lists) {
		return elements.stream().<R>flatMap((element) -> all(lists.apply(element))).toList();
	}

	private static <T, R> Stream<R> parts(List<T> elements, Function<T, R> part) {
		return elements.stream().map(part).filter(Objects::nonNull);
	}

	@SafeVarargs
	private static SortedSet<String> names(Stream<String>... names) {
		SortedSet<String> all = new TreeSet<>();
		Stream.of(names).forEach((part) -> part.forEach(all::add));
		return all;
	}

}
