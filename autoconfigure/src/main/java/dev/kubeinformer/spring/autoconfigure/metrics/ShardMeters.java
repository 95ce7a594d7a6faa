package dev.kubeinformer.spring.autoconfigure.metrics;

import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardMode;

/**
 * The meters of an informer that only a sharded one has.
 */
final class ShardMeters {

	private static final String PREFIX = "kubernetes.informer.shard";

	private final Informer<?> informer;

	private final Shard shard;

	private final Lock lock = new ReentrantLock();

	/** Of starts before the current one. */
	private long earlier;

	private long latest;

	private ShardMeters(Informer<?> informer, Shard shard) {
		this.informer = informer;
		this.shard = shard;
	}

	static @Nullable ShardMeters of(Informer<?> informer) {
		Shard shard = informer.spec().shard();
		return (shard != null) ? new ShardMeters(informer, shard) : null;
	}

	List<Meter> register(MeterRegistry registry, Tags tags) {
		Gauge server = Gauge.builder(PREFIX + ".server", this, ShardMeters::server)
			.description("Whether the API server leaves out other shards (1) or they are dropped here (0)")
			.tags(tags)
			.register(registry);
		// Prometheus keeps the suffix 'total' to counters.
		Gauge shards = Gauge.builder(PREFIX + "s", this.shard, Shard::total)
			.description("Shards that the objects are divided into")
			.tags(tags)
			.register(registry);
		FunctionCounter foreign = FunctionCounter.builder(PREFIX + ".foreign", this, ShardMeters::foreign)
			.description("Objects and changes of other shards that the API server sent and that were dropped")
			.tags(tags)
			.register(registry);
		return List.of(server, shards, foreign);
	}

	private double server() {
		InformerStatus.Sharding sharding = this.informer.status().sharding();
		@Nullable ShardMode mode = (sharding != null) ? sharding.mode() : null;
		if (mode == null) {
			return Double.NaN;
		}
		return (mode == ShardMode.SERVER) ? 1 : 0;
	}

	/**
	 * Notes that the informer starts or stops: it counts from zero at each start.
	 * @param before its state before
	 */
	void stateChanged(InformerState before) {
		this.lock.lock();
		try {
			if (before == InformerState.STOPPED) {
				this.earlier += this.latest;
				this.latest = 0;
			}
			else {
				this.latest = dropped();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns what was dropped since the meter is there.
	 * @return the number, which never falls
	 */
	private double foreign() {
		this.lock.lock();
		try {
			this.latest = dropped();
			return this.earlier + this.latest;
		}
		finally {
			this.lock.unlock();
		}
	}

	private long dropped() {
		InformerStatus.Sharding sharding = this.informer.status().sharding();
		// Less than before: it starts again, and the change of its state is yet to come.
		return Math.max(this.latest, (sharding != null) ? sharding.foreign() : 0);
	}

}
