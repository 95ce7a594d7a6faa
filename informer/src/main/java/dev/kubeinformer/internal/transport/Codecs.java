package dev.kubeinformer.internal.transport;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ResourceCodec;

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
	 * Drops the parts of objects that were read.
	 */
	void forgetParts() {
		if (this.protobuf != null) {
			this.protobuf.forgetParts();
		}
	}

}
