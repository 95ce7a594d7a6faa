package dev.kubeinformer;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.kubeinformer.shard.ShardListener;
import dev.kubeinformer.shard.ShardLossReason;
import dev.kubeinformer.shard.ShardWork;

/**
 * Work of slots and listener that record their calls in one list. Drains end at once
 * unless a test overrides them.
 */
class RecordedShardWork implements ShardWork, ShardListener {

	final List<String> calls;

	private final Phase phase;

	RecordedShardWork(Phase phase) {
		this(phase, new CopyOnWriteArrayList<>());
	}

	RecordedShardWork(Phase phase, List<String> calls) {
		this.phase = phase;
		this.calls = calls;
	}

	@Override
	public Phase phase() {
		return this.phase;
	}

	@Override
	public void gained(Set<Integer> slots) {
		record("gained", slots);
	}

	@Override
	public void settled() {
		this.calls.add(this.phase + " settled");
	}

	@Override
	public boolean drain(Set<Integer> slots) throws InterruptedException {
		record("drain", slots);
		return true;
	}

	@Override
	public void lost(Set<Integer> slots) {
		record("lost", slots);
	}

	@Override
	public void onShardGained(Set<Integer> slots) {
		this.calls.add("told gained " + slots.size());
	}

	@Override
	public void onShardLost(Set<Integer> slots, ShardLossReason reason) {
		this.calls.add("told lost " + slots.size() + " " + reason);
	}

	void record(String what, Set<Integer> slots) {
		this.calls.add(this.phase + " " + what + " " + new TreeSet<>(slots).size());
	}

	@Override
	public String toString() {
		return this.phase.toString();
	}

}
