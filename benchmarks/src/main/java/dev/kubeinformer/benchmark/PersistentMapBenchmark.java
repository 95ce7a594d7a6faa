package dev.kubeinformer.benchmark;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

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
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Measures reads and writes of a cache of 200 000 objects with each candidate for its
 * map.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgs = "-Xmx3g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PersistentMapBenchmark {

	private static final int STEP = 7919;

	@Param({ "KOTLINX", "VAVR", "PCOLLECTIONS", "PAGURO", "CONCURRENT_HASH_MAP" })
	private String library = "";

	@Param("200000")
	private int size;

	private String[] keys = {};

	private final Map<String, Object> entries = new LinkedHashMap<>();

	private volatile @Nullable CandidateMap current;

	private int next;

	/**
	 * Fills the map.
	 */
	@Setup
	public void fill() {
		this.keys = new String[this.size];
		for (int i = 0; i < this.size; i++) {
			this.keys[i] = "namespace-" + i % 20 + "/workload-" + i / 20 + "-" + Integer.toString(i * 31, 36);
			this.entries.put(this.keys[i], new Object());
		}
		this.current = CandidateMap.Library.valueOf(this.library).empty().withAll(this.entries);
	}

	private String key() {
		this.next = (this.next + STEP) % this.size;
		return this.keys[this.next];
	}

	private CandidateMap map() {
		return Objects.requireNonNull(this.current);
	}

	/**
	 * Reads one object.
	 * @return the object
	 */
	@Benchmark
	public @Nullable Object get() {
		return map().get(key());
	}

	/** Changes one object. */
	@Benchmark
	public void update() {
		this.current = map().with(key(), new Object());
	}

	/** Deletes one object and creates it again. */
	@Benchmark
	public void deleteAndAdd() {
		String key = key();
		this.current = map().without(key);
		this.current = map().with(key, new Object());
	}

	/**
	 * Reads all objects.
	 * @param blackhole receives the objects
	 */
	@Benchmark
	@OutputTimeUnit(TimeUnit.MICROSECONDS)
	public void iterate(Blackhole blackhole) {
		map().values().forEach(blackhole::consume);
	}

	/**
	 * Replaces all objects by a list.
	 * @return the map
	 */
	@Benchmark
	@OutputTimeUnit(TimeUnit.MICROSECONDS)
	public Object fillAtOnce() {
		return CandidateMap.Library.valueOf(this.library).empty().withAll(this.entries);
	}

}
