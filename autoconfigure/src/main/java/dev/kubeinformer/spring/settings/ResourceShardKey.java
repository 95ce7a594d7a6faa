package dev.kubeinformer.spring.settings;

/**
 * Shard key of a resource, overriding the common one.
 */
public enum ResourceShardKey {

	/** Objects are sharded by their UID. */
	UID,

	/** Objects are sharded by their namespace. */
	NAMESPACE,

	/** Objects are not sharded: each replica has all of them. */
	NONE

}
