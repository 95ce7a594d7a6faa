package dev.kubeinformer.internal.reconcile;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.slots.ObjectShare;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Reads ownerReferences to the primaries of one reconciler. A reference has no namespace:
 * an owner is in the namespace of the object, or cluster-scoped. Other references are
 * ignored with one warning, because the garbage collector of Kubernetes ignores them,
 * too.
 */
public final class OwnerReferences {

	private static final Logger logger = LoggerFactory.getLogger(OwnerReferences.class);

	private final String reconciler;

	private final ResourceType<?> primary;

	private final ObjectShare share;

	private final Predicate<ObjectKey> cached;

	private final AtomicBoolean warned = new AtomicBoolean();

	/**
	 * Creates a reader.
	 * @param reconciler the id of the reconciler
	 * @param primary the resource of the primary
	 * @param share the primaries of this process, to which owners must belong
	 * @param cached returns whether a primary is cached; called under the lock of another
	 * store
	 */
	public OwnerReferences(String reconciler, ResourceType<?> primary, ObjectShare share, Predicate<ObjectKey> cached) {
		this.reconciler = reconciler;
		this.primary = primary;
		this.share = share;
		this.cached = cached;
	}

	/**
	 * Returns the UIDs of all owners of an object, of any resource.
	 * @param object the object
	 * @return the UIDs
	 */
	static List<String> uids(KubernetesObject object) {
		List<String> uids = new ArrayList<>(1);
		for (V1OwnerReference each : all(object)) {
			if (isWhole(each)) {
				uids.add(each.getUid());
			}
		}
		return uids;
	}

	private static List<V1OwnerReference> all(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		List<V1OwnerReference> references = (metadata != null) ? metadata.getOwnerReferences() : null;
		return (references != null) ? references : List.of();
	}

	// Owner references come from the wire: entries may be null or incomplete.
	private static boolean isWhole(@Nullable V1OwnerReference reference) {
		return reference != null && reference.getUid() != null && reference.getName() != null;
	}

	/**
	 * Returns the keys of the primaries that own an object, except primaries of other
	 * shards or slots. An object may name an earlier primary with the same key as its
	 * owner. Then the key of the current primary is returned, even if the earlier primary
	 * belonged to another shard, because the current primary may wait until this object
	 * is deleted.
	 * @param object the object
	 * @param controllerOnly {@code true} if only the controller counts; {@code false} if
	 * all owners do
	 * @return the keys
	 */
	List<ObjectKey> owners(KubernetesObject object, boolean controllerOnly) {
		List<ObjectKey> keys = new ArrayList<>(1);
		ObjectKey key = null;
		for (V1OwnerReference each : all(object)) {
			if (!isWhole(each) || !isToPrimary(each, controllerOnly)) {
				continue;
			}
			key = (key != null) ? key : ObjectKey.of(object);
			if (this.primary.namespaced() && key.namespace().isEmpty()) {
				warnOnce(key);
				return List.of();
			}
			ObjectKey owner = new ObjectKey(this.primary.namespaced() ? key.namespace() : "", each.getName());
			boolean here = this.share.mayContain(owner.namespace(), each.getUid()) || this.cached.test(owner);
			if (here && !keys.contains(owner)) {
				keys.add(owner);
			}
		}
		return keys;
	}

	/**
	 * Returns whether a primary owns an object: the object refers to the UID of the
	 * primary, and its namespace allows that.
	 * @param object the object
	 * @param key the key of the primary
	 * @param uid the UID of the primary
	 * @param controllerOnly {@code true} if only the reference to the controller counts;
	 * {@code false} if all references do
	 * @return {@code true} if the primary is an owner
	 */
	boolean isOwner(KubernetesObject object, ObjectKey key, String uid, boolean controllerOnly) {
		if (!names(object, uid, controllerOnly)) {
			return false;
		}
		ObjectKey child = ObjectKey.of(object);
		boolean reachable = key.namespace().isEmpty() || key.namespace().equals(child.namespace());
		if (!reachable) {
			warnOnce(child);
		}
		return reachable;
	}

	private boolean names(KubernetesObject object, String uid, boolean controllerOnly) {
		for (V1OwnerReference each : all(object)) {
			if (isWhole(each) && uid.equals(each.getUid()) && isToPrimary(each, controllerOnly)) {
				return true;
			}
		}
		return false;
	}

	private boolean isToPrimary(V1OwnerReference reference, boolean controllerOnly) {
		return (!controllerOnly || Boolean.TRUE.equals(reference.getController()))
				&& this.primary.kind().equals(reference.getKind())
				&& this.primary.group().equals(group(reference.getApiVersion()));
	}

	private static String group(@Nullable String apiVersion) {
		if (apiVersion == null) {
			return "";
		}
		return apiVersion.substring(0, Math.max(apiVersion.indexOf('/'), 0));
	}

	private void warnOnce(ObjectKey object) {
		if (this.warned.compareAndSet(false, true)) {
			logger.warn(
					"Reconciler '{}' ignores the owner of '{}': a '{}' of another namespace cannot own it. Put both into one namespace; further ones are ignored without a warning",
					this.reconciler, PrintableText.of(object.toString()), this.primary.kind());
		}
	}

}
