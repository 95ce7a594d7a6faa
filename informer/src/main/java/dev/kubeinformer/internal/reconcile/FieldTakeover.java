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
 * Applies objects. With the first apply it takes over the fields that the reconciler's
 * field manager, or a former one, has created or updated. From then on, an apply that
 * does not name such a field removes it.
 * <p>
 * An object without an annotation of the reconciler is read first. If it has fields of
 * such a manager, a JSON patch changes their entries in {@code managedFields}. The patch
 * fails if the object has changed meanwhile. The apply comes last, because its annotation
 * says that the takeover is complete. If the process ends before the apply, its next
 * start repeats the takeover.
 * <p>
 * If the cache does not show the object, or the body has no annotation, the field
 * managers are read from the response of the apply. The apply is repeated if there may be
 * fields to remove. Later applies of that object are not examined, so fields that the
 * reconciler sets by other patches stay. Safe for use by several threads.
 */
public final class FieldTakeover {

	/** Number of attempts; an object that changes more often is left to the next run. */
	private static final int ATTEMPTS = 5;

	/**
	 * Maximum number of remembered objects. If a takeover concerns more objects, some
	 * responses may be examined again.
	 */
	private static final int LIMIT = 10_000;

	private final String manager;

	private final Set<String> former;

	private final ModelJson json;

	/**
	 * Whether the takeover is complete, by the UID of the object, the oldest entry first.
	 */
	private final Map<String, Boolean> done = new LinkedHashMap<>();

	/**
	 * Creates a takeover that has not examined an object yet.
	 * @param spec the reconciler
	 * @param json writes the patches
	 */
	public FieldTakeover(ReconcilerSpec<?> spec, ModelJson json) {
		this.manager = spec.fieldManager();
		this.former = Set.copyOf(spec.formerFieldManagers());
		this.json = json;
	}

	/**
	 * Returns whether a takeover is incomplete, because a request failed. Then the next
	 * apply must be sent, whatever the cache shows.
	 * @param there the object as the cache shows it
	 * @return {@code true} if the takeover is incomplete
	 */
	boolean isPending(KubernetesObject there) {
		return Boolean.FALSE.equals(state(uid(there)));
	}

	/**
	 * Applies a child.
	 * @param <C> the model class
	 * @param writes sends the requests
	 * @param child the child
	 * @param caller the run that sends the requests
	 * @param earlier receives the responses before the last one
	 * @return the object as the API server returned it last
	 * @throws ApiException if the API server rejects the request or does not respond
	 */
	<C extends KubernetesObject> C apply(ApiWrites writes, Child<C> child, Caller caller, Consumer<? super C> earlier)
			throws ApiException {
		String uid = uid(child.there());
		Boolean state = state(uid);
		// Once this library has applied the object, other fields of the manager come only
		// from later patches of runs. These fields stay.
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

	// Returns false if the reconciler has no permission to read the object.
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

	// Throws the exception, unless the object has changed meanwhile and an attempt is
	// left. The next response then shows the result.
	private static void requireRepeatable(ApiException failure, int attempt) throws ApiException {
		if (failure.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == ATTEMPTS) {
			throw failure;
		}
	}

	private <C extends KubernetesObject> C applyAndUpgrade(ApiWrites writes, Child<C> child, Set<String> updaters,
			Caller caller, Consumer<? super C> earlier) throws ApiException {
		for (int attempt = 1;; attempt++) {
			boolean missing = child.there() == null && attempt == 1;
			ManagedObject<C> applied = writes.applyWithManagers(child.type(), child.key(), child.body(), missing,
					caller);
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
		// Replace the version instead of testing it, so that the API server responds with
		// 409 and not 422.
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
			// Remove the oldest completed takeover; incomplete ones are needed.
			this.done.values().remove(Boolean.TRUE);
		}
	}

	/**
	 * Child to apply.
	 *
	 * @param <C> the model class
	 * @param type the resource of the child
	 * @param key the key of the child
	 * @param body the desired object
	 * @param there the child as the cache shows it; {@code null} if the cache does not
	 * show it
	 * @param before the earlier applies according to its annotation
	 * @param annotated whether the desired object has the annotation
	 */
	record Child<C extends KubernetesObject>(ResourceType<C> type, ObjectKey key, byte[] body,
			@Nullable KubernetesObject there, Before before, boolean annotated) {

	}

	/** Earlier applies of a child according to its annotation. */
	enum Before {

		/** The field manager has not applied the child, as far as is known. */
		NOT_APPLIED,

		/**
		 * The field manager has applied the child, but with a different list of former
		 * managers.
		 */
		APPLIED,

		/** The field manager has applied the child and taken over the former fields. */
		TAKEN_OVER

	}

}
