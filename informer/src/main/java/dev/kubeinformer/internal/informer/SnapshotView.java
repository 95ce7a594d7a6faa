package dev.kubeinformer.internal.informer;

import java.util.List;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.Snapshot;
import dev.kubeinformer.internal.store.StoreSnapshot;
import dev.kubeinformer.spi.LabelSelector;
import dev.kubeinformer.types.ObjectKey;

/**
 * Public view of a snapshot of the store.
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
		return StoreIndexer.byIndex(this.snapshot, indexName, value);
	}

	@Override
	public int size() {
		return this.snapshot.size();
	}

	@Override
	public String resourceVersion() {
		return this.snapshot.resourceVersion();
	}

}
