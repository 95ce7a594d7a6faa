package dev.kubeinformer.benchmark.leader;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.Config;

/**
 * Namespace of a trial, with the objects that are reconciled and those that runs created:
 * their resourceVersions are the order in which replicas wrote.
 */
class Records implements Closeable {

	static final String PRIMARIES = "benchmark=primary";

	private static final String WRITER = "writer";

	private final String namespace = "replicas-" + UUID.randomUUID().toString().substring(0, 8);

	private final CoreV1Api core;

	Records(Path kubeconfig, int primaries) throws IOException, ApiException {
		this.core = new CoreV1Api(Config.fromConfig(Files.newBufferedReader(kubeconfig)));
		this.core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace))).execute();
		for (int i = 0; i < primaries; i++) {
			V1ObjectMeta metadata = new V1ObjectMeta().name("primary-" + i).labels(Map.of("benchmark", "primary"));
			this.core.createNamespacedConfigMap(this.namespace, new V1ConfigMap().metadata(metadata)).execute();
		}
	}

	static Map<String, String> labels(String writer) {
		return Map.of(WRITER, writer);
	}

	String namespace() {
		return this.namespace;
	}

	/**
	 * Returns who wrote.
	 * @return the names of the replicas in the order of their writes
	 * @throws ApiException if the API server refuses to show them
	 */
	List<String> writers() throws ApiException {
		return this.core.listNamespacedSecret(this.namespace)
			.labelSelector(WRITER)
			.execute()
			.getItems()
			.stream()
			.map((secret) -> Objects.requireNonNull(secret.getMetadata()))
			.sorted(Comparator
				.comparingLong((metadata) -> Long.parseLong(Objects.requireNonNull(metadata.getResourceVersion()))))
			.map((metadata) -> Objects.requireNonNull(metadata.getLabels()).get(WRITER))
			.toList();
	}

	/**
	 * Returns who wrote after whom.
	 * @param writers the writers of all writes
	 * @return the writers without repetitions
	 */
	static List<String> turns(List<String> writers) {
		List<String> turns = new ArrayList<>();
		for (String writer : writers) {
			if (turns.isEmpty() || !turns.get(turns.size() - 1).equals(writer)) {
				turns.add(writer);
			}
		}
		return turns;
	}

	void forget() throws ApiException {
		this.core.deleteCollectionNamespacedSecret(this.namespace).execute();
	}

	@Override
	public void close() throws IOException {
		try {
			forget();
			this.core.deleteCollectionNamespacedConfigMap(this.namespace).execute();
			this.core.deleteNamespace(this.namespace).execute();
		}
		catch (ApiException ex) {
			throw new IOException("The namespace '%s' cannot be removed".formatted(this.namespace), ex);
		}
	}

}
