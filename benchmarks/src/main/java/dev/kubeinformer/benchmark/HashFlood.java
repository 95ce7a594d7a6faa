package dev.kubeinformer.benchmark;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.types.ListReason;

/**
 * Measures the cost of names that were chosen to have the same hash code: a sync, a
 * relist of unchanged objects, and a change of each object, compared with ordinary names
 * of the same length. The cache has an index by name, and a handler.
 */
public final class HashFlood {

	private HashFlood() {
	}

	/**
	 * Runs the measurement.
	 * @param arguments the number of objects, at most 32768, and of rounds (20000 and 7)
	 * @throws Exception if something fails
	 */
	public static void main(String... arguments) throws Exception {
		int objects = (arguments.length > 0) ? Integer.parseInt(arguments[0]) : 20_000;
		int rounds = (arguments.length > 1) ? Integer.parseInt(arguments[1]) : 7;
		double[][] named = new double[3][rounds];
		double[][] colliding = new double[3][rounds];
		// Load and compile classes first.
		round("named", objects, new double[3][1], 0);
		for (int i = 0; i < rounds; i++) {
			round("named", objects, named, i);
			round("colliding", objects, colliding, i);
		}
		String[] parts = { "sync", "relist", "events" };
		for (int part = 0; part < parts.length; part++) {
			double ordinary = median(named[part]);
			double flooded = median(colliding[part]);
			System.out.printf(Locale.ROOT,
					"%-8s ordinary %7.0f ms (%.0f-%.0f), of one hash %7.0f ms (%.0f-%.0f), ratio %.2f%n", parts[part],
					ordinary, named[part][0], named[part][rounds - 1], flooded, colliding[part][0],
					colliding[part][rounds - 1], flooded / ordinary);
		}
	}

	private static double median(double[] values) {
		Arrays.sort(values);
		return values[values.length / 2];
	}

	private static void round(String kind, int objects, double[][] results, int round) throws Exception {
		try (RawApiProcess api = new RawApiProcess(objects, kind);
				Informers informers = Informers.builder(api.client()).build()) {
			Informer<V1Pod> informer = informers.informer(V1Pod.class);
			informer.addIndexers(Map.of("name", (pod) -> List.of(pod.getMetadata().getName())));
			Relists relists = new Relists();
			informers.addListener(relists);
			AtomicLong delivered = new AtomicLong();
			HandlerRegistration handler = informer.addHandler((event) -> delivered.incrementAndGet(),
					HandlerOptions.defaults());
			long start = System.nanoTime();
			informers.start();
			if (!handler.awaitSync(Duration.ofMinutes(10))) {
				throw new IllegalStateException("No sync");
			}
			results[0][round] = millisSince(start);
			start = System.nanoTime();
			api.send(objects, 0);
			// Each event is delivered separately, because the handler is faster than the
			// server.
			while (delivered.get() < 2L * objects) {
				TimeUnit.MICROSECONDS.sleep(100);
			}
			results[2][round] = millisSince(start);
			start = System.nanoTime();
			expire(api, relists);
			results[1][round] = millisSince(start);
			if (informer.snapshot().size() != objects) {
				throw new IllegalStateException("Not all are there");
			}
		}
	}

	private static void expire(RawApiProcess api, Relists relists) throws IOException, InterruptedException {
		api.expire();
		if (!relists.done.await(10, TimeUnit.MINUTES)) {
			throw new IllegalStateException("No relist");
		}
	}

	private static double millisSince(long start) {
		return (System.nanoTime() - start) / 1e6;
	}

	/** Waits for a list other than the first, which is reported once it is cached. */
	private static final class Relists implements InformerListener {

		private final CountDownLatch done = new CountDownLatch(1);

		@Override
		public void listed(Informer<?> informer, ListReason reason, int objects, Duration duration) {
			if (reason != ListReason.INITIAL) {
				this.done.countDown();
			}
		}

	}

}
