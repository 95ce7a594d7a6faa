package dev.kubeinformer.spring.shard;

import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

import dev.kubeinformer.shard.ShardListener;
import dev.kubeinformer.shard.Shards;

/**
 * Registers the {@link ShardListener} beans of a context while it is running. They are
 * created late, because they may use informers.
 */
final class ShardListeners implements SmartLifecycle {

	static final int PHASE = ShardsLifecycle.PHASE - 1;

	private final Shards shards;

	private final ObjectProvider<ShardListener> beans;

	private volatile List<ShardListener> registered = List.of();

	private volatile boolean running;

	/**
	 * Creates the registration.
	 * @param shards the distribution of slots
	 * @param beans the listeners of the application
	 */
	ShardListeners(Shards shards, ObjectProvider<ShardListener> beans) {
		this.shards = shards;
		this.beans = beans;
	}

	@Override
	public void start() {
		this.registered = this.beans.orderedStream().toList();
		this.registered.forEach(this.shards::addListener);
		this.running = true;
	}

	@Override
	public void stop() {
		this.registered.forEach(this.shards::removeListener);
		this.registered = List.of();
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
