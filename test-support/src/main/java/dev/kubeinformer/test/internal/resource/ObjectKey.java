package dev.kubeinformer.test.internal.resource;

import org.jspecify.annotations.Nullable;

/**
 * The namespace and name of an object.
 *
 * @param namespace the namespace, empty for an object of the cluster
 * @param name the name
 */
public record ObjectKey(String namespace, String name) {

	public static ObjectKey of(@Nullable String namespace, String name) {
		return new ObjectKey((namespace != null) ? namespace : "", name);
	}

	/**
	 * Returns the path in the storage; lists are ordered by it, as by etcd's keys.
	 */
	public String path() {
		return (this.namespace.isEmpty()) ? this.name : this.namespace + "/" + this.name;
	}

}
