package dev.kubeinformer.internal.codec.json;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Metadata from the response to a write: the fields by which the written object is found
 * in a cache.
 */
public final class WrittenMetadata implements KubernetesObject {

	private final String apiVersion;

	private final String kind;

	private final V1ObjectMeta metadata;

	/**
	 * Creates the metadata.
	 * @param apiVersion the API version; empty if unknown
	 * @param kind the kind; empty if unknown
	 * @param metadata the metadata
	 */
	public WrittenMetadata(String apiVersion, String kind, V1ObjectMeta metadata) {
		this.apiVersion = apiVersion;
		this.kind = kind;
		this.metadata = metadata;
	}

	@Override
	public String getApiVersion() {
		return this.apiVersion;
	}

	@Override
	public String getKind() {
		return this.kind;
	}

	@Override
	public V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	/**
	 * Returns whether this is the metadata of a stored object. The metadata of a
	 * {@code Status}, or of an object that is never stored, such as a
	 * {@code SubjectAccessReview}, has no version.
	 * @return {@code true} if it has a name, a UID and a version
	 */
	public boolean hasVersion() {
		return this.metadata.getName() != null && this.metadata.getUid() != null
				&& this.metadata.getResourceVersion() != null;
	}

}
