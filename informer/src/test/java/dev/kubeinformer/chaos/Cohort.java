package dev.kubeinformer.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;

import dev.kubeinformer.Informers;
import dev.kubeinformer.chaos.ChaosCluster.Kind;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;

/**
 * Informers that share a client and its connections.
 */
final class Cohort implements AutoCloseable {

	private final String name;

	private final ApiClient client;

	private final Informers informers;

	private final List<Station<?>> stations = new ArrayList<>();

	Cohort(String name, ApiClient client, Informers informers) {
		this.name = name;
		this.client = client;
		this.informers = informers;
	}

	<T extends KubernetesObject> Station<T> all(String station, Kind kind, InformerSpec<T> spec) {
		return add(new Station<>(name(station), kind, this.informers.informer(spec), (object) -> true));
	}

	/** Objects enter such an informer's selector, and leave it. */
	<T extends KubernetesObject> Station<T> selected(String station, Kind kind, InformerSpec<T> spec) {
		InformerSpec<T> selective = spec.withLabelSelector(ChaosWriter.SELECTED + "=true");
		return add(new Station<>(name(station), kind, this.informers.informer(selective),
				(object) -> hasLabel(object, ChaosWriter.SELECTED)));
	}

	<T extends KubernetesObject> Station<T> inNamespaces(String station, Kind kind, InformerSpec<T> spec) {
		Informer<T> informer = this.informers.informer(spec);
		return add(new Station<>(name(station), kind, informer,
				(object) -> informer.namespaces().contains(object.getMetadata().getNamespace())));
	}

	/** Objects are stripped, and those with a label are dropped. */
	<T extends KubernetesObject> Station<T> transformed(String station, Kind kind, InformerSpec<T> spec) {
		Informer<T> informer = this.informers.informer(spec);
		informer.setTransform((object) -> {
			if (hasLabel(object, ChaosWriter.DROPPED)) {
				return null;
			}
			object.getMetadata().setAnnotations(null);
			return object;
		});
		return add(new Station<>(name(station), kind, informer, (object) -> !hasLabel(object, ChaosWriter.DROPPED)));
	}

	private static boolean hasLabel(KubernetesObject object, String label) {
		Map<String, String> labels = object.getMetadata().getLabels();
		return labels != null && "true".equals(labels.get(label));
	}

	private String name(String station) {
		return this.name + "-" + station;
	}

	private <T extends KubernetesObject> Station<T> add(Station<T> station) {
		this.stations.add(station);
		return station;
	}

	List<Station<?>> stations() {
		return this.stations;
	}

	void start() {
		this.informers.start();
	}

	void stop() {
		this.informers.stop();
	}

	/**
	 * Closes connections that no request uses.
	 */
	void closeIdleConnections() {
		this.client.getHttpClient().connectionPool().evictAll();
	}

	@Override
	public void close() {
		this.informers.close();
	}

	@Override
	public String toString() {
		return this.name;
	}

}
