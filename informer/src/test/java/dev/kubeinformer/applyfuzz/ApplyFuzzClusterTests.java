package dev.kubeinformer.applyfuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.ClusterSupport;
import dev.kubeinformer.applyfuzz.ApplyFuzz.Settings;
import dev.kubeinformer.test.RequiresCluster;

/**
 * The fuzz on a real kube-apiserver. {@code -Dfuzz.cluster.rounds} and
 * {@code -Dfuzz.seed} make it longer, or the same again.
 */
@RequiresCluster
@Tag("slow")
class ApplyFuzzClusterTests {

	private static final Logger logger = LoggerFactory.getLogger(ApplyFuzzClusterTests.class);

	private static final int ROUNDS = Integer.getInteger("fuzz.cluster.rounds", 200);

	private static final int WIDTH = Integer.getInteger("fuzz.width", 50);

	@Test
	void objectsAreThoseOfApplyingEachTimeAndRequestsAreLeast(Path kubeconfig) throws InterruptedException {
		long seed = Long.getLong("fuzz.seed", 1005);
		logger.info("Seed {}", seed);
		FuzzServer server = new FuzzServer(() -> {
			try {
				return ClusterSupport.client(kubeconfig);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
		Settings settings = new Settings(seed, ROUNDS, WIDTH, true, true);
		logger.info("Seed {}: {}", seed, new ApplyFuzz(server, FuzzType.all(), settings).run());
	}

}
