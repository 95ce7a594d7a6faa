package dev.kubeinformer.internal.workqueue;

import java.util.ArrayList;
import java.util.List;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.types.ObjectKey;

/**
 * Queue that records what it is fed, such as {@code ns/a LIVE}, {@code ns/a deleted} and
 * {@code ns/a resync}.
 */
public final class RecordedFeed implements KeyFeed {

	private final List<String> events = new ArrayList<>();

	public List<String> take() {
		List<String> taken = List.copyOf(this.events);
		this.events.clear();
		return taken;
	}

	@Override
	public void changed(ObjectKey key, QueueLane lane) {
		this.events.add(key + " " + lane);
	}

	@Override
	public void deleted(ObjectKey key) {
		this.events.add(key + " deleted");
	}

	@Override
	public void resync(ObjectKey key) {
		this.events.add(key + " resync");
	}

}
