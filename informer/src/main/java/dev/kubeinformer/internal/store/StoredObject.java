package dev.kubeinformer.internal.store;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ObjectKey;

/**
 * Object with the identity under which it was received. Key, UID and resourceVersion are
 * kept separately, because a transform may have changed them inside the object.
 *
 * @param <T> the model class
 */
public final class StoredObject<T> {

	private final String namespace;

	private final String name;

	private final String uid;

	private final String resourceVersion;

	private final T object;

	private final @Nullable Map<String, List<@Nullable String>> indexValues;

	/**
	 * Creates a stored object.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @param name the name
	 * @param uid the UID, empty if unknown
	 * @param resourceVersion the version, empty if unknown
	 * @param object the object
	 */
	public StoredObject(String namespace, String name, String uid, String resourceVersion, T object) {
		this(namespace, name, uid, resourceVersion, object, null);
	}

	private StoredObject(String namespace, String name, String uid, String resourceVersion, T object,
			@Nullable Map<String, List<@Nullable String>> indexValues) {
		this.namespace = namespace;
		this.name = name;
		this.uid = uid;
		this.resourceVersion = resourceVersion;
		this.object = object;
		this.indexValues = indexValues;
	}

	StoredObject<T> withIndexValues(@Nullable Map<String, List<@Nullable String>> indexValues) {
		return (indexValues == this.indexValues) ? this : new StoredObject<>(this.namespace, this.name, this.uid,
				this.resourceVersion, this.object, indexValues);
	}

	StoredObject<T> withoutVersion() {
		return new StoredObject<>(this.namespace, this.name, this.uid, "", this.object, this.indexValues);
	}

	/**
	 * Returns the namespace.
	 * @return the namespace, empty for cluster-scoped objects
	 */
	public String namespace() {
		return this.namespace;
	}

	/**
	 * Returns the name.
	 * @return the name
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns the namespace and name.
	 * @return the key
	 */
	public ObjectKey key() {
		return new ObjectKey(this.namespace, this.name);
	}

	/**
	 * Returns the UID as received.
	 * @return the UID, empty if unknown
	 */
	public String uid() {
		return this.uid;
	}

	/**
	 * Returns the version as received.
	 * @return the resourceVersion, empty if unknown
	 */
	public String resourceVersion() {
		return this.resourceVersion;
	}

	/**
	 * Returns the object.
	 * @return the object
	 */
	public T object() {
		return this.object;
	}

	/**
	 * Returns the values that the custom index functions returned when the object was
	 * stored.
	 * @return the values by index name; {@code null} if there is no custom index
	 */
	@Nullable Map<String, List<@Nullable String>> indexValues() {
		return this.indexValues;
	}

	/**
	 * Returns whether this is the object of a given UID in a given version.
	 * @param otherUid the UID of the object
	 * @param otherVersion the version
	 * @return {@code true} if UID and version are equal to those of this object and not
	 * empty
	 */
	public boolean isVersion(String otherUid, String otherVersion) {
		return !this.uid.isEmpty() && this.uid.equals(otherUid) && !this.resourceVersion.isEmpty()
				&& this.resourceVersion.equals(otherVersion);
	}

	/**
	 * Returns whether an object has the same content as this one.
	 * @param other the object
	 * @return {@code true} if the two are equal; {@code false} also if the comparison
	 * throws an exception
	 */
	public boolean hasContent(T other) {
		try {
			return this.object.equals(other) || hasBytes(this.object, other);
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	// V1ConfigMap compares the arrays of its binaryData by identity, unlike V1Secret.
	private static boolean hasBytes(Object one, Object other) {
		return one instanceof V1ConfigMap first && other instanceof V1ConfigMap second
				&& isSame(first.getBinaryData(), second.getBinaryData())
				&& Objects.equals(first.getData(), second.getData())
				&& Objects.equals(first.getMetadata(), second.getMetadata())
				&& Objects.equals(first.getImmutable(), second.getImmutable())
				&& Objects.equals(first.getApiVersion(), second.getApiVersion())
				&& Objects.equals(first.getKind(), second.getKind());
	}

	private static boolean isSame(@Nullable Map<String, byte[]> one, @Nullable Map<String, byte[]> other) {
		if (one == null || other == null) {
			return one == other;
		}
		return one.keySet().equals(other.keySet())
				&& one.keySet().stream().allMatch((key) -> Arrays.equals(one.get(key), other.get(key)));
	}

	/**
	 * Returns whether an object of the same key is the same object and not a recreated
	 * one. Objects without UIDs count as the same.
	 * @param other the other object
	 * @return {@code true} unless the UIDs differ
	 */
	boolean isSameObjectAs(StoredObject<T> other) {
		return this.uid.equals(other.uid);
	}

}
