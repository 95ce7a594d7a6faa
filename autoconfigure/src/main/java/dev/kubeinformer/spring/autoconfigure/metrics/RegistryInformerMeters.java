package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.HandledEvent;
import dev.kubeinformer.HandlerRegistration;
import dev.kubeinformer.Informer;
import dev.kubeinformer.InformerError;
import dev.kubeinformer.InformerListener;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WatchEventType;

/**
 * The meters of all informers and handlers in one registry. One that comes under the id
 * of one that is about to go takes its place.
 */
final class RegistryInformerMeters implements InformerListener {

	private final MeterRegistry registry;

	private final Map<String, InformerMeters> informers = new ConcurrentHashMap<>();

	private final Map<HandlerKey, HandlerMeters> handlers = new ConcurrentHashMap<>();

	RegistryInformerMeters(MeterRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void informerAdded(Informer<?> informer) {
		this.informers.compute(informer.id(), (id, present) -> {
			if (present != null && present.isOf(informer)) {
				return present;
			}
			if (present != null) {
				present.remove();
			}
			return new InformerMeters(this.registry, informer);
		});
	}

	@Override
	public void informerRemoved(Informer<?> informer) {
		this.informers.computeIfPresent(informer.id(), (id, present) -> {
			if (!present.isOf(informer)) {
				return present;
			}
			present.remove();
			return null;
		});
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

	private void with(Informer<?> informer, Consumer<InformerMeters> action) {
		InformerMeters meters = this.informers.get(informer.id());
		if (meters != null) {
			action.accept(meters);
		}
	}

	@Override
	public void handlerAdded(Informer<?> informer, HandlerRegistration handler) {
		this.handlers.compute(key(informer, handler), (key, present) -> {
			if (present != null && present.isOf(handler)) {
				return present;
			}
			if (present != null) {
				present.remove();
			}
			return new HandlerMeters(this.registry, informer, handler);
		});
	}

	@Override
	public void handlerRemoved(Informer<?> informer, HandlerRegistration handler) {
		this.handlers.computeIfPresent(key(informer, handler), (key, present) -> {
			if (!present.isOf(handler)) {
				return present;
			}
			present.removeAll();
			return null;
		});
	}

	@Override
	public void handled(Informer<?> informer, HandlerRegistration handler, HandledEvent event) {
		@Nullable HandlerMeters meters = this.handlers.get(key(informer, handler));
		if (meters != null) {
			meters.handled(event);
		}
	}

	void close() {
		this.informers.values().forEach(InformerMeters::remove);
		this.informers.clear();
		this.handlers.values().forEach(HandlerMeters::removeAll);
		this.handlers.clear();
	}

	private static HandlerKey key(Informer<?> informer, HandlerRegistration handler) {
		return new HandlerKey(informer.id(), handler.id());
	}

	private record HandlerKey(String informer, String handler) {

	}

}
