package dev.kubeinformer;

import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.control.OwnVersions;
import dev.kubeinformer.internal.transport.WriteRecorder;

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
record ControllerContext(InformerPool informers, ClusterName cluster, ClientLink link, InformerRuntime.Clocks clocks,
		ModelJson json, WriteRecorder writeRecorder, OwnVersions ownVersions) {

	static ControllerContext of(InformerPool informers, ClusterName cluster, ClientLink link,
			InformerRuntime.Clocks clocks, JsonMappers mappers) {
		ModelJson json = new ModelJson(mappers);
		return new ControllerContext(informers, cluster, link, clocks, json, new WriteRecorder(json),
				new OwnVersions());
	}

}
