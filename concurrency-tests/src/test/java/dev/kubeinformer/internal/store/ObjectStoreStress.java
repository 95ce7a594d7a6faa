package dev.kubeinformer.internal.store;

import java.util.List;
import java.util.Set;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * One object is replaced by another, in one list, while a reader looks: it sees the one
 * or the other, never both and never none, with the version that belongs to it.
 */
@JCStressTest
@Outcome(id = "true, false, false", expect = Expect.ACCEPTABLE, desc = "Before the list")
@Outcome(id = "false, true, true", expect = Expect.ACCEPTABLE, desc = "After the list")
@Outcome(expect = Expect.FORBIDDEN, desc = "Whether the old object, the new one and the new version show")
@State
public class ObjectStoreStress {

	private final ObjectStore<String> store = new ObjectStore<>(Set.of(""));

	private final PartitionWriter<String> writer = this.store.writer("");

	public ObjectStoreStress() {
		list("old", "1");
	}

	private void list(String name, String version) {
		this.writer.replace(List.of(new StoredObject<>("ns", name, name, version, name)), List.of(), false, version,
				false);
	}

	@Actor
	public void list() {
		list("new", "2");
	}

	@Actor
	public void read(ZZZ_Result result) {
		StoreSnapshot<String> snapshot = this.store.snapshot();
		result.r1 = snapshot.get("ns", "old") != null;
		result.r2 = snapshot.get("ns", "new") != null;
		result.r3 = snapshot.resourceVersion().equals("2");
	}

}
