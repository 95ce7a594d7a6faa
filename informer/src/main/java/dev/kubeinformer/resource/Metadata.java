package dev.kubeinformer.resource;

import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * Metadata of an object without its other fields, such as {@code spec}, {@code status}
 * and {@code data} ({@code PartialObjectMetadata} of k8s.io/apimachinery). An informer on
 * {@code Metadata<V1Secret>} reads and caches only the metadata of the secrets. The
 * {@link V1ObjectMeta} is shared with the cache and must not be modified.
 *
 * @param <T> the model class of the whole object
 */
public final class Metadata<T extends KubernetesObject> implements KubernetesObject {

	private final String apiVersion;

	private final String kind;

	private final V1ObjectMeta metadata;

	/**
	 * Creates the metadata of an object.
	 * @param apiVersion group and version of the object, such as {@code apps/v1}
	 * @param kind the kind of the object, such as {@code Deployment}
	 * @param metadata the metadata
	 */
	public Metadata(String apiVersion, String kind, V1ObjectMeta metadata) {
		this.apiVersion = Objects.requireNonNull(apiVersion, "The API version is null");
		this.kind = Objects.requireNonNull(kind, "The kind is null");
		this.metadata = Objects.requireNonNull(metadata, "The metadata is null");
	}

	/**
	 * Returns the API version of the object.
	 * @return group and version, such as {@code apps/v1}
	 */
	@Override
	public String getApiVersion() {
		return this.apiVersion;
	}

	/**
	 * Returns the kind of the object, never {@code PartialObjectMetadata}.
	 * @return the kind, such as {@code Deployment}
	 */
	@Override
	public String getKind() {
		return this.kind;
	}

	/**
	 * Returns the metadata of the object.
	 * @return the metadata
	 */
	@Override
	public V1ObjectMeta getMetadata() {
		return this.metadata;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return (this == other) || (other instanceof Metadata<?> that && this.apiVersion.equals(that.apiVersion)
				&& this.kind.equals(that.kind) && this.metadata.equals(that.metadata));
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.apiVersion, this.kind, this.metadata);
	}

	/**
	 * Returns the identity of the object, without labels and annotations.
	 * @return kind, namespace and name
	 */
	@Override
	public String toString() {
		String namespace = this.metadata.getNamespace();
		return "%s %s%s".formatted(this.kind, (namespace != null) ? namespace + "/" : "", this.metadata.getName());
	}

}
