package dev.kubeinformer.internal.reconcile;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.UnreadableObject;
import dev.kubeinformer.types.ObjectKey;

/**
 * Caches that the runs of a reconciler read.
 *
 * @param <T> the model class of the primary
 */
public interface RunCaches<T extends KubernetesObject> {

	/**
	 * Returns a primary as the cache holds it now.
	 * @param key the key
	 * @return the object; {@code null} if there is none
	 */
	@Nullable StoredObject<T> primary(ObjectKey key);

	/**
	 * Returns what is known of a primary that cannot be read: what is cached of it, if
	 * anything is, is an earlier state.
	 * @param key the key
	 * @return what is known; {@code null} if it can be read, or is not there
	 */
	@Nullable UnreadableObject unreadable(ObjectKey key);

	/**
	 * Takes a snapshot of each cache.
	 * @param primary the primary of the run
	 * @return the snapshots
	 */
	RunSources sources(StoredObject<T> primary);

}
