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
 * @param json that of JSON
 * @param protobuf that of protobuf; {@code null} if the resource has none
 */
public record Codecs<T extends KubernetesObject>(ResourceCodec<T> json, @Nullable ResourceCodec<T> protobuf) {

	/**
	 * Returns whether parts of objects that can be changed may be parts of others too.
	 * @return whether they may
	 */
	public boolean shareParts() {
		return this.protobuf != null && this.protobuf.sharesParts();
	}

	/**
	 * Sets what is notified of the form in which the metadata of objects comes.
	 * @param observer the observer
	 */
	void observeMetadata(Consumer<MetadataMode> observer) {
		this.json.observeMetadata(observer);
		if (this.protobuf != null) {
			this.protobuf.observeMetadata(observer);
		}
	}

	/**
	 * Sets what is notified where the models on the class path lack what protobuf needs
	 * of them.
	 * @param observer receives why, in words for people
	 */
	void observeMissingModels(Consumer<String> observer) {
		if (this.protobuf != null) {
			this.protobuf.observeMissingModels(observer);
		}
	}

	/**
	 * Sets the kind of a resource of which only the API server knows it.
	 * @param kind the kind
	 */
	void discovered(String kind) {
		this.json.discovered(kind);
		if (this.protobuf != null) {
			this.protobuf.discovered(kind);
		}
	}

	/**
	 * Drops the parts of objects that were read.
	 */
	void forgetParts() {
		if (this.protobuf != null) {
			this.protobuf.forgetParts();
		}
	}

}
