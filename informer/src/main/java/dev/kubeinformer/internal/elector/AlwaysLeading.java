package dev.kubeinformer.internal.elector;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.leader.LeaderTask;
import dev.kubeinformer.leader.LeaderWork;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.LeadershipListener;

/**
 * Leadership of a process that has no other replicas. The process always leads, in a term
 * that does not end. The tasks of the leader end when this object is closed. Thread-safe.
 */
public final class AlwaysLeading implements Leadership, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Leadership.class);

	/** End of the term: the latest time that every time format can represent. */
	private static final Instant FOREVER = Instant.parse("9999-12-31T23:59:59Z");

	private final Term term = new Term(0, Instant.now(), FOREVER);

	private final ElectorThreads threads = new ElectorThreads("always");

	// The fields below are guarded by this.

	private final List<LeaderTaskRunner> tasks = new ArrayList<>();

	private boolean closed;

	@Override
	public boolean isLeader() {
		return true;
	}

	@Override
	public Term term() {
		return this.term;
	}

	@Override
	public void yield() {
		logger.debug("There is no other replica to lead");
	}

	@Override
	public @Nullable String holder() {
		return null;
	}

	@Override
	public Registration register(LeaderWork work) {
		work.granted(this.term);
		return () -> logger.debug("Work '{}' was removed", work);
	}

	@Override
	public synchronized Registration runWhileLeader(String name, LeaderTask task) {
		LeaderTaskRunner work = new LeaderTaskRunner(name, task, this.threads);
		if (this.closed) {
			logger.debug("Task '{}' does not run, as the leadership is closed", name);
			return work::close;
		}
		this.tasks.add(work);
		work.granted(this.term);
		return () -> end(work);
	}

	private synchronized void end(LeaderTaskRunner work) {
		this.tasks.remove(work);
		work.close();
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		this.tasks.forEach(LeaderTaskRunner::close);
		this.tasks.clear();
	}

	@Override
	public void addListener(LeadershipListener listener) {
		logger.debug("Listener '{}' will never be notified: the leadership does not change", listener);
	}

	@Override
	public void removeListener(LeadershipListener listener) {
		logger.debug("Listener '{}' was never notified", listener);
	}

}
