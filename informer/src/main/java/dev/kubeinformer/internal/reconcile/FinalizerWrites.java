package dev.kubeinformer.internal.reconcile;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.transport.ApiWrites;
import dev.kubeinformer.internal.transport.ApiWrites.Caller;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Finalizer that a reconciler keeps on its primaries. JSON patches add and remove it. The
 * patches first test which finalizers there are, so that concurrent writers do not lose
 * each other's entries (kubernetes/kubernetes#110521). Finalizers of others are not
 * changed.
 *
 * @param <T> the model class of the primary
 */
public final class FinalizerWrites<T extends KubernetesObject> {

	private final ResourceType<T> type;

	private final String finalizer;

	/**
	 * UIDs of objects whose finalizer was removed, until a run finds them gone. A cache
	 * that still shows the finalizer must not cause another cleanup.
	 */
	private final Map<ObjectKey, Removed> removed = new ConcurrentHashMap<>();

	/**
	 * UIDs of objects whose cleanup succeeded but whose finalizer could not be removed
	 * yet; the next run only removes it. An entry is removed with its object, so there
	 * are never more entries than objects that wait for their finalizer.
	 */
	private final Map<ObjectKey, String> cleanedUp = new ConcurrentHashMap<>();

	private final Doubts doubts;

	/**
	 * Creates an instance for a finalizer.
	 * @param type the resource of the primary
	 * @param finalizer the finalizer
	 * @param doubts the time for which an object counts as gone after a 404
	 */
	public FinalizerWrites(ResourceType<T> type, String finalizer, Doubts doubts) {
		this.doubts = doubts;
		this.type = type;
		this.finalizer = finalizer;
	}

	boolean isOn(StoredObject<? extends KubernetesObject> object) {
		return entries(object.object()).contains(this.finalizer) && !isRemovedFrom(object);
	}

	private boolean isRemovedFrom(StoredObject<? extends KubernetesObject> object) {
		Removed known = this.removed.get(object.key());
		if (known == null || !known.uid().equals(object.uid())) {
			return false;
		}
		return !known.doubtful() || this.doubts.left(known).compareTo(Duration.ZERO) > 0;
	}

	/**
	 * Returns the time after which an object that was reported as gone must be checked
	 * again, in case it exists.
	 * @param object the object that the cache still shows
	 * @return the time; {@code null} if there is no doubt
	 */
	@Nullable Duration doubtful(StoredObject<? extends KubernetesObject> object) {
		Removed known = this.removed.get(object.key());
		return (known != null && known.doubtful() && isRemovedFrom(object)) ? this.doubts.left(known) : null;
	}

	static boolean isBeingDeleted(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		return metadata != null && metadata.getDeletionTimestamp() != null;
	}

	/**
	 * Returns whether an object that no longer matches a selector keeps the finalizer.
	 * @param object the last seen state of the object
	 * @return {@code true} if it has the finalizer and is not being deleted
	 */
	public boolean isStranded(StoredObject<? extends KubernetesObject> object) {
		return isOn(object) && !isBeingDeleted(object.object());
	}

	private static List<String> entries(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		List<String> entries = (metadata != null) ? metadata.getFinalizers() : null;
		return (entries != null) ? entries : List.of();
	}

	/**
	 * Adds the finalizer to an object without it that is not being deleted.
	 * @param object the object
	 * @param writes sends the patch
	 * @param caller the run that sends the request
	 * @return the object as the API server returned it
	 * @throws ApiException if the API server rejects the request
	 */
	T add(StoredObject<T> object, ApiWrites writes, Caller caller) throws ApiException {
		String test = test("/metadata/resourceVersion", object.resourceVersion());
		String entry = text(this.finalizer);
		String add = entries(object.object()).isEmpty() ? operation("add", "/metadata/finalizers", "[" + entry + "]")
				: operation("add", "/metadata/finalizers/-", entry);
		return patch(this.type, object.key(), writes, caller, test, add);
	}

	/**
	 * Removes the finalizer from an object that has it.
	 * @param object the object
	 * @param writes sends the patch
	 * @param caller the run that sends the request
	 * @return the object as the API server returned it
	 * @throws ApiException if the API server rejects the request
	 */
	T remove(StoredObject<T> object, ApiWrites writes, Caller caller) throws ApiException {
		return remove(this.type, object, writes, caller);
	}

	/**
	 * Removes the finalizer from an object that cannot be read. The request asks only for
	 * the metadata of the response.
	 * @param object the metadata of the object
	 * @param writes sends the patch
	 * @param caller the run that sends the request
	 * @return the metadata as the API server returned it
	 * @throws ApiException if the API server rejects the request
	 */
	Metadata<T> removeUnread(StoredObject<Metadata<?>> object, ApiWrites writes, Caller caller) throws ApiException {
		return remove(this.type.metadata(), object, writes, caller);
	}

	private <C extends KubernetesObject> C remove(ResourceType<C> form, StoredObject<? extends KubernetesObject> object,
			ApiWrites writes, Caller caller) throws ApiException {
		String path = "/metadata/finalizers/" + entries(object.object()).indexOf(this.finalizer);
		C rest = patch(form, object.key(), writes, caller, test("/metadata/uid", object.uid()),
				test(path, this.finalizer), "{\"op\":\"remove\",\"path\":%s}".formatted(text(path)));
		isRemoved(object);
		return rest;
	}

	private void isRemoved(StoredObject<?> object) {
		this.cleanedUp.remove(object.key());
		this.removed.put(object.key(), new Removed(object.uid(), false, 0));
	}

	/**
	 * Notes that an object was reported as gone (HTTP 404). A proxy may respond with 404,
	 * too, and so may a server that temporarily does not serve the API version.
	 * @param object the object that the cache still shows
	 * @return the time after which the object must be checked again
	 */
	Duration isSaidToBeGone(StoredObject<?> object) {
		this.removed.put(object.key(), new Removed(object.uid(), true, this.doubts.nanoTime().getAsLong()));
		return this.doubts.timeout();
	}

	/**
	 * Notes that the cleanup of an object has succeeded.
	 * @param object the object, whose finalizer is removed next
	 */
	void isCleanedUp(StoredObject<T> object) {
		this.cleanedUp.put(object.key(), object.uid());
	}

	/**
	 * Returns whether an earlier cleanup of an object succeeded.
	 * @param object the object
	 * @return {@code true} if only the finalizer must be removed
	 */
	boolean wasCleanedUp(StoredObject<T> object) {
		return object.uid().equals(this.cleanedUp.get(object.key()));
	}

	/**
	 * Forgets the removal of a finalizer, because the object is gone.
	 * @param key the key of the object
	 * @param present the UID of the current object of that key; {@code null} for none
	 */
	void forget(ObjectKey key, @Nullable String present) {
		String cleaned = this.cleanedUp.get(key);
		if (cleaned != null && !cleaned.equals(present)) {
			this.cleanedUp.remove(key, cleaned);
		}
		Removed known = this.removed.get(key);
		if (known != null && !Objects.equals(known.uid(), present)) {
			this.removed.remove(key, known);
		}
	}

	private static <C extends KubernetesObject> C patch(ResourceType<C> form, ObjectKey key, ApiWrites writes,
			Caller caller, String... operations) throws ApiException {
		byte[] patch = ("[" + String.join(",", operations) + "]").getBytes(StandardCharsets.UTF_8);
		return writes.patch(form, key, PatchFormat.JSON.mediaType(), patch, caller);
	}

	private static String test(String path, String value) {
		return operation("test", path, text(value));
	}

	private static String operation(String operation, String path, String value) {
		return "{\"op\":\"%s\",\"path\":%s,\"value\":%s}".formatted(operation, text(path), value);
	}

	private static String text(String value) {
		StringBuilder text = new StringBuilder("\"");
		for (int i = 0; i < value.length(); i++) {
			char c = value.charAt(i);
			if (c == '"' || c == '\\') {
				text.append('\\').append(c);
			}
			else if (c < ' ') {
				text.append("\\u%04x".formatted((int) c));
			}
			else {
				text.append(c);
			}
		}
		return text.append('"').toString();
	}

	/**
	 * Time for which an object that was reported as gone counts as gone.
	 *
	 * @param timeout the time
	 * @param nanoTime the clock
	 */
	public record Doubts(Duration timeout, LongSupplier nanoTime) {

		private Duration left(Removed removed) {
			return this.timeout.minusNanos(this.nanoTime.getAsLong() - removed.at());
		}

	}

	private record Removed(String uid, boolean doubtful, long at) {

	}

}
