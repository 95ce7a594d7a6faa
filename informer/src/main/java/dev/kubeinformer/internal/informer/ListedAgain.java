package dev.kubeinformer.internal.informer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.ObjectIdentity;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.store.DeletedObject;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.UnchangedObjects;
import dev.kubeinformer.internal.text.ResourceVersions;

/**
 * Listed objects that the cache already holds in the same version, so they are neither
 * decoded nor stored again.
 *
 * @param <T> the model class
 * @param objects the objects
 */
record ListedAgain<T>(UnchangedObjects<T> objects) implements KnownObjects {

	@Override
	public boolean include(ObjectIdentity identity) {
		return this.objects.include(identity.namespace(), identity.name(), identity.uid(), identity.resourceVersion());
	}

	@Override
	public void exclude(ObjectMetadata metadata) {
		@Nullable StoredObject<T> included = included(metadata);
		if (included != null && !ResourceVersions.isOlder(metadata.resourceVersion(), included.resourceVersion())) {
			this.objects.exclude(metadata.namespace(), metadata.name());
		}
	}

	@Override
	public void deleted(ObjectMetadata metadata) {
		DeletedObject deleted = new DeletedObject(metadata.key(), metadata.uid(), metadata.resourceVersion());
		@Nullable StoredObject<T> included = included(metadata);
		if (included != null && !deleted.isOfAPredecessorOf(included.uid(), included.resourceVersion())) {
			this.objects.exclude(metadata.namespace(), metadata.name());
		}
	}

	private @Nullable StoredObject<T> included(ObjectMetadata metadata) {
		return this.objects.included(metadata.namespace(), metadata.name());
	}

	@Override
	public int size() {
		return this.objects.size();
	}

}
