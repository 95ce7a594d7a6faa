package dev.kubeinformer.benchmark;

import java.time.Duration;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.HandledEvent;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.internal.dispatch.DeliveryListener;
import dev.kubeinformer.types.ObjectKey;

/**
 * Listener of deliveries that ignores everything.
 *
 * @param <T> the model class
 */
final class SilentListener<T extends KubernetesObject> implements DeliveryListener<T> {

	@Override
	public boolean isActive() {
		return false;
	}

	@Override
	public void synced() {
		// No thread waits.
	}

	@Override
	public void handled(HandledEvent event) {
		// The listener is not active.
	}

	@Override
	public void failed(ResourceEvent<T> event, ObjectKey key, Throwable cause, @Nullable Duration retry) {
		// No handler of a benchmark fails.
	}

	@Override
	public void interrupted(ResourceEvent<T> event, ObjectKey key) {
		// No handler of a benchmark is interrupted.
	}

	@Override
	public void observerFailed(Throwable cause) {
		// No handler of a benchmark has an observer.
	}

	@Override
	public void dropped(int events) {
		// These events are not counted.
	}

	@Override
	public void settled() {
		// No thread waits.
	}

}
