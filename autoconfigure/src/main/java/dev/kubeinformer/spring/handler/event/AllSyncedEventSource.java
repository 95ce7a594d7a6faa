package dev.kubeinformer.spring.handler.event;

import java.time.Duration;
import java.util.List;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.spring.handler.RegistrationAware;

/**
 * Publishes the {@link InformersSyncedEvent} of a cluster once, after the
 * {@link InformerHandlerSyncedEvent}s of all handlers in the cluster.
 */
public final class AllSyncedEventSource implements EventSource {

	private final EventThread events;

	private final ClusterRuntime cluster;

	private final Informers informers;

	private final InformerHandlerRegistry all;

	/** Handlers in the cluster. */
	private final InformerHandlerRegistry registry;

	private final SyncEventLedger handlers;

	/**
	 * Whether this is a child context. Its parent publishes the events of the informers.
	 */
	private final boolean child;

	/** Whether the event was published. Used only on the event thread. */
	private boolean published;

	public AllSyncedEventSource(EventThread events, ClusterRuntime cluster, InformerHandlerRegistry all,
			SyncEventLedger handlers, boolean child) {
		this.events = events;
		this.cluster = cluster;
		this.informers = cluster.informers();
		this.all = all;
		this.registry = new ClusterHandlers(all, cluster.name());
		this.handlers = handlers;
		this.child = child;
	}

	@Override
	public void synced(Informer<?> informer, Duration duration) {
		this.events.execute(this::publishIfAllAreSynced);
	}

	@Override
	public void informerRemoved(Informer<?> informer) {
		// This informer may have been the last one that was not synced.
		this.events.execute(this::publishIfAllAreSynced);
	}

	/**
	 * Publishes the event if it is due. Called on the event thread.
	 */
	public void publishIfAllAreSynced() {
		List<InformerHandlerContainer> present = this.registry.all()
			.stream()
			.filter((container) -> !(container instanceof RegistrationAware attached) || !attached.isRetired())
			.toList();
		boolean nothing = present.isEmpty() && (this.child || this.informers.all().isEmpty());
		if (!this.published && !nothing && this.informers.all().stream().allMatch(Informer::hasSynced)
				&& present.stream()
					.filter(InformerHandlerContainer::isAutoStartup)
					.allMatch((container) -> container.hasSynced() && this.handlers.contains(container))) {
			this.published = true;
			this.events.publish(new InformersSyncedEvent(this.all, this.cluster.name()));
		}
	}

}
