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
 * @param events reports events
 * @param digest writes the bodies of applies
 * @param takeover takes over fields that were created or updated
 */
public record ReconcilerWriter<T extends KubernetesObject>(ReconcilerSpec<T> spec, String cluster, ApiWrites writes,
		ModelJson json, AppliedStateCache applied, EventRecorder events, AppliedDigest digest, FieldTakeover takeover) {

	/**
	 * Creates what runs write with.
	 * @param spec the settings
	 * @param cluster the name of the cluster
	 * @param writes sends the requests
	 * @param json the JSON of models
	 * @param applied what was applied to children before
	 * @param takeover takes over fields that were created or updated
	 * @param events reports events
	 */
	public ReconcilerWriter(ReconcilerSpec<T> spec, String cluster, ApiWrites writes, ModelJson json,
			AppliedStateCache applied, FieldTakeover takeover, EventRecorder events) {
		this(spec, cluster, writes, json, applied, events,
				new AppliedDigest(json, spec.fieldManager(), spec.formerFieldManagers()), takeover);
	}

}
