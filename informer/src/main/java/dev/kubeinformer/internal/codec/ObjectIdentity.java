package dev.kubeinformer.internal.codec;

import dev.kubeinformer.internal.text.TextBytes;

/**
 * The identity of an object as it lies in the bytes of an answer. What is missing is
 * empty. One instance is used for one object after the other.
 */
public final class ObjectIdentity {

	private final TextBytes namespace = new TextBytes();

	private final TextBytes name = new TextBytes();

	private final TextBytes uid = new TextBytes();

	private final TextBytes resourceVersion = new TextBytes();

	/**
	 * Returns the namespace.
	 * @return the namespace, empty for cluster-scoped objects
	 */
	public TextBytes namespace() {
		return this.namespace;
	}

	/**
	 * Returns the name.
	 * @return the name
	 */
	public TextBytes name() {
		return this.name;
	}

	/**
	 * Returns the UID.
	 * @return the UID
	 */
	public TextBytes uid() {
		return this.uid;
	}

	/**
	 * Returns the version.
	 * @return the resourceVersion
	 */
	public TextBytes resourceVersion() {
		return this.resourceVersion;
	}

	/**
	 * Returns a copy that stays as it is.
	 * @return the identity
	 */
	public ObjectMetadata toMetadata() {
		return new ObjectMetadata(this.namespace.toString(), this.name.toString(), this.uid.toString(),
				this.resourceVersion.toString());
	}

	/**
	 * Forgets the object.
	 */
	public void clear() {
		this.namespace.clear();
		this.name.clear();
		this.uid.clear();
		this.resourceVersion.clear();
	}

}
