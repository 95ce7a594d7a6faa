package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import dev.kubeinformer.handler.HandledEvent;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WatchEventType;

/**
 * Records its notifications, in words.
 */
class RecordingListener implements InformerListener {

	private final List<String> delivered = new CopyOnWriteArrayList<>();

	private final List<Duration> durations = new CopyOnWriteArrayList<>();

	private final List<InformerError> errors = new CopyOnWriteArrayList<>();

	@Override
	public void informerAdded(Informer<?> informer) {
		this.delivered.add("added " + informer.id());
	}

	@Override
	public void informerRemoved(Informer<?> informer) {
		this.delivered.add("removed " + informer.id());
	}

	@Override
	public void stateChanged(Informer<?> informer, InformerState before, InformerState now) {
		this.delivered.add(before + ">" + now);
	}

	@Override
	public void synced(Informer<?> informer, Duration duration) {
		this.durations.add(duration);
		this.delivered.add("synced " + informer.id());
	}

	@Override
	public void listed(Informer<?> informer, ListReason reason, int objects, Duration duration) {
		this.durations.add(duration);
		this.delivered.add("listed " + objects + " " + reason);
	}

	@Override
	public void requestFailed(Informer<?> informer, InformerError error, Duration duration) {
		this.durations.add(duration);
		this.errors.add(error);
		this.delivered.add("failed " + error.verb() + " " + error.httpStatus());
	}

	@Override
	public void watchStarted(Informer<?> informer) {
		this.delivered.add("watch");
	}

	@Override
	public void watchEnded(Informer<?> informer, WatchEndReason reason, Duration lived) {
		this.durations.add(lived);
		this.delivered.add("watch ended " + reason);
	}

	@Override
	public void eventReceived(Informer<?> informer, WatchEventType type) {
		this.delivered.add("event " + type);
	}

	@Override
	public void unreadable(Informer<?> informer, int objects) {
		this.delivered.add("unreadable " + objects);
	}

	@Override
	public void handlerAdded(Informer<?> informer, HandlerRegistration handler) {
		this.delivered.add("handler added " + handler.id());
	}

	@Override
	public void handlerRemoved(Informer<?> informer, HandlerRegistration handler) {
		this.delivered.add("handler removed " + handler.id());
	}

	@Override
	public void handlerSynced(Informer<?> informer, HandlerRegistration handler, Duration duration) {
		this.durations.add(duration);
		this.delivered.add("handler synced " + handler.id());
	}

	@Override
	public void handled(Informer<?> informer, HandlerRegistration handler, HandledEvent event) {
		this.durations.add(event.waited());
		this.durations.add(event.duration());
		this.delivered.add("handled " + event.type() + " " + event.attempt() + " " + event.outcome());
	}

	List<String> delivered() {
		return List.copyOf(this.delivered);
	}

	List<String> delivered(Predicate<String> which) {
		return this.delivered.stream().filter(which).toList();
	}

	List<Duration> durations() {
		return new ArrayList<>(this.durations);
	}

	List<InformerError> errors() {
		return new ArrayList<>(this.errors);
	}

}
