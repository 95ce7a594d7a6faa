package dev.kubeinformer.dispatch;

import java.time.Duration;

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
	public void delivered(Delivery<String> delivery, Outcome outcome, Duration waited, Duration duration) {
		throw new AssertionError("nobody listens");
	}

	@Override
	public void settled() {
	}

}
