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
 * Writers of two partitions put an object each: both are there, and the store holds its
 * full state.
 */
@JCStressTest
@Outcome(id = "2, 1", expect = Expect.ACCEPTABLE, desc = "Nothing is lost")
@Outcome(expect = Expect.FORBIDDEN, desc = "Number of objects, and whether the state is full")
@State
public class ObjectStoreWritersStress {

	private final ObjectStore<String> store = new ObjectStore<>(Set.of("a", "b"));

	@Actor
	public void one() {
		list("a");
	}

	@Actor
	public void other() {
		list("b");
	}

	private void list(String namespace) {
		this.store.writer(namespace)
			.replace(List.of(new StoredObject<>(namespace, "o", "uid", "1", "o")), List.of(), false, "1", false);
	}

	@Arbiter
	public void end(II_Result result) {
		result.r1 = this.store.snapshot().size();
		result.r2 = this.store.hasFullState() ? 1 : 0;
	}

}
