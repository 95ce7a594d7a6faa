package dev.kubeinformer;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.test.ApiResources;

import static dev.kubeinformer.EngineTestSupport.pod;
import static dev.kubeinformer.EngineTestSupport.relabelled;
import static org.awaitility.Awaitility.await;

/**
 * Creates, changes and deletes pods at a steady rate until it is closed.
 */
final class PodWriter implements AutoCloseable {

	private static final Duration TICK = Duration.ofMillis(1);

	private final ApiResources<V1Pod> server;

	private final int pods;

	private final AtomicBoolean running = new AtomicBoolean(true);

	private final AtomicInteger written = new AtomicInteger();

	private final Random random = new Random(42);

	private final Thread thread;

	/**
	 * Starts to write.
	 * @param server where
	 * @param pods the number of pods, some of which exist at a time
	 * @param perSecond the number of writes a second
	 */
	PodWriter(ApiResources<V1Pod> server, int pods, int perSecond) {
		this.server = server;
		this.pods = pods;
		this.thread = new Thread(() -> write(perSecond), "writer");
		this.thread.start();
	}

	int written() {
		return this.written.get();
	}

	private void write(int perSecond) {
		long start = System.nanoTime();
		while (this.running.get()) {
			long due = Duration.ofNanos(System.nanoTime() - start).toMillis() * perSecond / 1000;
			while (this.running.get() && this.written.get() < due) {
				change("pod-" + this.random.nextInt(this.pods));
				this.written.incrementAndGet();
			}
			LockSupport.parkNanos(TICK.toNanos());
		}
	}

	private void change(String name) {
		V1Pod known = this.server.get("blog", name);
		if (known == null) {
			this.server.create(pod("blog", name));
		}
		else if (this.random.nextInt(4) == 0) {
			this.server.delete("blog", name);
		}
		else {
			this.server.update(relabelled(known, "v" + this.random.nextInt()));
		}
	}

	@Override
	public void close() {
		this.running.set(false);
		await().until(() -> !this.thread.isAlive());
	}

}
