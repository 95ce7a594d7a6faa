package dev.kubeinformer.benchmark;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.informer.cache.Indexer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.Snapshot;

/** Measures a read of the cache while a writer changes it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ReadBenchmark {

	private static final int ASKED = 1 << 17;

	/** Number of objects. */
	@Param({ "5000", "200000" })
	public int size;

	/** Number of changes a second. */
	@Param({ "0", "10000" })
	public int writes;

	private RawApiProcess api;

	private Informers informers;

	private Informer<V1Pod> informer;

	private Indexer<V1Pod> indexer;

	private Lister<V1Pod> lister;

	private Snapshot<V1Pod> snapshot;

	private String[] names;

	private String[] keys;

	private int next;

	@Setup
	public void fill() throws IOException, InterruptedException {
		this.api = new RawApiProcess(this.size, "small");
		this.informers = Informers.builder(this.api.client()).build();
		this.informer = this.informers.informer(V1Pod.class);
		this.informer
			.addIndexers(Map.of("node", (pod) -> List.of("node-" + pod.getMetadata().getName().hashCode() % 1000)));
		this.informers.start();
		if (!this.informer.awaitSync(Duration.ofMinutes(2))) {
			throw new IllegalStateException("No sync");
		}
		this.indexer = this.informer.getIndexer();
		this.lister = this.informer.lister().namespace("default");
		this.snapshot = this.informer.snapshot();
		Random random = new Random(5);
		this.names = new String[ASKED];
		this.keys = new String[ASKED];
		for (int i = 0; i < ASKED; i++) {
			// Strings that are not shared with the cache.
			this.names[i] = "pod-" + random.nextInt(this.size);
			this.keys[i] = "default/" + this.names[i];
		}
		if (this.writes > 0) {
			this.api.send(Integer.MAX_VALUE, this.writes);
		}
	}

	@TearDown
	public void end() throws IOException {
		System.out.printf("the cache is at %s%n", this.informer.lastSyncResourceVersion());
		this.informers.close();
		this.api.close();
	}

	private int next() {
		this.next = (this.next + 1) & (ASKED - 1);
		return this.next;
	}

	/**
	 * Measures the caller's own names alone, which must be read from memory, too.
	 * @return a value derived from a name
	 */
	@Benchmark
	public int asking() {
		String name = this.names[next()];
		return name.hashCode() + name.charAt(name.length() - 1);
	}

	@Benchmark
	public @Nullable Object get() {
		return this.informer.snapshot().get("default", this.names[next()]);
	}

	/**
	 * Reads from one snapshot that the reader keeps.
	 * @return the object
	 */
	@Benchmark
	public @Nullable Object getFromOneSnapshot() {
		return this.snapshot.get("default", this.names[next()]);
	}

	@Benchmark
	public Object getByLister() {
		return this.lister.get(this.names[next()]);
	}

	@Benchmark
	public Object getByKey() {
		return this.indexer.getByKey(this.keys[next()]);
	}

	/**
	 * Lists all objects.
	 * @return the list
	 */
	@Benchmark
	@OutputTimeUnit(TimeUnit.MICROSECONDS)
	public List<V1Pod> list() {
		return this.informer.snapshot().list();
	}

	@Benchmark
	@OutputTimeUnit(TimeUnit.MICROSECONDS)
	public List<V1Pod> byIndex() {
		return this.indexer.byIndex("node", "node-7");
	}

}
