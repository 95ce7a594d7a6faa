package dev.kubeinformer.spring.settings;

/**
 * Shard key of one resource: the part of an object's metadata that decides to which shard
 * the object belongs. It overrides the shard key that applies to all resources.
 */
public enum ResourceShardKey {

	/** Objects are sharded by their UID. */
	UID,

	/** Objects are sharded by their namespace. */
	NAMESPACE,

	/** Objects are not sharded: each replica has all of them. */
	NONE

}
