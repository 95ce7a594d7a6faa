package dev.kubeinformer.spring.settings;

/**
 * By what the objects of one resource are shared among replicas, where that is not the
 * key of all.
 */
public enum ResourceShardKey {

	/** By their UID. */
	UID,

	/** By their namespace. */
	NAMESPACE,

	/** They are not shared: each replica has all of them. */
	NONE

}
