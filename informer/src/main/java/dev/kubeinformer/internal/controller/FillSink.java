package dev.kubeinformer.internal.controller;

import java.util.function.Consumer;

import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.DeltaSink;
import dev.kubeinformer.internal.store.StoredObject;

/**
 * Sink that only notes whether the cache of a source is filled. It calls under the lock
 * of the store.
 *
 * @param <C> the model class
 */
final class FillSink<C> implements DeltaSink<C> {

	private final ControllerSource<?> source;

	private final Consumer<ControllerSource<?>> filled;

	private final Consumer<ControllerSource<?>> emptied;

	/**
	 * Creates a sink.
	 * @param source the source
	 * @param filled called when the cache holds its full state
	 * @param emptied called when it does not any more
	 */
	FillSink(ControllerSource<?> source, Consumer<ControllerSource<?>> filled, Consumer<ControllerSource<?>> emptied) {
		this.source = source;
		this.filled = filled;
		this.emptied = emptied;
	}

	@Override
	public void delta(Delta<C> delta) {
		// What came is for the queue.
	}

	@Override
	public void resync(StoredObject<C> object) {
		// That is for the queue, too.
	}

	@Override
	public void initialStateComplete() {
		this.filled.accept(this.source);
	}

	@Override
	public void frozen() {
		this.emptied.accept(this.source);
	}

	@Override
	public void initialStateReset() {
		this.emptied.accept(this.source);
	}

}
