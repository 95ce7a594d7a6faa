package dev.kubeinformer;

import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.json.ModelJson;
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
 */
record ControllerContext(Informers informers, ClusterName cluster, ClientLink link, InformerRuntime.Clocks clocks,
		ModelJson json, WriteRecorder writeRecorder) {

	static ControllerContext of(Informers informers, ClusterName cluster, ClientLink link,
			InformerRuntime.Clocks clocks, JsonMappers mappers) {
		ModelJson json = new ModelJson(mappers);
		return new ControllerContext(informers, cluster, link, clocks, json, new WriteRecorder(json));
	}

}
