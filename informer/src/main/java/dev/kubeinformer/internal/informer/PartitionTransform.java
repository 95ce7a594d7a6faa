package dev.kubeinformer.internal.informer;

import io.kubernetes.client.informer.TransformFunc;
import org.jspecify.annotations.Nullable;

/**
 * Transform of a partition, and whether it produced the cached objects.
 *
 * @param function the transform; {@code null} for none
 * @param unproven whether another transform may have produced cached objects
 */
record PartitionTransform(@Nullable TransformFunc function, boolean unproven) {

	PartitionTransform replacedBy(@Nullable TransformFunc next) {
		return new PartitionTransform(next, this.unproven || this.function != next);
	}

}
