package dev.kubeinformer.benchmark;

import java.time.Duration;

import dev.kubeinformer.internal.dispatch.Delivery;
import dev.kubeinformer.internal.dispatch.DeliveryListener;
import dev.kubeinformer.types.HandlingOutcome;

/**
 * Listener of deliveries that ignores everything.
 *
 * @param <T> the model class
 */
final class SilentListener<T> implements DeliveryListener<T> {

	@Override
	public boolean isActive() {
		return false;
	}

	@Override
	public void synced() {
		// Nobody waits.
	}

	@Override
	public void delivered(Delivery<T> delivery, HandlingOutcome outcome, Duration waited, Duration duration) {
		// It is not active.
	}

	@Override
	public void settled() {
		// Nobody waits.
	}

}
