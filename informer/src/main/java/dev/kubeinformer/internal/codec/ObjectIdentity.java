package dev.kubeinformer.internal.codec;

import dev.kubeinformer.internal.text.TextBytes;

/**
 * Identity of an object: its namespace, name, UID and version, as bytes of the response.
 * Missing values are empty. One instance is reused for many objects.
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
	 * Returns an immutable copy.
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
