package dev.kubeinformer.test.internal.resource;

import org.jspecify.annotations.Nullable;

/**
 * Namespace and name of an object.
 *
 * @param namespace the namespace, empty for an object of the cluster
 * @param name the name
 */
public record ObjectKey(String namespace, String name) {

	public static ObjectKey of(@Nullable String namespace, String name) {
		return new ObjectKey((namespace != null) ? namespace : "", name);
	}

	/**
	 * Returns the path in the storage. Lists are ordered by this path, as by the keys of
	 * etcd.
	 */
	public String path() {
		return (this.namespace.isEmpty()) ? this.name : this.namespace + "/" + this.name;
	}

}
