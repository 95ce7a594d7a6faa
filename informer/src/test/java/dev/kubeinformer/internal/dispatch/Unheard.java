package dev.kubeinformer.internal.dispatch;

import java.time.Duration;

import dev.kubeinformer.types.HandlingOutcome;

/**
 * A listener to whom nothing is worth telling.
 */
final class Unheard implements DeliveryListener<String> {

	@Override
	public boolean isActive() {
		return false;
	}

	@Override
	public void synced() {
	}

	@Override
	public void delivered(Delivery<String> delivery, HandlingOutcome outcome, Duration waited, Duration duration) {
		throw new AssertionError("nobody listens");
	}

	@Override
	public void settled() {
	}

}
