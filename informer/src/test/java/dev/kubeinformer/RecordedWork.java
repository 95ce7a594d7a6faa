package dev.kubeinformer;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;

/**
 * Work that records its calls, and ends at once.
 */
public class RecordedWork implements LeaderWork {

	public final List<String> calls = new CopyOnWriteArrayList<>();

	volatile List<String> awaiting = List.of();

	@Override
	public Collection<String> awaiting() {
		return this.awaiting;
	}

	@Override
	public void granted(Leadership.Term term) {
		this.calls.add("granted " + term.number());
	}

	@Override
	public boolean drain() throws InterruptedException {
		this.calls.add("drain");
		return true;
	}

	@Override
	public void lost() {
		this.calls.add("lost");
	}

}
