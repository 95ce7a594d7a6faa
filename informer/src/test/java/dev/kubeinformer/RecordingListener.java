package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WatchEventType;

/**
 * Records its notifications, in words.
 */
class RecordingListener implements InformerListener {

	private final List<String> told = new CopyOnWriteArrayList<>();

	private final List<Duration> durations = new CopyOnWriteArrayList<>();

	private final List<InformerError> errors = new CopyOnWriteArrayList<>();

	@Override
	public void informerAdded(Informer<?> informer) {
		this.told.add("added " + informer.id());
	}

	@Override
	public void informerRemoved(Informer<?> informer) {
		this.told.add("removed " + informer.id());
	}

	@Override
	public void stateChanged(Informer<?> informer, InformerState before, InformerState now) {
		this.told.add(before + ">" + now);
	}

	@Override
	public void synced(Informer<?> informer, Duration duration) {
		this.durations.add(duration);
		this.told.add("synced " + informer.id());
	}

	@Override
	public void listed(Informer<?> informer, ListReason reason, int objects, Duration duration) {
		this.durations.add(duration);
		this.told.add("listed " + objects + " " + reason);
	}

	@Override
	public void requestFailed(Informer<?> informer, InformerError error, Duration duration) {
		this.durations.add(duration);
		this.errors.add(error);
		this.told.add("failed " + error.verb() + " " + error.httpStatus());
	}

	@Override
	public void watchStarted(Informer<?> informer) {
		this.told.add("watch");
	}

	@Override
	public void watchEnded(Informer<?> informer, WatchEndReason reason, Duration lived) {
		this.durations.add(lived);
		this.told.add("watch ended " + reason);
	}

	@Override
	public void eventReceived(Informer<?> informer, WatchEventType type) {
		this.told.add("event " + type);
	}

	@Override
	public void unreadable(Informer<?> informer, int objects) {
		this.told.add("unreadable " + objects);
	}

	@Override
	public void handlerAdded(Informer<?> informer, HandlerRegistration handler) {
		this.told.add("handler added " + handler.id());
	}

	@Override
	public void handlerRemoved(Informer<?> informer, HandlerRegistration handler) {
		this.told.add("handler removed " + handler.id());
	}

	@Override
	public void handlerSynced(Informer<?> informer, HandlerRegistration handler, Duration duration) {
		this.durations.add(duration);
		this.told.add("handler synced " + handler.id());
	}

	@Override
	public void handled(Informer<?> informer, HandlerRegistration handler, HandledEvent event) {
		this.durations.add(event.waited());
		this.durations.add(event.duration());
		this.told.add("handled " + event.type() + " " + event.attempt() + " " + event.outcome());
	}

	List<String> told() {
		return List.copyOf(this.told);
	}

	List<String> told(Predicate<String> which) {
		return this.told.stream().filter(which).toList();
	}

	List<Duration> durations() {
		return new ArrayList<>(this.durations);
	}

	List<InformerError> errors() {
		return new ArrayList<>(this.errors);
	}

}
