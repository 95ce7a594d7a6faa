package dev.kubeinformer.internal.elector;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;

/**
 * All work that begins and ends with the terms of an elector. Its caller sees to it that
 * terms and additions come one after the other.
 */
public final class Works {

	private static final Logger logger = LoggerFactory.getLogger(Leadership.class);

	private final List<WorkLane> lanes = new CopyOnWriteArrayList<>();

	private final ElectorThreads threads;

	Works(ElectorThreads threads) {
		this.threads = threads;
	}

	WorkLane add(LeaderWork work) {
		WorkLane lane = new WorkLane(work, this.threads);
		this.lanes.add(lane);
		return lane;
	}

	public void remove(WorkLane lane) {
		this.lanes.remove(lane);
		lane.close();
	}

	boolean isEmpty() {
		return this.lanes.isEmpty();
	}

	/**
	 * Asks all work what it waits for. That is user code, and may take long.
	 * @return names for people
	 */
	List<String> awaiting() {
		List<String> awaiting = new ArrayList<>();
		for (WorkLane lane : this.lanes) {
			try {
				Collection<String> names = lane.work().awaiting();
				awaiting.addAll(names);
			}
			catch (RuntimeException ex) {
				logger.error("Work '{}' failed in awaiting()", lane.work(), ex);
			}
		}
		return awaiting;
	}

	void grant(Leadership.Term term) {
		for (WorkLane lane : this.lanes) {
			try {
				lane.grant(term);
			}
			catch (RuntimeException | Error ex) {
				logger.error("Work '{}' cannot be granted term {}", lane.work(), term.number(), ex);
			}
		}
	}

	void lose() {
		for (WorkLane lane : this.lanes) {
			try {
				lane.lose();
			}
			catch (RuntimeException | Error ex) {
				// The others must hear of it all the same.
				logger.error("Work '{}' cannot be called off", lane.work(), ex);
			}
		}
	}

	/**
	 * Lets all work end in good order.
	 * @param limitMillis how long that may take
	 * @return completed with whether nothing is under way any more
	 */
	CompletableFuture<Boolean> drain(long limitMillis) {
		List<CompletableFuture<Boolean>> drains = this.lanes.stream().map(WorkLane::drain).toList();
		CompletableFuture<Boolean> all = CompletableFuture.allOf(drains.toArray(CompletableFuture[]::new))
			.thenApply((none) -> drains.stream().allMatch(CompletableFuture::join));
		// The timer's thread has other things to do than what follows.
		ScheduledFuture<?> limit = this.threads.later(() -> this.threads.call(() -> all.complete(false)), limitMillis,
				TimeUnit.MILLISECONDS);
		if (limit != null) {
			all.whenComplete((drained, failure) -> limit.cancel(false));
		}
		return all;
	}

}
