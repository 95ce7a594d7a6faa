package dev.kubeinformer.types;

/**
 * The part of an object's metadata by which a {@link Shard} is told (the fields of
 * {@code shardRange} in KEP-5866). An object never changes it.
 */
public enum ShardKey {

	/**
	 * The UID: shards are even, and a name that is deleted and created again may change
	 * its shard.
	 */
	UID("object.metadata.uid"),

	/**
	 * The namespace, which is empty for cluster-scoped objects: all objects of a
	 * namespace are in one shard. The hash is that of the API server, and weak in its
	 * highest bits: namespaces whose names differ in their last characters only, such as
	 * {@code team-1} and {@code team-2}, are nearly always in the same shard.
	 */
	NAMESPACE("object.metadata.namespace");

	private final String field;

	ShardKey(String field) {
		this.field = field;
	}

	/**
	 * Returns the field as shard selectors of the API server name it.
	 * @return the path of the field
	 */
	public String field() {
		return this.field;
	}

}
