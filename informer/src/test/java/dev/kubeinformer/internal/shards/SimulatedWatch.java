package dev.kubeinformer.internal.shards;

import java.util.HashSet;
import java.util.Set;

/**
 * Watch of a process in the simulator. It may lag, and it may be cut.
 */
final class SimulatedWatch {

	private final ShardWorld world;

	private final ShardProcess process;

	/** Names of all members that this process has ever seen. */
	private final Set<String> seen = new HashSet<>();

	private boolean open;

	private boolean broken;

	private boolean scheduled;

	private long lagsUntil;

	/** The last delivered revision. */
	private int delivered;

	SimulatedWatch(ShardWorld world, ShardProcess process) {
		this.world = world;
		this.process = process;
	}

	boolean hasSeen(String name) {
		return this.seen.contains(name);
	}

	void listed(ShardAnswer.Listed listed) {
		listed.leases().forEach((lease) -> this.seen.add(lease.name()));
		if (!this.open) {
			this.open = true;
			this.broken = false;
			this.delivered = Integer.parseInt(listed.resourceVersion());
			changed();
		}
	}

	void lag(long nanos) {
		this.lagsUntil = this.world.now() + nanos;
	}

	/**
	 * Breaks the connection, which the process finds out later.
	 * @param nanos after how long
	 */
	void cut(long nanos) {
		if (this.open && !this.broken) {
			this.broken = true;
			this.process.in(nanos, () -> {
				this.open = false;
				this.process.observe(new ViewEvent.Interrupted());
			});
		}
	}

	/**
	 * Delivers new events soon.
	 */
	void changed() {
		if (this.open && !this.broken && !this.scheduled && this.delivered < this.world.store.revision()) {
			this.scheduled = true;
			long delay = Math.max(this.world.millis(1, 50), this.lagsUntil - this.world.now());
			this.process.in(delay, this::deliver);
		}
	}

	private void deliver() {
		this.scheduled = false;
		boolean late = this.lagsUntil > this.world.now() || this.process.isPartitioned();
		if (!late && this.open && !this.broken) {
			while (this.delivered < this.world.store.revision()) {
				ViewEvent event = this.world.store.event(++this.delivered);
				if (event instanceof ViewEvent.Changed changed) {
					this.seen.add(changed.lease().name());
				}
				this.process.observe(event);
			}
		}
		changed();
	}

}
