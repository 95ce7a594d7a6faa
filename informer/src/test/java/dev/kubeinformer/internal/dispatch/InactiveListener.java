package dev.kubeinformer.internal.dispatch;

import java.time.Duration;

import dev.kubeinformer.types.HandlingOutcome;

/**
 * Listener that is not active.
 */
final class InactiveListener implements DeliveryListener<String> {

	@Override
	public boolean isActive() {
		return false;
	}

	@Override
	public void synced() {
	}

	@Override
	public void delivered(Delivery<String> delivery, HandlingOutcome outcome, Duration waited, Duration duration) {
		throw new AssertionError("not active");
	}

	@Override
	public void settled() {
	}

}
