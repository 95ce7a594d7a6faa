package dev.kubeinformer.spring.autoconfigure.metrics;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.Shard;
import dev.kubeinformer.types.ShardMode;

/**
 * Additional meters of a sharded informer.
 */
final class ShardMeters {

	private final Informer<?> informer;

	/** Number of fixed shards; 0 if slots move between the replicas. */
	private final int total;

	private final Lock lock = new ReentrantLock();

	/** Number of objects that were dropped before the latest start of the informer. */
	private long earlier;

	private long latest;

	private ShardMeters(Informer<?> informer, int total) {
		this.informer = informer;
		this.total = total;
	}

	static @Nullable ShardMeters of(Informer<?> informer) {
		Shard shard = informer.spec().shard();
		if (shard != null) {
			return new ShardMeters(informer, shard.total());
		}
		return (informer.spec().shards() != null) ? new ShardMeters(informer, 0) : null;
	}

	void register(InformerMeters meters) {
		meters.gauge("shard.server", "Whether the API server leaves out other shards (1) or they are dropped here (0)",
				this, ShardMeters::server);
		if (this.total > 0) {
			// Prometheus reserves the suffix 'total' for counters.
			meters.gauge("shards", "Shards that the objects are divided into", this, (own) -> own.total);
		}
		meters.functionCounter("shard.foreign",
				"Objects and changes of other shards that the API server sent and that were dropped", this,
				ShardMeters::foreign);
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
	 * Records a change of the informer's state. At each start, the informer counts
	 * dropped objects from zero.
	 * @param before the previous state
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
	 * Returns the number of dropped objects, added up over the starts of the informer.
	 * @return the number, which never decreases
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
		// A lower value means that the informer has restarted and the notification of its
		// state is still pending.
		return Math.max(this.latest, (sharding != null) ? sharding.foreign() : 0);
	}

}
