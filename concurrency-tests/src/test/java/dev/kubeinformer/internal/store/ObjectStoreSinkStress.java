package dev.kubeinformer.internal.store;

import java.util.List;
import java.util.Set;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A sink is added while an object comes: it is given the object once, and the full state
 * once, in whichever way the two meet.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "No gap and no duplicate")
@Outcome(expect = Expect.FORBIDDEN, desc = "How often the object came, and the full state")
@State
public class ObjectStoreSinkStress {

	private final ObjectStore<String> store = new ObjectStore<>(Set.of(""));

	private final PartitionWriter<String> writer = this.store.writer("");

	private final Count sink = new Count();

	@Actor
	public void list() {
		this.writer.replace(List.of(new StoredObject<>("ns", "a", "uid", "1", "a")), List.of(), false, "1", false);
	}

	@Actor
	public void add() {
		this.store.addSink(this.sink);
	}

	@Arbiter
	public void end(II_Result result) {
		result.r1 = this.sink.objects;
		result.r2 = this.sink.states;
	}

	private static final class Count implements DeltaSink<String> {

		private int objects;

		private int states;

		@Override
		public void delta(Delta<String> delta) {
			this.objects++;
		}

		@Override
		public void resync(StoredObject<String> object) {
			this.objects++;
		}

		@Override
		public void initialStateComplete() {
			this.states++;
		}

		@Override
		public void initialStateReset() {
			this.states--;
		}

	}

}
