package dev.kubeinformer.types;

/**
 * Place at which objects of other shards are filtered out, for an informer that caches
 * one shard.
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
