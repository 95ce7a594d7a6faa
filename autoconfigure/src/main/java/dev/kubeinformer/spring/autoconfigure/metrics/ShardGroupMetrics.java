package dev.kubeinformer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;

import dev.kubeinformer.leader.LeadershipListener;
import dev.kubeinformer.shard.ShardListener;
import dev.kubeinformer.shard.ShardLossReason;
import dev.kubeinformer.spring.shard.SlotHolders;

/**
 * {@link MeterBinder} for the shard slots that move between the replicas. Without moving
 * slots there are no meters.
 */
final class ShardGroupMetrics implements MeterBinder, DisposableBean {

	private final Supplier<@Nullable SlotHolders> holders;

	private final List<ShardGroupMeters> bound = new CopyOnWriteArrayList<>();

	private final AtomicReference<@Nullable SlotHolders> listenedTo = new AtomicReference<>();

	private final Listener listener = new Listener();

	private final Consumer<Duration> gaps = (time) -> this.bound.forEach((meters) -> meters.gap(time));

	/**
	 * Creates the binder.
	 * @param holders the supplier of the holders of the slots, or of {@code null} if no
	 * slots move; not called before there is a registry
	 */
	ShardGroupMetrics(Supplier<@Nullable SlotHolders> holders) {
		this.holders = holders;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		SlotHolders current = this.holders.get();
		if (current != null) {
			this.bound.add(new ShardGroupMeters(registry, current));
			if (this.listenedTo.compareAndSet(null, current)) {
				current.addGapListener(this.gaps);
				current.shards().addListener(this.listener);
				current.shards().membership().addListener(this.listener);
			}
		}
	}

	@Override
	public void destroy() {
		SlotHolders current = this.listenedTo.getAndSet(null);
		if (current != null) {
			// The slot holders may belong to a parent context and outlive this context.
			current.removeGapListener(this.gaps);
			current.shards().removeListener(this.listener);
			current.shards().membership().removeListener(this.listener);
		}
		this.bound.forEach(ShardGroupMeters::remove);
		this.bound.clear();
	}

	/**
	 * Listener that counts what the membership reports. The binder itself does not
	 * implement the listener interfaces. It is a bean, so the starter would also register
	 * it as a listener of the application.
	 */
	private final class Listener implements ShardListener, LeadershipListener {

		@Override
		public void onShardGained(Set<Integer> slots) {
			ShardGroupMetrics.this.bound.forEach((meters) -> meters.gained(slots.size()));
		}

		@Override
		public void onShardLost(Set<Integer> slots, ShardLossReason reason) {
			ShardGroupMetrics.this.bound.forEach((meters) -> meters.lost(slots.size(), reason));
		}

		@Override
		public void renewed(Duration slack) {
			ShardGroupMetrics.this.bound.forEach(ShardGroupMeters::renewed);
		}

		@Override
		public void renewalFailed() {
			ShardGroupMetrics.this.bound.forEach(ShardGroupMeters::renewalFailed);
		}

	}

}
