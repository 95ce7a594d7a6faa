package dev.kubeinformer.spring.shard;

import dev.kubeinformer.ShardMembership;
import dev.kubeinformer.shard.Shards;

/**
 * Starts and stops a {@link Shards} bean if it is the starter's, or a
 * {@link ShardMembership} of the application. Other implementations must start and stop
 * themselves.
 */
final class ShardsControl {

	private ShardsControl() {
	}

	static void start(Shards shards) {
		if (shards instanceof FixedShards fixed) {
			fixed.start();
		}
		else if (shards instanceof ShardMembership membership) {
			membership.start();
		}
	}

	static void stop(Shards shards) {
		if (shards instanceof FixedShards fixed) {
			fixed.stop();
		}
		else if (shards instanceof ShardMembership membership) {
			membership.stop();
		}
	}

}
