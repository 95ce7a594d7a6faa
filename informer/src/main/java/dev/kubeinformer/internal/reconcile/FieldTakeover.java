package dev.kubeinformer.internal.reconcile;

import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.PatchFormat;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.internal.codec.json.ManagedFieldsUpgrade;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.transport.ApiWrites;
import dev.kubeinformer.internal.transport.ApiWrites.Caller;
import dev.kubeinformer.internal.transport.ApiWrites.ManagedObject;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Applies objects, and with the first apply takes over the fields that the reconciler's
 * field manager, or a former one, has created or updated. An apply that does not name
 * such a field removes it from then on.
 * <p>
 * An object that has no annotation of the reconciler yet is read first. If it has fields
 * of such a manager, a JSON patch changes their entries, under the condition that nobody
 * else has changed the object. The apply comes last, because its annotation says that the
 * takeover is done: a process that ends before it leaves the takeover to the next one.
 * <p>
 * Where the cache shows no object, or the body has no annotation, the answer of the apply
 * says who manages what, and the apply is sent again if there may be fields to remove.
 * Later applies of that object are not looked at: what the reconciler patches beside them
 * stays. Safe for use by several threads.
 */
public final class FieldTakeover {

	/** An object that changes more often than this is left to the next run. */
	private static final int ATTEMPTS = 5;

	/** Number of objects to remember: a longer migration looks at an answer again. */
	private static final int LIMIT = 10_000;

	private final String manager;

	private final Set<String> former;

	private final ModelJson json;

	/** Whether the takeover is done, by the UID of the object; the oldest come first. */
	private final Map<String, Boolean> done = new LinkedHashMap<>();

	/**
	 * Creates a takeover that has looked at nothing yet.
	 * @param spec the reconciler
	 * @param json writes the patches
	 */
	public FieldTakeover(ReconcilerSpec<?> spec, ModelJson json) {
		this.manager = spec.fieldManager();
		this.former = Set.copyOf(spec.formerFieldManagers());
		this.json = json;
	}

	/**
	 * Returns whether a takeover has begun and not ended, because a request failed. The
	 * next apply must be sent then, whatever the cache shows.
	 * @param there the object as the cache shows it
	 * @return {@code true} if there is something left to do
	 */
	boolean isPending(KubernetesObject there) {
		return Boolean.FALSE.equals(state(uid(there)));
	}

	/**
	 * Applies a child.
	 * @param <C> the model class
	 * @param writes sends the requests
	 * @param child the child
	 * @param caller the run that asks
	 * @param earlier receives the answers before the last one
	 * @return the object as the API server returned it last
	 * @throws ApiException if the API server refuses it or does not answer
	 */
	<C extends KubernetesObject> C apply(ApiWrites writes, Child<C> child, Caller caller, Consumer<? super C> earlier)
			throws ApiException {
		String uid = uid(child.there());
		Boolean state = state(uid);
		// What this library has applied before has no fields of other operations, but
		// those that runs have patched since.
		boolean pending = Boolean.FALSE.equals(state);
		Set<String> updaters = new LinkedHashSet<>(this.former);
		if (pending || child.before() == Before.NOT_APPLIED) {
			updaters.add(this.manager);
		}
		boolean done = Boolean.TRUE.equals(state) || (child.before() == Before.TAKEN_OVER && !pending);
		if (updaters.isEmpty() || done) {
			return writes.apply(child.type(), child.key(), child.body(), caller);
		}
		begin(uid);
		if (child.there() != null && child.annotated() && upgradedFirst(writes, child, updaters, caller, earlier)) {
			C result = writes.apply(child.type(), child.key(), child.body(), caller);
			end(uid(result));
			return result;
		}
		return applyAndUpgrade(writes, child, updaters, caller, earlier);
	}

	// Returns false if the reconciler may not read the object.
	private <C extends KubernetesObject> boolean upgradedFirst(ApiWrites writes, Child<C> child, Set<String> updaters,
			Caller caller, Consumer<? super C> earlier) throws ApiException {
		for (int attempt = 1;; attempt++) {
			ManagedObject<C> present;
			try {
				present = writes.getWithManagers(child.type(), child.key(), caller);
			}
			catch (ApiException ex) {
				if (ex.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
					return false;
				}
				throw ex;
			}
			ManagedFieldsUpgrade upgrade = (present != null)
					? ManagedFieldsUpgrade.of(present.managedFields(), this.manager, updaters) : null;
			if (present == null || upgrade == null) {
				return true;
			}
			try {
				earlier.accept(upgraded(writes, child, present.object(), upgrade, caller));
				return true;
			}
			catch (ApiException ex) {
				requireRepeatable(ex, attempt);
			}
		}
	}

	// Somebody has changed the object since; the next answer has the result.
	private static void requireRepeatable(ApiException failure, int attempt) throws ApiException {
		if (failure.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == ATTEMPTS) {
			throw failure;
		}
	}

	private <C extends KubernetesObject> C applyAndUpgrade(ApiWrites writes, Child<C> child, Set<String> updaters,
			Caller caller, Consumer<? super C> earlier) throws ApiException {
		for (int attempt = 1;; attempt++) {
			ManagedObject<C> applied = writes.applyWithManagers(child.type(), child.key(), child.body(), caller);
			ManagedFieldsUpgrade upgrade = ManagedFieldsUpgrade.of(applied.managedFields(), this.manager, updaters);
			if (upgrade == null || Boolean.TRUE.equals(state(uid(applied.object())))) {
				end(uid(applied.object()));
				return applied.object();
			}
			try {
				begin(uid(applied.object()));
				earlier.accept(applied.object());
				C result = upgraded(writes, child, applied.object(), upgrade, caller);
				if (upgrade.gained()) {
					earlier.accept(result);
					result = writes.apply(child.type(), child.key(), child.body(), caller);
				}
				end(uid(result));
				return result;
			}
			catch (ApiException ex) {
				requireRepeatable(ex, attempt);
			}
		}
	}

	private <C extends KubernetesObject> C upgraded(ApiWrites writes, Child<C> child, C applied,
			ManagedFieldsUpgrade upgrade, Caller caller) throws ApiException {
		List<Map<String, Object>> patch = new ArrayList<>();
		patch.add(replace("/metadata/managedFields", upgrade.managedFields()));
		// Replaced and not tested: the API server answers 409 then, and not 422.
		patch.add(replace("/metadata/resourceVersion",
				Objects.requireNonNullElse(metadata(applied).getResourceVersion(), "")));
		return writes.patch(child.type(), child.key(), PatchFormat.JSON.mediaType(), this.json.write(patch), caller);
	}

	private static Map<String, Object> replace(String path, Object value) {
		return Map.of("op", "replace", "path", path, "value", value);
	}

	private static V1ObjectMeta metadata(KubernetesObject object) {
		return Objects.requireNonNullElseGet(object.getMetadata(), V1ObjectMeta::new);
	}

	private static @Nullable String uid(@Nullable KubernetesObject object) {
		return (object != null) ? metadata(object).getUid() : null;
	}

	private @Nullable Boolean state(@Nullable String uid) {
		if (uid == null) {
			return null;
		}
		synchronized (this.done) {
			return this.done.get(uid);
		}
	}

	private void begin(@Nullable String uid) {
		if (uid != null) {
			synchronized (this.done) {
				this.done.putIfAbsent(uid, false);
				bound();
			}
		}
	}

	private void end(@Nullable String uid) {
		if (uid != null) {
			synchronized (this.done) {
				this.done.put(uid, true);
				bound();
			}
		}
	}

	private void bound() {
		if (this.done.size() > LIMIT) {
			// The eldest that has ended; one that has not is needed.
			this.done.values().remove(Boolean.TRUE);
		}
	}

	/**
	 * Child to apply.
	 *
	 * @param <C> the model class
	 * @param type its resource
	 * @param key its key
	 * @param body the wanted object
	 * @param there the child as the cache shows it; {@code null} if it shows none
	 * @param before what its annotation says of earlier applies
	 * @param annotated whether the wanted object has the annotation
	 */
	record Child<C extends KubernetesObject>(ResourceType<C> type, ObjectKey key, byte[] body,
			@Nullable KubernetesObject there, Before before, boolean annotated) {

	}

	/**
	 * What the annotation of a child says of earlier applies.
	 */
	enum Before {

		/** The field manager has not applied the child, as far as known. */
		NOT_APPLIED,

		/** The field manager has applied it, with other former managers. */
		APPLIED,

		/** The field manager has applied it, and taken over what there was. */
		TAKEN_OVER

	}

}
