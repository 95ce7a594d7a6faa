package dev.kubeinformer.internal.codec.json;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

/**
 * Metadata of an object that a server answered with: as much as is needed to find it in a
 * cache.
 */
public final class WrittenMetadata implements KubernetesObject {

	private final String apiVersion;

	private final String kind;

	private final V1ObjectMeta metadata;

	/**
	 * Creates the metadata.
	 * @param apiVersion the API version; empty if it is not known
	 * @param kind the kind; empty if it is not known
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
	 * Returns whether it is of an object of the cluster, and not of a status or a review.
	 * @return whether it has a name, a UID and a version
	 */
	public boolean hasVersion() {
		return this.metadata.getName() != null && this.metadata.getUid() != null
				&& this.metadata.getResourceVersion() != null;
	}

}
