package dev.kubeinformer.spring.docs;

import java.util.concurrent.CountDownLatch;

import io.kubernetes.client.openapi.ApiClient;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.leader.LeaderElector;
import dev.kubeinformer.leader.LeaderSpec;

/**
 * A controller with an elector and without Spring, as on the page.
 */
final class LeaderWithoutSpring {

	private LeaderWithoutSpring() {
	}

	static void run(ApiClient client, ReconcilerSpec<?> spec, CountDownLatch stopped) throws InterruptedException {
		try (Informers informers = Informers.builder(client).build();
				LeaderElector leader = LeaderElector.of(() -> client, LeaderSpec.of("shop", "foos"))) {
			ReconcilerContainer foos = informers.controller(spec.withLeadership(leader));
			informers.start();
			foos.start();
			leader.start();
			stopped.await();
		}
	}

}
