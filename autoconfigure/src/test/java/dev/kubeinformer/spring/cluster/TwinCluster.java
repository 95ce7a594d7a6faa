package dev.kubeinformer.spring.cluster;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.spring.Gear;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.StatusException;

/**
 * One of several clusters whose objects have the same names. Each object says which
 * cluster it is in.
 */
final class TwinCluster implements AutoCloseable {

	static final String ORIGIN = "origin";

	private static final List<String> NAMESPACES = List.of("web", "batch");

	private static final List<String> NAMES = List.of("one", "two", "three", "four");

	private final String name;

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder()
		.namespacesMustExist(false)
		.garbageCollection(true)
		.start();

	private final ApiResources<Gear> gears = Gear.serve(this.kubernetes);

	private final ApiResources<V1Pod> pods = this.kubernetes.resources(V1Pod.class);

	private final ApiResources<V1ConfigMap> configMaps = this.kubernetes.resources(V1ConfigMap.class);

	TwinCluster(String name) {
		this.name = name;
	}

	String name() {
		return this.name;
	}

	String url() {
		return this.kubernetes.url();
	}

	List<V1Pod> pods() {
		return this.pods.list();
	}

	List<Gear> gears() {
		return this.gears.list();
	}

	List<V1ConfigMap> configMaps() {
		return this.configMaps.list();
	}

	/**
	 * Does something at random: creates, changes or deletes an object, or cuts
	 * connections.
	 * @param random decides what
	 */
	void operate(Random random) {
		String namespace = NAMESPACES.get(random.nextInt(NAMESPACES.size()));
		String object = NAMES.get(random.nextInt(NAMES.size()));
		int number = random.nextInt(1000);
		switch (random.nextInt(20)) {
			case 0, 1, 2, 3, 4, 5 -> this.pods.createOrUpdate(new V1Pod()
				.metadata(metadata(namespace, object).labels(Map.of("number", Integer.toString(number)))));
			case 6, 7, 8, 9, 10, 11 -> setGear(namespace, object, number);
			case 12, 13, 14 -> delete(this.pods, namespace, object);
			case 15, 16 -> delete(this.gears, namespace, object);
			case 17, 18 -> delete(this.configMaps, namespace, object);
			default -> this.kubernetes.dropConnections();
		}
	}

	/**
	 * Changes a gear, which is created if it is not there.
	 * @param teeth the number that it gets
	 */
	void setGear(int teeth) {
		setGear(NAMESPACES.get(0), NAMES.get(0), teeth);
	}

	private void setGear(String namespace, String object, int teeth) {
		if (this.gears.get(namespace, object) != null) {
			this.gears.edit(namespace, object, (gear) -> gear.getSpec().setTeeth(teeth));
			return;
		}
		Gear gear = Gear.of(object, teeth);
		gear.getMetadata().namespace(namespace).putAnnotationsItem(ORIGIN, this.name);
		this.gears.create(gear);
	}

	private static <T extends KubernetesObject> void delete(ApiResources<T> resources, String namespace, String name) {
		try {
			resources.delete(namespace, name);
		}
		catch (StatusException ex) {
			// It never was, or the garbage collector was earlier.
			if (ex.code() != 404) {
				throw ex;
			}
		}
	}

	private V1ObjectMeta metadata(String namespace, String object) {
		return new V1ObjectMeta().namespace(namespace).name(object).putAnnotationsItem(ORIGIN, this.name);
	}

	static String origin(KubernetesObject object) {
		return object.getMetadata().getAnnotations().get(ORIGIN);
	}

	/**
	 * Returns what identifies objects and their states in any cluster.
	 * @param objects the objects
	 * @return the UIDs and resourceVersions by namespace and name
	 */
	static Map<String, String> states(List<? extends KubernetesObject> objects) {
		return objects.stream()
			.map(KubernetesObject::getMetadata)
			.collect(Collectors.toMap((metadata) -> metadata.getNamespace() + "/" + metadata.getName(),
					(metadata) -> metadata.getUid() + " " + metadata.getResourceVersion()));
	}

	static <T> Map<String, T> byName(List<TwinCluster> clusters, Function<TwinCluster, T> value) {
		return clusters.stream().collect(Collectors.toMap(TwinCluster::name, value));
	}

	@Override
	public void close() {
		this.kubernetes.close();
	}

}
