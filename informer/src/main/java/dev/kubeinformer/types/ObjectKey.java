package dev.kubeinformer.types;

import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.NameHash;

/**
 * What names an object within one resource.
 *
 * @param namespace the namespace, empty for cluster-scoped objects
 * @param name the name
 */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {

	/** Drawn once for each JVM, as that of the JDK's own unmodifiable sets. */
	private static final NameHash HASH = NameHash.random();

	/**
	 * Returns the key of an object.
	 * @param object the object
	 * @return its namespace and name; what is missing is empty
	 */
	public static ObjectKey of(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		return (metadata != null) ? new ObjectKey(Objects.requireNonNullElse(metadata.getNamespace(), ""),
				Objects.requireNonNullElse(metadata.getName(), "")) : new ObjectKey("", "");
	}

	/**
	 * Reads a key in the form of client-go's {@code MetaNamespaceKeyFunc}.
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

	// Many names of one hash code may be somebody's intention, and cost a hash table a
	// comparison of each with each: here they cannot be predicted.
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
