package dev.kubeinformer.spring.shard;

import dev.kubeinformer.ShardMembership;
import dev.kubeinformer.shard.Shards;

/**
 * Starts and stops the distributions that the starter has created. Distributions of the
 * application control themselves.
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
