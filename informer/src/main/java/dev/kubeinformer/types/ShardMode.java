package dev.kubeinformer.types;

/**
 * Side that filters out objects of other shards, for an informer that caches one shard:
 * the API server or the informer.
 */
public enum ShardMode {

	/**
	 * The API server sends only objects of the shard (KEP-5866). The informer checks
	 * that.
	 */
	SERVER,

	/**
	 * The API server sends all objects. The informer drops objects of other shards before
	 * it decodes more than their metadata.
	 */
	CLIENT

}
