package dev.kubeinformer;

import java.util.List;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.cache.Caches;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.resource.LabelSelector;
import dev.kubeinformer.store.ObjectKey;
import dev.kubeinformer.store.StoreSnapshot;

/**
 * A snapshot of the store as the front door shows it.
 *
 * @param <T> the model class
 */
final class SnapshotView<T extends KubernetesObject> implements Snapshot<T> {

	private final StoreSnapshot<T> snapshot;

	SnapshotView(StoreSnapshot<T> snapshot) {
		this.snapshot = snapshot;
	}

	@Override
	public List<T> list() {
		return this.snapshot.list();
	}

	@Override
	public List<T> list(String namespace) {
		return this.snapshot.list(namespace);
	}

	@Override
	public List<T> list(String namespace, String labelSelector) {
		return matching(labelSelector, this.snapshot.list(namespace));
	}

	@Override
	public List<T> select(String labelSelector) {
		return matching(labelSelector, this.snapshot.list());
	}

	private static <T extends KubernetesObject> List<T> matching(String labelSelector, List<T> objects) {
		LabelSelector selector = LabelSelector.parse(labelSelector);
		return objects.stream().filter((object) -> {
			V1ObjectMeta metadata = object.getMetadata();
			return selector.test((metadata != null) ? metadata.getLabels() : null);
		}).toList();
	}

	@Override
	public @Nullable T get(String namespace, String name) {
		return this.snapshot.get(namespace, name);
	}

	@Override
	public @Nullable T get(String key) {
		ObjectKey parsed = ObjectKey.parse(key);
		return this.snapshot.get(parsed.namespace(), parsed.name());
	}

	@Override
	public List<String> keys() {
		return this.snapshot.keys();
	}

	@Override
	public List<T> byIndex(String indexName, String value) {
		if (indexName.equals(Caches.NAMESPACE_INDEX)) {
			return this.snapshot.list(StoreIndexer.namespace(value));
		}
		List<T> found = this.snapshot.byIndex(indexName, value);
		if (found == null) {
			throw noSuchIndex(indexName);
		}
		return found;
	}

	@Override
	public int size() {
		return this.snapshot.size();
	}

	@Override
	public String resourceVersion() {
		return this.snapshot.resourceVersion();
	}

	static IllegalArgumentException noSuchIndex(String indexName) {
		return new IllegalArgumentException("There is no index named '%s'".formatted(indexName));
	}

}
