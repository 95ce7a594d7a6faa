package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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
 * The meters of all informers and handlers of a cluster in one registry. One that comes
 * under the id of one that is about to go takes its place.
 */
final class RegistryInformerMeters implements InformerListener {

	private final MeterRegistry registry;

	private final ClusterTag clusterTag;

	private final Informers cluster;

	private final Map<String, InformerMeters> informers = new ConcurrentHashMap<>();

	private final Map<HandlerKey, HandlerMeters> handlers = new ConcurrentHashMap<>();

	private volatile boolean closed;

	RegistryInformerMeters(MeterRegistry registry, ClusterTag clusterTag, Informers cluster) {
		this.registry = registry;
		this.clusterTag = clusterTag;
		this.cluster = cluster;
	}

	void open() {
		this.cluster.addListener(this);
		this.cluster.all().forEach((informer) -> {
			informerAdded(informer);
			informer.handlers().forEach((handler) -> handlerAdded(informer, handler));
		});
	}

	boolean isOf(Informers candidate) {
		return this.cluster == candidate;
	}

	@Override
	public void informerAdded(Informer<?> informer) {
		this.informers.compute(informer.id(), (id, present) -> {
			if (this.closed || (present != null && present.isOf(informer))) {
				return present;
			}
			if (present != null) {
				present.remove();
			}
			return new InformerMeters(this.registry, this.clusterTag, informer);
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
		this.handlers.compute(key(informer, handler), (key, present) -> {
			if (this.closed || (present != null && present.isOf(handler))) {
				return present;
			}
			if (present != null) {
				present.remove();
			}
			return new HandlerMeters(this.registry, this.clusterTag, informer, handler);
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

	/**
	 * Removes all meters. The informers may be those of a parent context, and live on.
	 */
	void close() {
		this.cluster.removeListener(this);
		// What is added at this moment may still come.
		this.closed = true;
		this.informers.keySet().forEach((id) -> this.informers.computeIfPresent(id, (key, present) -> {
			present.remove();
			return null;
		}));
		this.handlers.keySet().forEach((id) -> this.handlers.computeIfPresent(id, (key, present) -> {
			present.removeAll();
			return null;
		}));
	}

	private static HandlerKey key(Informer<?> informer, HandlerRegistration handler) {
		return new HandlerKey(informer.id(), handler.id());
	}

	private record HandlerKey(String informer, String handler) {

	}

}
