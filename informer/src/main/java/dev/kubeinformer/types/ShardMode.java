package dev.kubeinformer.types;

/**
 * Where the objects of other shards are left out.
 */
public enum ShardMode {

	/**
	 * The API server sends the objects of the shard only (KEP-5866). They are checked
	 * here all the same.
	 */
	SERVER,

	/**
	 * The API server sends everything, and foreign objects are dropped here, before more
	 * than their metadata is decoded.
	 */
	CLIENT

}
