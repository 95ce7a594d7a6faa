package dev.kubeinformer.benchmark;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Measures the effect of a handler that sleeps forever on the others: under a thousand
 * writes a second on five thousand objects that are changed, then deleted and created
 * again under their names, then replaced by objects of new names. Prints the handler's
 * queue, its bound, the heap after a collection, and the performance of another handler
 * and of readers.
 */
public final class SleepingHandler {

	private static final int OBJECTS = 5000;

	private static final int PER_SECOND = 1000;

	private static final int CAPACITY = 10_000;

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().historyLimit(2000).start();

	private final ApiResources<V1ConfigMap> server = this.api.resources(V1ConfigMap.class);

	private final Deque<String> names = new ArrayDeque<>();

	private final Random random = new Random(1);

	private final AtomicLong delivered = new AtomicLong();

	private final AtomicLong slowestRead = new AtomicLong();

	private long written;

	private int created;

	private SleepingHandler() {
	}

	/**
	 * Runs the three phases.
	 * @param arguments the seconds of each phase; 60 by default
	 * @throws InterruptedException if interrupted
	 */
	public static void main(String... arguments) throws InterruptedException {
		new SleepingHandler().run(Duration.ofSeconds((arguments.length > 0) ? Long.parseLong(arguments[0]) : 60));
	}

	private void run(Duration phase) throws InterruptedException {
		for (int i = 0; i < OBJECTS; i++) {
			create();
		}
		CountDownLatch never = new CountDownLatch(1);
		ApiClient client = new ApiClient();
		client.setBasePath(this.api.url());
		try (Informers informers = Informers.builder(client).build()) {
			Informer<V1ConfigMap> informer = informers.informer(V1ConfigMap.class);
			HandlerRegistration sleeping = informer.addHandler((event) -> never.await(),
					HandlerOptions.defaults()
						.withId("sleeping")
						.withQueueCapacity(CAPACITY)
						.withDrainTimeout(Duration.ZERO));
			HandlerRegistration awake = informer.addHandler((event) -> this.delivered.incrementAndGet(),
					HandlerOptions.defaults().withId("awake"));
			informers.start();
			awake.awaitSync(Duration.ofMinutes(1));
			Thread reader = reader(informer);
			print("phase", "second", "written", "delivered to the other", "its queue", "queue of the sleeping", "bound",
					"heap MB", "slowest read us");
			for (Write write : Write.values()) {
				phase(write, phase, informer, sleeping, awake);
			}
			reader.interrupt();
			reader.join();
			never.countDown();
		}
		this.api.close();
	}

	private void phase(Write write, Duration length, Informer<V1ConfigMap> informer, HandlerRegistration sleeping,
			HandlerRegistration awake) {
		long start = System.nanoTime();
		long before = this.written;
		long next = 10;
		long seconds = 0;
		while (seconds < length.toSeconds()) {
			Duration passed = Duration.ofNanos(System.nanoTime() - start);
			seconds = passed.toSeconds();
			while (this.written - before < passed.toMillis() * PER_SECOND / 1000) {
				write.run(this);
				this.written++;
			}
			if (seconds >= next) {
				next += 10;
				// The handler has received at most the objects that once existed, and no
				// deletion of some of them.
				long bound = CAPACITY + 2L * Math.max(this.created, informer.status().cache().size());
				print(write, seconds, this.written, this.delivered, awake.status().queue().size(),
						sleeping.status().queue().size(), bound, heap(), this.slowestRead.getAndSet(0) / 1000);
			}
			LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
		}
	}

	private Thread reader(Informer<V1ConfigMap> informer) {
		Thread reader = new Thread(() -> {
			while (!Thread.currentThread().isInterrupted()) {
				long start = System.nanoTime();
				informer.snapshot().get("default/" + this.names.peekFirst());
				this.slowestRead.accumulateAndGet(System.nanoTime() - start, Math::max);
				LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
			}
		}, "reader");
		reader.start();
		return reader;
	}

	private void create() {
		String name = "object-" + this.created++;
		this.names.addLast(name);
		this.server.create(object(name));
	}

	private V1ConfigMap object(String name) {
		return new V1ConfigMap().metadata(new V1ObjectMeta().namespace("default").name(name))
			.putDataItem("value", Long.toString(this.random.nextLong()));
	}

	private static long heap() {
		System.gc();
		Runtime runtime = Runtime.getRuntime();
		return (runtime.totalMemory() - runtime.freeMemory()) / (1024 * 1024);
	}

	private static void print(Object... columns) {
		StringBuilder line = new StringBuilder();
		for (Object column : columns) {
			line.append("%-22s".formatted(column));
		}
		System.out.println(line.toString().strip());
	}

	/** Kind of a write. */
	private enum Write {

		/** Changes an object. */
		CHANGE {

			@Override
			void run(SleepingHandler scenario) {
				String name = scenario.names.removeFirst();
				scenario.names.addLast(name);
				scenario.server.update(scenario.object(name));
			}

		},

		/** Deletes an object and creates another one under its name. */
		RECREATE {

			@Override
			void run(SleepingHandler scenario) {
				String name = scenario.names.removeFirst();
				scenario.names.addLast(name);
				scenario.server.delete(name);
				scenario.server.create(scenario.object(name));
			}

		},

		/** Deletes an object and creates one with a new name. */
		REPLACE {

			@Override
			void run(SleepingHandler scenario) {
				scenario.server.delete(scenario.names.removeFirst());
				scenario.create();
			}

		};

		abstract void run(SleepingHandler scenario);

	}

}
