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
 * Namespace of a trial, with the reconciled objects and those that runs created: their
 * resourceVersions show the order in which replicas wrote.
 */
class Records implements Closeable {

	static final String PRIMARIES = "benchmark=primary";

	private static final String WRITER = "writer";

	private static final String TERM = "term";

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

	static Map<String, String> labels(Write write) {
		return Map.of(WRITER, write.writer(), TERM, Long.toString(write.term()));
	}

	String namespace() {
		return this.namespace;
	}

	/**
	 * Returns the writes.
	 * @return the writes in the order in which the API server accepted them
	 * @throws ApiException if the API server rejects the request
	 */
	List<Write> writes() throws ApiException {
		return this.core.listNamespacedSecret(this.namespace)
			.labelSelector(WRITER)
			.execute()
			.getItems()
			.stream()
			.map((secret) -> Objects.requireNonNull(secret.getMetadata()))
			.sorted(Comparator
				.comparingLong((metadata) -> Long.parseLong(Objects.requireNonNull(metadata.getResourceVersion()))))
			.map((metadata) -> Objects.requireNonNull(metadata.getLabels()))
			.map((labels) -> new Write(Objects.requireNonNull(labels.get(WRITER)),
					Long.parseLong(Objects.requireNonNull(labels.get(TERM)))))
			.toList();
	}

	/**
	 * Returns writes that came after one of a later term, or of another replica in the
	 * same term. A replica may write in two terms that surround those of others.
	 * @param writes all writes, in order
	 * @return each such write, preceded by the one before it
	 */
	static List<List<Write>> late(List<Write> writes) {
		List<List<Write>> late = new ArrayList<>();
		for (int i = 1; i < writes.size(); i++) {
			Write before = writes.get(i - 1);
			Write write = writes.get(i);
			if (write.term() < before.term()
					|| write.term() == before.term() && !write.writer().equals(before.writer())) {
				late.add(List.of(before, write));
			}
		}
		return late;
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

	/**
	 * An object that a run created.
	 *
	 * @param writer the name of the replica
	 * @param term the term in which the run began; 0 if there was none
	 */
	record Write(String writer, long term) {
	}

}
