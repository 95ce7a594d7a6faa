package dev.kubeinformer.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.models.V1Pod;
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

import dev.kubeinformer.internal.codec.model.ModelContent;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.PartitionWriter;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.WriteWait;
import dev.kubeinformer.types.ObjectKey;

/**
 * Measures the cost of detecting that only the status of a pod changed, alone and as part
 * of an update of the cache, and the additional cost of waits for writes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ContentBenchmark {

	private static final int PODS = 1000;

	/** Whether the cache compares the content of updates. */
	@Param({ "false", "true" })
	public boolean compared;

	/** Number of waits for unseen writes. */
	@Param({ "0", "100000" })
	public int waits;

	private final List<V1Pod> pods = new ArrayList<>();

	private final List<V1Pod> sameApartFromStatus = new ArrayList<>();

	private final List<V1Pod> labelled = new ArrayList<>();

	private PartitionWriter<V1Pod> writer;

	private long version = 1;

	private int next;

	@Setup
	public void fill() {
		ObjectStore<V1Pod> store = new ObjectStore<>(Set.of(""));
		if (this.compared) {
			store.compareContent(ModelContent::sameApartFromStatus);
		}
		this.writer = store.writer("");
		List<StoredObject<V1Pod>> listed = new ArrayList<>();
		for (int i = 0; i < PODS; i++) {
			V1Pod changed = LargePod.of(i);
			changed.getStatus().setPhase("Failed");
			V1Pod other = LargePod.of(i);
			other.getMetadata().setGeneration(2L);
			this.pods.add(LargePod.of(i));
			this.sameApartFromStatus.add(changed);
			this.labelled.add(other);
			listed.add(stored(i, this.pods.get(i)));
		}
		this.writer.replace(listed, List.of(), false, "1", false);
		for (int i = 0; i < this.waits; i++) {
			store.whenSeen(WriteWait.written("", new ObjectKey("default", "written-" + i),
					Long.toString(Long.MAX_VALUE - i), false, () -> {
					}));
		}
	}

	private StoredObject<V1Pod> stored(int number, V1Pod pod) {
		return new StoredObject<>("default", "pod-" + number, "uid-" + number, Long.toString(this.version), pod);
	}

	private int next() {
		this.next = (this.next + 1) % (2 * PODS);
		return this.next % PODS;
	}

	@Benchmark
	public boolean sameApartFromStatus() {
		int number = next();
		return ModelContent.sameApartFromStatus(this.pods.get(number), this.sameApartFromStatus.get(number));
	}

	@Benchmark
	public boolean differentInTheMetadata() {
		int number = next();
		return ModelContent.sameApartFromStatus(this.pods.get(number), this.labelled.get(number));
	}

	@Benchmark
	public Object hash() {
		return ModelContent.hash(this.pods.get(next()));
	}

	/** Updates a status. */
	@Benchmark
	public void update() {
		int number = next();
		this.version++;
		List<V1Pod> from = (this.next < PODS) ? this.sameApartFromStatus : this.pods;
		this.writer.put(stored(number, from.get(number)), Long.toString(this.version));
	}

}
