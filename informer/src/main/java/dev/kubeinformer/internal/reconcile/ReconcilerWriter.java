package dev.kubeinformer.internal.reconcile;

import io.kubernetes.client.common.KubernetesObject;

import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.events.EventRecorder;
import dev.kubeinformer.internal.transport.ApiWrites;

/**
 * What all runs of a reconciler write with.
 *
 * @param <T> the model class of the primary
 * @param spec the settings
 * @param cluster the name of the cluster
 * @param writes sends the requests
 * @param json the JSON of models
 * @param applied what was applied to children before
 * @param takeover takes over fields that were created or updated
 * @param events reports events
 */
public record ReconcilerWriter<T extends KubernetesObject>(ReconcilerSpec<T> spec, String cluster, ApiWrites writes,
		ModelJson json, AppliedStateCache applied, FieldTakeover takeover, EventRecorder events) {

}
