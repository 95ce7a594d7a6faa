package dev.kubeinformer.internal.control;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.StoredObject;
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
	 * Takes a snapshot of each cache.
	 * @param primary the primary of the run
	 * @return the snapshots
	 */
	RunSources sources(StoredObject<T> primary);

}
