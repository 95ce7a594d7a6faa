package dev.kubeinformer.benchmark;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
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

import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoredObject;

/**
 * Measures a read by name that only waits for memory: names like those of the pods of
 * deployments, each read once in a random order, by strings that are not shared with the
 * cache.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StoreReadBenchmark {

	/** Number of objects. */
	@Param({ "1000", "200000" })
	public int size;

	/** Number of namespaces. */
	@Param({ "1", "100" })
	public int namespaces;

	private ObjectStore<Integer> store;

	private String[] askedNamespaces;

	private String[] askedNames;

	private int next;

	@Setup
	public void fill() {
		this.store = new ObjectStore<>(Set.of(""));
		Random random = new Random(3);
		List<StoredObject<Integer>> objects = new ArrayList<>(this.size);
		List<String[]> asked = new ArrayList<>(this.size);
		for (int i = 0; i < this.size; i++) {
			String namespace = "team-" + i / 20 % this.namespaces;
			String name = "service-%d-%08x-%05x".formatted(i / 20, (i / 20 * 0x9E3779B9) >>> 1,
					random.nextInt(1 << 20));
			objects.add(new StoredObject<>(namespace, name, "uid-" + i, Integer.toString(i), 0));
			asked.add(new String[] { namespace, new String(name.toCharArray()) });
		}
		this.store.writer("").replace(objects, List.of(), false, "1", false);
		Collections.shuffle(asked, random);
		this.askedNamespaces = asked.stream().map((each) -> each[0]).toArray(String[]::new);
		this.askedNames = asked.stream().map((each) -> each[1]).toArray(String[]::new);
	}

	private int next() {
		this.next = (this.next + 1 < this.size) ? this.next + 1 : 0;
		return this.next;
	}

	/**
	 * Measures the caller's own names alone.
	 * @return a value derived from a name
	 */
	@Benchmark
	public int asking() {
		int asked = next();
		String name = this.askedNames[asked];
		return this.askedNamespaces[asked].hashCode() + name.hashCode() + name.charAt(name.length() - 1);
	}

	@Benchmark
	public @Nullable Object get() {
		int asked = next();
		return this.store.snapshot().get(this.askedNamespaces[asked], this.askedNames[asked]);
	}

	/**
	 * Reads in a chain: each object determines the next name, so that no two reads
	 * overlap.
	 * @return the object
	 */
	@Benchmark
	public Integer getOneAfterTheOther() {
		int asked = next();
		Integer found = Objects
			.requireNonNull(this.store.snapshot().get(this.askedNamespaces[asked], this.askedNames[asked]));
		this.next += found;
		return found;
	}

	@Benchmark
	public @Nullable Object getWhatIsNotThere() {
		int asked = next();
		return this.store.snapshot().get("team-0", this.askedNamespaces[asked]);
	}

}
