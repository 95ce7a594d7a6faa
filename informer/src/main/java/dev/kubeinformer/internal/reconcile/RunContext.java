package dev.kubeinformer.internal.reconcile;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.internal.transport.RunCalls;
import dev.kubeinformer.internal.workqueue.KeyRun;

/**
 * Everything that a run reads and uses.
 *
 * @param <T> the model class of the primary
 * @param run the run
 * @param primary the primary as the cache holds it; it must not be changed
 * @param sources the caches as the run sees them
 * @param log records the writes of the run
 * @param calls the requests of the run; the creator of the context must have them
 * cancelled by {@link KeyRun#onCancel}
 * @param quarantined whether the primary can no longer be read, so that {@code primary}
 * is its last readable state
 */
public record RunContext<T extends KubernetesObject>(KeyRun run, T primary, RunSources sources, WriteLog log,
		RunCalls calls, boolean quarantined) {

}
