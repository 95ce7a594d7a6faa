package dev.kubeinformer.spring.handler.event;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;

/**
 * Publishes changes of informers and handlers as application events. Starts before the
 * informers and stops after them, so that it does not miss a change.
 */
public final class InformerEventPublisher implements SmartLifecycle, ClusterRuntimes.Member {

	static final int PHASE = DEFAULT_PHASE - 4096 - 1;

	private final ApplicationEventPublisher publisher;

	private final ClusterRuntimes clusters;

	private final BiFunction<EventThread, ClusterRuntime, List<? extends EventSource>> sources;

	private volatile @Nullable Run run;

	/**
	 * Creates a publisher.
	 * @param publisher the publisher of application events
	 * @param clusters the clusters
	 * @param sources the factory of a cluster's event sources for one start
	 */
	public InformerEventPublisher(ApplicationEventPublisher publisher, ClusterRuntimes clusters,
			BiFunction<EventThread, ClusterRuntime, List<? extends EventSource>> sources) {
		this.publisher = publisher;
		this.clusters = clusters;
		this.sources = sources;
	}

	@Override
	public void start() {
		this.run = new Run(new EventThread(this.publisher), new ConcurrentHashMap<>());
		this.clusters.join(this, (all) -> all.forEach(this::added));
	}

	@Override
	public void added(ClusterRuntime cluster) {
		Run current = this.run;
		if (current != null) {
			List<? extends EventSource> started = this.sources.apply(current.thread, cluster);
			current.sources.put(cluster.informers(), started);
			started.forEach(cluster.informers()::addListener);
			started.forEach(EventSource::begin);
		}
	}

	@Override
	public void removed(ClusterRuntime cluster) {
		Run current = this.run;
		List<? extends EventSource> ended = (current != null) ? current.sources.remove(cluster.informers()) : null;
		if (ended != null) {
			ended.forEach(cluster.informers()::removeListener);
		}
	}

	@Override
	public void stop() {
		this.clusters.leave(this);
		Run current = this.run;
		this.run = null;
		if (current != null) {
			current.sources.forEach((informers, ended) -> ended.forEach(informers::removeListener));
			current.thread.stop();
		}
	}

	@Override
	public boolean isRunning() {
		return this.run != null;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

	/**
	 * State between a start and its stop.
	 *
	 * @param thread the thread of the events
	 * @param sources the sources of the events by the informers of a cluster
	 */
	private record Run(EventThread thread, Map<Informers, List<? extends EventSource>> sources) {
	}

}
