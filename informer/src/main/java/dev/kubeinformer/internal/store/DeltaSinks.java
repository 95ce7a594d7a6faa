package dev.kubeinformer.internal.store;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Sinks of a store. Guarded by the store's lock.
 *
 * @param <T> the model class
 */
final class DeltaSinks<T> {

	private final List<DeltaSink<T>> sinks = new CopyOnWriteArrayList<>();

	/**
	 * Adds a sink, after it was given the present objects as initial additions.
	 * @param sink the sink
	 * @param present the content at this moment
	 */
	void add(DeltaSink<T> sink, StoreSnapshot<T> present) {
		present.iterator().forEachRemaining((object) -> sink.delta(Delta.added(object).listed(true, true)));
		add(sink);
	}

	void add(DeltaSink<T> sink) {
		this.sinks.add(sink);
	}

	void remove(DeltaSink<T> sink) {
		this.sinks.remove(sink);
	}

	void deliver(List<Delta<T>> deletes, List<Delta<T>> changes, List<QuarantineChange<T>> quarantined) {
		for (DeltaSink<T> sink : this.sinks) {
			deletes.forEach(sink::delta);
			changes.forEach(sink::delta);
			quarantined.forEach(sink::quarantined);
		}
	}

	void initialStateComplete() {
		this.sinks.forEach(DeltaSink::initialStateComplete);
	}

	void frozen() {
		this.sinks.forEach(DeltaSink::frozen);
	}

	void initialStateReset() {
		this.sinks.forEach(DeltaSink::initialStateReset);
	}

}
