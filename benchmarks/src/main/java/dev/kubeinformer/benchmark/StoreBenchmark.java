package dev.kubeinformer.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

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

import dev.kubeinformer.internal.store.DeletedObject;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.PartitionWriter;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.ObjectKey;

/** Measures a change of the cache without listeners. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class StoreBenchmark {

	/** Number of objects. */
	@Param({ "5000", "200000" })
	public int size;

	private ObjectStore<String> store;

	private PartitionWriter<String> writer;

	private List<StoredObject<String>> listed;

	private long version;

	private int next;

	@Setup
	public void fill() {
		this.store = new ObjectStore<>(Set.of(""));
		this.writer = this.store.writer("");
		this.version = this.size;
		this.writer.replace(objects(), List.of(), false, Long.toString(this.version), false);
		this.listed = objects();
	}

	private List<StoredObject<String>> objects() {
		List<StoredObject<String>> objects = new ArrayList<>(this.size);
		for (int i = 0; i < this.size; i++) {
			objects.add(object(i, i));
		}
		return objects;
	}

	private StoredObject<String> object(int number, long version) {
		return new StoredObject<>("namespace-" + number % 20, "deployment-5d8f7c9b6-" + number, "uid-" + number,
				Long.toString(version), "");
	}

	private int next() {
		this.next = (int) ((this.next + 7919L) % this.size);
		return this.next;
	}

	/**
	 * Measures the creation of the object that {@link #update()} stores.
	 * @return the object
	 */
	@Benchmark
	public Object baseline() {
		return object(next(), ++this.version);
	}

	@Benchmark
	public void update() {
		this.version++;
		this.writer.put(object(next(), this.version), Long.toString(this.version));
	}

	@Benchmark
	public void deleteAndAdd() {
		StoredObject<String> object = object(next(), ++this.version);
		this.writer.remove(new DeletedObject(new ObjectKey(object.namespace(), object.name()), object.uid(),
				object.resourceVersion()), null, false, object.resourceVersion());
		this.writer.put(object, object.resourceVersion());
	}

	/** Replaces the content by an equal list. */
	@Benchmark
	@OutputTimeUnit(TimeUnit.MICROSECONDS)
	public void relistUnchanged() {
		this.writer.replace(this.listed, List.of(), false, Long.toString(this.version), false);
	}

}
