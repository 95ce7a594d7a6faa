package dev.kubeinformer.internal.transport;

import java.util.function.Consumer;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ResourceCodec;
import dev.kubeinformer.types.MetadataMode;

/**
 * Codecs of a resource.
 *
 * @param <T> the model class
 * @param json the JSON codec
 * @param protobuf the protobuf codec; {@code null} if the resource has none
 */
public record Codecs<T extends KubernetesObject>(ResourceCodec<T> json, @Nullable ResourceCodec<T> protobuf) {

	/**
	 * Returns whether mutable parts of objects may be shared with other objects.
	 * @return {@code true} if parts may be shared
	 */
	public boolean shareParts() {
		return this.protobuf != null && this.protobuf.sharesParts();
	}

	/**
	 * Sets the observer of the form in which the metadata of objects arrives.
	 * @param observer the observer
	 */
	void observeMetadata(Consumer<MetadataMode> observer) {
		this.json.observeMetadata(observer);
		if (this.protobuf != null) {
			this.protobuf.observeMetadata(observer);
		}
	}

	/**
	 * Sets the observer for models on the class path that protobuf cannot use.
	 * @param observer receives the reason, as text
	 */
	void observeMissingModels(Consumer<String> observer) {
		if (this.protobuf != null) {
			this.protobuf.observeMissingModels(observer);
		}
	}

	/**
	 * Sets the kind of a resource whose kind only the API server knows.
	 * @param kind the kind
	 */
	void discovered(String kind) {
		this.json.discovered(kind);
		if (this.protobuf != null) {
			this.protobuf.discovered(kind);
		}
	}

	/** Drops the shared parts of objects that were read. */
	void forgetParts() {
		if (this.protobuf != null) {
			this.protobuf.forgetParts();
		}
	}

}
