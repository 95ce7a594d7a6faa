package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.function.Consumer;

import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informers;
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
 * Meters of all informers and handlers of a cluster in one registry. A component may have
 * the id of an older one that is about to be removed; its meters then replace those of
 * the older one.
 */
final class RegistryInformerMeters implements InformerListener {

	private final MeterRegistry registry;

	private final Informers cluster;

	private final MetersByKey<Informer<?>, InformerMeters> informers;

	private final MetersByKey<HandlerRegistration, HandlerMeters> handlers;

	RegistryInformerMeters(MeterRegistry registry, ClusterTag clusterTag, Informers cluster) {
		this.registry = registry;
		this.cluster = cluster;
		this.informers = new MetersByKey<>(clusterTag);
		this.handlers = new MetersByKey<>(clusterTag);
	}

	void open() {
		this.cluster.addListener(this);
		this.cluster.all().forEach((informer) -> {
			informerAdded(informer);
			informer.handlers().forEach((handler) -> handlerAdded(informer, handler));
		});
	}

	Informers cluster() {
		return this.cluster;
	}

	@Override
	public void informerAdded(Informer<?> informer) {
		this.informers.get(informer.id(), informer, (tag) -> new InformerMeters(this.registry, tag, informer));
	}

	@Override
	public void informerRemoved(Informer<?> informer) {
		this.informers.remove(informer.id(), informer);
	}

	@Override
	public void stateChanged(Informer<?> informer, InformerState before, InformerState now) {
		with(informer, (meters) -> meters.stateChanged(before));
	}

	@Override
	public void synced(Informer<?> informer, Duration duration) {
		with(informer, (meters) -> meters.synced(duration));
	}

	@Override
	public void listed(Informer<?> informer, ListReason reason, int objects, Duration duration) {
		with(informer, (meters) -> meters.listed(reason, duration));
	}

	@Override
	public void requestFailed(Informer<?> informer, InformerError error, Duration duration) {
		if (error.verb().equals("list")) {
			with(informer, (meters) -> meters.listFailed(duration));
		}
	}

	@Override
	public void watchEnded(Informer<?> informer, WatchEndReason reason, Duration lived) {
		with(informer, (meters) -> meters.watchEnded(reason));
	}

	@Override
	public void eventReceived(Informer<?> informer, WatchEventType type) {
		with(informer, (meters) -> meters.received(type));
	}

	@Override
	public void unreadable(Informer<?> informer, int objects) {
		with(informer, (meters) -> meters.unreadable(objects));
	}

	@Override
	public void warningReceived(Informer<?> informer, String warning) {
		with(informer, InformerMeters::warned);
	}

	private void with(Informer<?> informer, Consumer<InformerMeters> action) {
		InformerMeters meters = this.informers.get(informer.id());
		if (meters != null) {
			action.accept(meters);
		}
	}

	@Override
	public void handlerAdded(Informer<?> informer, HandlerRegistration handler) {
		this.handlers.get(key(informer, handler), handler,
				(tag) -> new HandlerMeters(this.registry, tag, informer, handler));
	}

	@Override
	public void handlerRemoved(Informer<?> informer, HandlerRegistration handler) {
		this.handlers.remove(key(informer, handler), handler);
	}

	@Override
	public void handled(Informer<?> informer, HandlerRegistration handler, HandledEvent event) {
		@Nullable HandlerMeters meters = this.handlers.get(key(informer, handler));
		if (meters != null) {
			meters.handled(event);
		}
	}

	/**
	 * Removes all meters and the listener. The informers may belong to a parent context
	 * and outlive this context.
	 */
	void close() {
		this.cluster.removeListener(this);
		this.informers.close();
		this.handlers.close();
	}

	private static HandlerKey key(Informer<?> informer, HandlerRegistration handler) {
		return new HandlerKey(informer.id(), handler.id());
	}

	private record HandlerKey(String informer, String handler) {

	}

}
