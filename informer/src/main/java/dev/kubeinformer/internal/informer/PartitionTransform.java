package dev.kubeinformer.internal.informer;

import io.kubernetes.client.informer.TransformFunc;
import org.jspecify.annotations.Nullable;

/**
 * Transform of a partition, and what is known of the objects that are cached.
 *
 * @param function the transform; {@code null} for none
 * @param unproven whether cached objects may have passed another one
 */
record PartitionTransform(@Nullable TransformFunc function, boolean unproven) {

	PartitionTransform replacedBy(@Nullable TransformFunc next) {
		return new PartitionTransform(next, this.unproven || this.function != next);
	}

}
