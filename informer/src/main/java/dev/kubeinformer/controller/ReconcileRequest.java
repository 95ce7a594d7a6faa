package dev.kubeinformer.controller;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.types.ObjectKey;

/**
 * Request for one run. A reconciler that takes a request instead of an object reads the
 * cache itself.
 *
 * @param <T> the model class of the primary
 * @param key the namespace and the name of the primary
 * @param uid the UID of the primary when the run began
 * @param attempt the number of the attempt: 1 plus the number of failed runs before
 */
public record ReconcileRequest<T extends KubernetesObject>(ObjectKey key, String uid, int attempt) {

}
