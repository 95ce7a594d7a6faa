package dev.kubeinformer.types;

/**
 * Part of an object's metadata that determines its {@link Shard} (the fields of
 * {@code shardRange} in KEP-5866). It never changes during the lifetime of an object.
 */
public enum ShardKey {

	/**
	 * The UID. All shards have about the same number of objects. If an object is deleted
	 * and created again, it may be in another shard.
	 */
	UID("object.metadata.uid"),

	/**
	 * The namespace, which is empty for cluster-scoped objects. All objects of a
	 * namespace are in one shard. The API server defines the hash that determines the
	 * shard, and its highest bits are weak: namespaces whose names differ only in their
	 * last characters, such as {@code team-1} and {@code team-2}, are nearly always in
	 * the same shard.
	 */
	NAMESPACE("object.metadata.namespace");

	private final String field;

	ShardKey(String field) {
		this.field = field;
	}

	/**
	 * Returns the name of the field in the API server's shard selectors.
	 * @return the path of the field
	 */
	public String field() {
		return this.field;
	}

}
