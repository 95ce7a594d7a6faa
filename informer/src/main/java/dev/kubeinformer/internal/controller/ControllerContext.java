package dev.kubeinformer.internal.controller;

import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.informer.InformerPool;
import dev.kubeinformer.internal.reconcile.OwnVersions;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.runtime.RuntimeHolder;
import dev.kubeinformer.internal.transport.WriteRecorder;
import dev.kubeinformer.types.ClusterName;

/**
 * What reconcilers have of the informers of their application.
 *
 * @param informers the informers
 * @param cluster the cluster
 * @param link the client
 * @param clocks the clocks
 * @param json the JSON of models
 * @param writeRecorder records what runs write with clients of the application
 * @param ownVersions the versions that runs of all reconcilers have written
 */
public record ControllerContext(InformerPool informers, ClusterName cluster, RuntimeHolder link,
		InformerRuntime.Clocks clocks, ModelJson json, WriteRecorder writeRecorder, OwnVersions ownVersions) {

	public static ControllerContext of(InformerPool informers, ClusterName cluster, RuntimeHolder link,
			InformerRuntime.Clocks clocks, JsonMappers mappers) {
		ModelJson json = new ModelJson(mappers);
		return new ControllerContext(informers, cluster, link, clocks, json, new WriteRecorder(json),
				new OwnVersions());
	}

}
