package dev.kubeinformer.types;

import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.NameHash;

/**
 * Key of an object within one resource: its namespace and name.
 *
 * @param namespace the namespace; empty for a cluster-scoped object
 * @param name the name
 */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {

	/**
	 * Hash with random numbers that are different in each JVM, as in the JDK's own
	 * unmodifiable sets.
	 */
	private static final NameHash HASH = NameHash.random();

	/**
	 * Returns the key of an object.
	 * @param object the object
	 * @return the key; namespace or name is empty if it is missing
	 */
	public static ObjectKey of(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		return (metadata != null) ? new ObjectKey(Objects.requireNonNullElse(metadata.getNamespace(), ""),
				Objects.requireNonNullElse(metadata.getName(), "")) : new ObjectKey("", "");
	}

	/**
	 * Parses a key in the format of client-go's {@code MetaNamespaceKeyFunc}.
	 * @param key {@code namespace/name}, or {@code name}
	 * @return the key
	 */
	public static ObjectKey parse(String key) {
		int slash = key.indexOf('/');
		return (slash <= 0) ? new ObjectKey("", key) : new ObjectKey(key.substring(0, slash), key.substring(slash + 1));
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof ObjectKey key && this.name.equals(key.name) && this.namespace.equals(key.namespace);
	}

	// The hash is unpredictable because somebody could choose many names with one hash
	// code, which would turn lookups
	// in hash tables into linear searches.
	@Override
	public int hashCode() {
		return HASH.of(this.namespace, this.name);
	}

	@Override
	public int compareTo(ObjectKey other) {
		int byName = this.name.compareTo(other.name);
		return (byName != 0) ? byName : this.namespace.compareTo(other.namespace);
	}

	@Override
	public String toString() {
		return this.namespace.isEmpty() ? this.name : this.namespace + "/" + this.name;
	}

}
