package dev.kubeinformer.spring.handler.event;

import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.types.InformerState;

/**
 * Publishes {@link InformerFailedEvent}s. During an outage of an informer, there is one
 * event for each state of the informer.
 */
public final class FailedEventSource implements EventSource {

	private static final Set<InformerState> FAILING = EnumSet.of(InformerState.STALE, InformerState.FORBIDDEN,
			InformerState.NOT_FOUND);

	private final EventThread events;

	/**
	 * States that were published for each informer since it was last live or stopped.
	 * Used only on the event thread.
	 */
	private final Map<String, Set<InformerState>> published = new HashMap<>();

	public FailedEventSource(EventThread events) {
		this.events = events;
	}

	@Override
	public void stateChanged(Informer<?> informer, InformerState before, InformerState now) {
		this.events.execute(() -> {
			if (now == InformerState.LIVE || now == InformerState.STOPPED) {
				this.published.remove(informer.id());
			}
			else if (FAILING.contains(now)) {
				publish(informer, now, informer.status().lastError());
			}
		});
	}

	@Override
	public void requestFailed(Informer<?> informer, InformerError error, Duration duration) {
		// While an informer has never been synced, a failure does not change its state.
		this.events.execute(() -> {
			if (informer.status().state() == InformerState.SYNCING) {
				publish(informer, InformerState.SYNCING, error);
			}
		});
	}

	@Override
	public void informerRemoved(Informer<?> informer) {
		this.events.execute(() -> this.published.remove(informer.id()));
	}

	private void publish(Informer<?> informer, InformerState state, @Nullable InformerError error) {
		if (this.published.computeIfAbsent(informer.id(), (id) -> EnumSet.noneOf(InformerState.class)).add(state)) {
			this.events.publish(new InformerFailedEvent(informer, state, error));
		}
	}

}
