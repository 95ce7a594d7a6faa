package dev.kubeinformer.spring.shard;

import java.util.Set;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.SmartLifecycle;

import dev.kubeinformer.shard.ShardListener;
import dev.kubeinformer.shard.ShardLossReason;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.spring.leader.OrderedEvents;

/**
 * Publishes changes of the shard slots as application events, in order and on a separate
 * thread. The publisher starts before this replica joins the group, and stops after the
 * replica has left.
 */
final class ShardEventPublisher implements SmartLifecycle {

	/** Lifecycle phase: start before the listeners and stop after them. */
	static final int PHASE = ShardsLifecycle.PHASE - 2;

	private final Shards shards;

	private final Consumer<ApplicationEvent> publisher;

	private volatile @Nullable Run run;

	/**
	 * Creates a publisher.
	 * @param shards the slots of all replicas
	 * @param publisher the publisher of application events
	 */
	ShardEventPublisher(Shards shards, Consumer<ApplicationEvent> publisher) {
		this.shards = shards;
		this.publisher = publisher;
	}

	@Override
	public void start() {
		Run started = new Run(new OrderedEvents("shard-events-", this.publisher));
		this.run = started;
		this.shards.addListener(started);
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
		this.shards.removeListener(current);
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
	private final class Run implements ShardListener {

		private final OrderedEvents events;

		private Run(OrderedEvents events) {
			this.events = events;
		}

		@Override
		public void onShardGained(Set<Integer> slots) {
			this.events.publish(new ShardsGainedEvent(ShardEventPublisher.this.shards, slots));
		}

		@Override
		public void onShardLost(Set<Integer> slots, ShardLossReason reason) {
			this.events.publish(new ShardsLostEvent(ShardEventPublisher.this.shards, slots, reason));
		}

		@Override
		public void onMembersChanged() {
			this.events.publish(new ShardMembersChangedEvent(ShardEventPublisher.this.shards));
		}

	}

}
