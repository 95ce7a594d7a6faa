package dev.kubeinformer.internal.reconcile;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;

import dev.kubeinformer.internal.store.DeletedObject;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.PartitionWriter;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.ObjectKey;

/**
 * Models of tests, and a writer that stores them as a watch does.
 *
 * @param <T> the model class
 */
final class CachedModels<T extends KubernetesObject> {

	private final PartitionWriter<T> writer;

	CachedModels(ObjectStore<T> store, String partition) {
		this.writer = store.writer(partition);
	}

	@SafeVarargs
	final void list(String version, T... objects) {
		this.writer.replace(stored(objects), List.of(), false, version, false);
	}

	@SafeVarargs
	final void listOfABackup(String version, T... objects) {
		this.writer.replace(stored(objects), List.of(), false, version, true);
	}

	@SafeVarargs
	private List<StoredObject<T>> stored(T... objects) {
		List<StoredObject<T>> stored = new ArrayList<>();
		for (T object : objects) {
			stored.add(stored(object));
		}
		return stored;
	}

	void put(T object) {
		this.writer.put(stored(object), object.getMetadata().getResourceVersion());
	}

	void remove(T object, String version) {
		this.writer.remove(new DeletedObject(ObjectKey.of(object), object.getMetadata().getUid(), version), null, false,
				version);
	}

	void bookmark(String version) {
		this.writer.advance(version);
	}

	private static <T extends KubernetesObject> StoredObject<T> stored(T object) {
		V1ObjectMeta metadata = object.getMetadata();
		return new StoredObject<>(Objects.requireNonNullElse(metadata.getNamespace(), ""), metadata.getName(),
				metadata.getUid(), metadata.getResourceVersion(), object);
	}

	static V1ObjectMeta metadata(String namespace, String name, String uid, String version) {
		return new V1ObjectMeta().namespace(namespace).name(name).uid(uid).resourceVersion(version);
	}

	static V1Deployment deployment(String name, String version, int replicas, int ready) {
		return new V1Deployment().metadata(metadata("ns", name, "uid-" + name, version))
			.spec(new V1DeploymentSpec().replicas(replicas))
			.status(new V1DeploymentStatus().readyReplicas(ready));
	}

	static V1ConfigMap configMap(String namespace, String name, String version, V1OwnerReference... owners) {
		return new V1ConfigMap()
			.metadata(metadata(namespace, name, "uid-" + name, version).ownerReferences(List.of(owners)));
	}

	static V1OwnerReference owner(String apiVersion, String kind, String name, boolean controller) {
		return new V1OwnerReference().apiVersion(apiVersion)
			.kind(kind)
			.name(name)
			.uid("uid-" + name)
			.controller(controller);
	}

}
