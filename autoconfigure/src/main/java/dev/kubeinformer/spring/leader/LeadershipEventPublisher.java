package dev.kubeinformer.spring.leader;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.SmartLifecycle;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;
import dev.kubeinformer.leader.RevocationReason;

/**
 * Publishes the terms of this replica as application events, in order and on a separate
 * thread, from before the elector starts until after it has stopped.
 */
final class LeadershipEventPublisher implements SmartLifecycle {

	static final int PHASE = LeadershipLifecycle.PHASE - 1;

	private final Leadership leadership;

	private final Consumer<ApplicationEvent> publisher;

	private volatile @Nullable Run run;

	/**
	 * Creates a publisher.
	 * @param leadership the leadership
	 * @param publisher the publisher of application events
	 */
	LeadershipEventPublisher(Leadership leadership, Consumer<ApplicationEvent> publisher) {
		this.leadership = leadership;
		this.publisher = publisher;
	}

	@Override
	public void start() {
		Run started = new Run(new OrderedEvents("leader-events-", this.publisher));
		this.run = started;
		this.leadership.addListener(started);
	}

	@Override
	public void stop() {
		stop(() -> {
			// The last events may still be published during the stop.
		});
	}

	@Override
	public void stop(Runnable callback) {
		Run current = this.run;
		this.run = null;
		if (current == null) {
			callback.run();
			return;
		}
		this.leadership.removeListener(current);
		current.events.stop(callback);
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
	 */
	private final class Run implements LeadershipListener {

		private final OrderedEvents events;

		private Run(OrderedEvents events) {
			this.events = events;
		}

		@Override
		public void granted(Leadership.Term term) {
			this.events.publish(new LeadershipGrantedEvent(LeadershipEventPublisher.this.leadership, term));
		}

		@Override
		public void revoked(Leadership.Term term, RevocationReason reason) {
			this.events.publish(new LeadershipRevokedEvent(LeadershipEventPublisher.this.leadership, term, reason));
		}

	}

}
