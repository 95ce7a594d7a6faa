package dev.kubeinformer.types;

/**
 * Place at which objects of other shards are filtered out.
 */
public enum ShardMode {

	/**
	 * The API server sends only objects of the shard (KEP-5866). The informer still
	 * checks them.
	 */
	SERVER,

	/**
	 * The API server sends all objects. The informer drops objects of other shards before
	 * it decodes more than their metadata.
	 */
	CLIENT

}
