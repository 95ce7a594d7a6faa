package dev.kubeinformer.internal.reconcile;

import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.json.WrittenMetadata;
import dev.kubeinformer.internal.overlay.WriteOverlay;
import dev.kubeinformer.internal.slots.ObjectShare;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Cache of a reconciler that will show the reconciler's own writes.
 *
 * @param <C> the model class
 * @param type the resource
 * @param overlay the cache, with the writes of runs that it does not show yet
 * @param selection the objects in the cache
 * @param read {@code true} if runs read the overlay; {@code false} if only listers read
 * this source; they show the cache without the overlay
 * @param preparation converts a response into its cached form: the object, nothing if the
 * transform drops it, or the reason why it cannot be converted
 */
public record OwnWriteSource<C extends KubernetesObject>(ResourceType<C> type, WriteOverlay<C> overlay,
		Selection selection, boolean read, Function<C, DecodedObject<C>> preparation) {

	/**
	 * Returns the part of the cache that shows a write.
	 * @param written the resource of the object, in any version of the API
	 * @param object the object as the API server returned it
	 * @return the partition; {@code null} if the cache never shows the object, because of
	 * its kind, namespace, shard or slot
	 */
	@Nullable String partitionOf(ResourceType<?> written, KubernetesObject object) {
		boolean cached = this.type.group().equals(written.group()) && this.type.kind().equals(written.kind());
		V1ObjectMeta metadata = metadata(object);
		return (cached && !this.selection.excludes(metadata))
				? this.overlay.store().partitionOf(Objects.requireNonNullElse(metadata.getNamespace(), "")) : null;
	}

	/**
	 * Returns whether the cache may lack an object that exists.
	 * @param object the object as the API server returned it
	 * @return {@code true} if the object may exist although the cache does not hold it
	 */
	boolean hides(KubernetesObject object) {
		return this.selection.fieldSelector() || !this.selection.labels().test(metadata(object).getLabels());
	}

	/**
	 * Puts the response of a write into the overlay, which holds writes that the cache
	 * does not show yet. So runs read it.
	 * @param writer the key of the run that wrote
	 * @param written the resource of the object
	 * @param returned the object as the API server returned it, which must not be changed
	 * @param partition the partition that will show the object
	 * @return {@code true} if runs now read the object in this or a newer state;
	 * {@code false} if they must wait for the cache
	 */
	boolean lay(ObjectKey writer, ResourceType<?> written, KubernetesObject returned, String partition) {
		V1ObjectMeta metadata = metadata(returned);
		ObjectKey key = ObjectKey.of(returned);
		String version = text(metadata.getResourceVersion());
		if (this.overlay.store().snapshot().hasReached(partition, key, version)) {
			return true;
		}
		String uid = text(metadata.getUid());
		if (!this.read || this.selection.fieldSelector() || uid.isEmpty()) {
			// Only the watch shows whether the object is still selected.
			return false;
		}
		if (hides(returned)) {
			return this.overlay.layHidden(writer, partition, key, uid, version);
		}
		C form = form(written, returned);
		if (form == null) {
			return false;
		}
		DecodedObject<C> prepared = this.preparation.apply(form);
		C object = prepared.object();
		if (object != null) {
			return this.overlay.lay(writer, partition,
					new StoredObject<>(key.namespace(), key.name(), uid, version, object));
		}
		return prepared.problem() == null && this.overlay.layHidden(writer, partition, key, uid, version);
	}

	/**
	 * Puts the deletion of an object into the overlay.
	 * @param writer the key of the run that wrote
	 * @param last the last known state of the object
	 * @param partition the partition that held the object
	 * @return {@code true} if runs no longer read the object; {@code false} if they must
	 * wait for the cache
	 */
	boolean layDeleted(ObjectKey writer, KubernetesObject last, String partition) {
		V1ObjectMeta metadata = metadata(last);
		return this.read && this.overlay.layDeleted(writer, partition, ObjectKey.of(last), text(metadata.getUid()),
				text(metadata.getResourceVersion()));
	}

	@SuppressWarnings("unchecked") // A source of metadata has this class.
	private @Nullable C form(ResourceType<?> written, KubernetesObject returned) {
		if (returned instanceof WrittenMetadata) {
			// The rest of the object is unknown.
			return null;
		}
		if (this.type.isMetadata()) {
			V1ObjectMeta metadata = returned.getMetadata();
			return (metadata != null) ? (C) new Metadata<>(this.type.apiVersion(), this.type.kind(), metadata) : null;
		}
		boolean same = this.type.apiVersion().equals(written.apiVersion()) && !written.isMetadata();
		return (same && this.type.objectClass().isInstance(returned)) ? this.type.objectClass().cast(returned) : null;
	}

	private static V1ObjectMeta metadata(KubernetesObject object) {
		return Objects.requireNonNullElseGet(object.getMetadata(), V1ObjectMeta::new);
	}

	private static String text(@Nullable String value) {
		return Objects.requireNonNullElse(value, "");
	}

	/**
	 * Selected objects of a resource.
	 *
	 * @param labels tests whether the cache selects an object with these labels
	 * @param fieldSelector whether the cache has a field selector, whose effect is
	 * unknown before the object arrives
	 * @param share selects the objects of this process
	 */
	public record Selection(Predicate<@Nullable Map<String, String>> labels, boolean fieldSelector, ObjectShare share) {

		private boolean excludes(V1ObjectMeta metadata) {
			return !this.share.mayContain(metadata.getNamespace(), metadata.getUid());
		}

	}

}
