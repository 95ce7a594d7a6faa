package dev.kubeinformer.internal.transport;

import io.kubernetes.client.common.KubernetesObject;

/**
 * Write that a run has sent with a client of the application.
 *
 * @param group the API group; empty for the core group
 * @param plural the plural name of the resource
 * @param deletion whether the object was deleted
 * @param object the metadata of the object; after a deletion, at least namespace and name
 */
public record RecordedWrite(String group, String plural, boolean deletion, KubernetesObject object) {

}
