package dev.kubeinformer.internal.transport;

import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ResourceCodec;
import dev.kubeinformer.types.MetadataMode;

/**
 * Codecs of a resource, one for each encoding.
 *
 * @param <T> the model class
 * @param json the JSON codec
 * @param protobuf the protobuf codec; {@code null} if the resource has none
 */
public record Codecs<T extends KubernetesObject>(ResourceCodec<T> json, @Nullable ResourceCodec<T> protobuf) {

	/**
	 * Returns whether a decoded object may share mutable values with other objects.
	 * @return {@code true} if values may be shared
	 */
	public boolean shareParts() {
		return this.protobuf != null && this.protobuf.sharesParts();
	}

	/**
	 * Sets the observer that learns in which form the API server sends metadata.
	 * @param observer the observer
	 */
	void observeMetadata(Consumer<MetadataMode> observer) {
		this.json.observeMetadata(observer);
		if (this.protobuf != null) {
			this.protobuf.observeMetadata(observer);
		}
	}

	/**
	 * Sets the observer that is called if protobuf cannot be decoded, because model
	 * classes on the class path do not fit.
	 * @param observer receives the reason, as text
	 */
	void observeMissingModels(Consumer<String> observer) {
		if (this.protobuf != null) {
			this.protobuf.observeMissingModels(observer);
		}
	}

	/**
	 * Sets the kind of the resource, which the API server has returned.
	 * @param kind the kind
	 */
	void discovered(String kind) {
		this.json.discovered(kind);
		if (this.protobuf != null) {
			this.protobuf.discovered(kind);
		}
	}

	/** Forgets the values that were kept for sharing them with later objects. */
	void forgetParts() {
		if (this.protobuf != null) {
			this.protobuf.forgetParts();
		}
	}

}
