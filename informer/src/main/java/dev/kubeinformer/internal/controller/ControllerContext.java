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
 * Parts of an application's informers that reconcilers use.
 *
 * @param informers the informers
 * @param cluster the cluster
 * @param link provides the client
 * @param clocks the clocks
 * @param json reads and writes JSON
 * @param writeRecorder records the writes of runs with clients of the application
 * @param ownVersions the versions that runs of all reconcilers wrote
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
