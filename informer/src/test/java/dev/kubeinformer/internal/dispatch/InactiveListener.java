package dev.kubeinformer.internal.dispatch;

import java.time.Duration;

import dev.kubeinformer.handler.HandledEvent;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.types.ObjectKey;

/**
 * Listener that is not active and ignores failures.
 */
class InactiveListener implements DeliveryListener<Note> {

	@Override
	public boolean isActive() {
		return false;
	}

	@Override
	public void synced() {
	}

	@Override
	public void handled(HandledEvent event) {
		throw new AssertionError("not active");
	}

	@Override
	public void failed(ResourceEvent<Note> event, ObjectKey key, Throwable cause, Duration retry) {
	}

	@Override
	public void interrupted(ResourceEvent<Note> event, ObjectKey key) {
	}

	@Override
	public void observerFailed(Throwable cause) {
	}

	@Override
	public void dropped(int events) {
	}

	@Override
	public void settled() {
	}

}
