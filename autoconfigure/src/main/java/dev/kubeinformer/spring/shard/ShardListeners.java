package dev.kubeinformer.spring.shard;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;

import dev.kubeinformer.shard.ShardListener;
import dev.kubeinformer.shard.Shards;

/**
 * Registers the {@link ShardListener} beans of a context while the context is running.
 * The beans are created late, because they may use informers.
 */
final class ShardListeners implements SmartLifecycle {

	static final int PHASE = ShardsLifecycle.PHASE - 1;

	private final Shards shards;

	private final ListableBeanFactory beanFactory;

	private volatile List<ShardListener> registered = List.of();

	private volatile boolean running;

	/**
	 * Creates the registration.
	 * @param shards the slots of all replicas
	 * @param beanFactory the beans of the context
	 */
	ShardListeners(Shards shards, ListableBeanFactory beanFactory) {
		this.shards = shards;
		this.beanFactory = beanFactory;
	}

	@Override
	public void start() {
		// The provider also returns the listeners of parent contexts, which register
		// these themselves.
		Set<ShardListener> own = Collections.newSetFromMap(new IdentityHashMap<>());
		own.addAll(this.beanFactory.getBeansOfType(ShardListener.class).values());
		this.registered = this.beanFactory.getBeanProvider(ShardListener.class)
			.orderedStream()
			.filter(own::contains)
			.toList();
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
