package dev.kubeinformer.spring.handler;

import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

import dev.kubeinformer.Informers;

/**
 * Publisher of what happens to informers and handlers as application events, from before
 * the caches start until after they stopped.
 */
final class InformerEventPublisher implements SmartLifecycle {

	static final int PHASE = DEFAULT_PHASE - 4096 - 1;

	private final ApplicationEventPublisher publisher;

	private final Informers informers;

	private final Function<EventThread, List<? extends EventSource>> sources;

	private volatile @Nullable Run run;

	/**
	 * Creates a publisher.
	 * @param publisher takes the events
	 * @param informers the informers
	 * @param sources creates the sources of the events for one start
	 */
	InformerEventPublisher(ApplicationEventPublisher publisher, Informers informers,
			Function<EventThread, List<? extends EventSource>> sources) {
		this.publisher = publisher;
		this.informers = informers;
		this.sources = sources;
	}

	@Override
	public void start() {
		EventThread thread = new EventThread(this.publisher);
		Run started = new Run(thread, this.sources.apply(thread));
		this.run = started;
		started.sources.forEach(this.informers::addListener);
		started.sources.forEach(EventSource::begin);
	}

	@Override
	public void stop() {
		Run current = this.run;
		this.run = null;
		if (current != null) {
			current.sources.forEach(this.informers::removeListener);
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
	 * What works between a start and its stop.
	 *
	 * @param thread the thread of the events
	 * @param sources the sources of the events
	 */
	private record Run(EventThread thread, List<? extends EventSource> sources) {
	}

}
