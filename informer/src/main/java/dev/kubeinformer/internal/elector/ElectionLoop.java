package dev.kubeinformer.internal.elector;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.election.ClockReading;
import dev.kubeinformer.internal.election.Election;
import dev.kubeinformer.internal.election.ElectionDecision;
import dev.kubeinformer.internal.election.ElectionNotice;
import dev.kubeinformer.internal.election.ElectionRules;
import dev.kubeinformer.internal.election.ElectionSignals;
import dev.kubeinformer.internal.election.ElectionStep;
import dev.kubeinformer.internal.election.ElectionTimes;
import dev.kubeinformer.internal.election.LeaseAnswer;
import dev.kubeinformer.internal.election.LeaseRequest;
import dev.kubeinformer.internal.lease.LeaseRequests;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.leader.LeaderSpec;
import dev.kubeinformer.leader.Leadership;

/**
 * Runs the election of an elector, from a start until the end of the following stop. It
 * has one thread, which carries out the steps of the {@link Election} in a loop.
 */
public final class ElectionLoop implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Leadership.class);

	/**
	 * Number of requests that must fit into one renew deadline. The timeout of a request
	 * is this fraction of the deadline.
	 */
	private static final int REQUESTS = 4;

	/**
	 * Maximum timeout of a request, because OkHttp stores milliseconds in an {@code int}.
	 */
	private static final Duration LONGEST_REQUEST = Duration.ofDays(1);

	private static final long SYNC_POLL_MILLIS = 100;

	private final LeaderSpec spec;

	private final Supplier<ApiClient> clients;

	private final Setting setting;

	private final TermLifecycle leading;

	private final LeaseReporter board;

	private final Runnable ended;

	private final Thread thread;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition poked = this.lock.newCondition();

	// The fields below are guarded by the lock.

	private boolean wakened;

	private boolean hinted;

	private boolean stop;

	private boolean yield;

	private volatile List<String> awaiting = List.of();

	private volatile boolean ready;

	private volatile boolean standing;

	private volatile String holder = "";

	private volatile @Nullable LeaseClient link;

	public ElectionLoop(LeaderSpec spec, Supplier<ApiClient> clients, Setting setting, TermLifecycle leading,
			LeaseReporter board, Runnable ended) {
		this.spec = spec;
		this.clients = clients;
		this.setting = setting;
		this.leading = leading;
		this.board = board;
		this.ended = ended;
		this.thread = setting.threads().loop(this, "elector");
	}

	public void start() {
		this.leading.wakes(this::wake);
		boolean started = false;
		try {
			if (!this.leading.hasWork()) {
				this.ready = true;
			}
			else {
				this.setting.threads().callback(this::awaitWork, "sync").start();
			}
			this.thread.start();
			started = true;
		}
		finally {
			if (!started) {
				// Stop the election, which also ends the waits for work.
				requestStop();
			}
		}
	}

	public boolean isStanding() {
		return this.standing;
	}

	public List<String> awaiting() {
		return this.standing ? List.of() : this.awaiting;
	}

	/**
	 * Returns the holder of the Lease when it was last read.
	 * @return the identity; {@code null} if no holder is known, for example after a term
	 * of this process has expired
	 */
	public @Nullable String holder() {
		String seen = this.holder;
		boolean own = seen.equals(this.spec.identity());
		return (seen.isEmpty() || (own && this.leading.term() == null)) ? null : seen;
	}

	public void requestStop() {
		this.lock.lock();
		try {
			this.stop = true;
			this.wakened = true;
			this.poked.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	public boolean isStopping() {
		this.lock.lock();
		try {
			return this.stop;
		}
		finally {
			this.lock.unlock();
		}
	}

	public void requestYield() {
		this.lock.lock();
		try {
			if (this.leading.term() != null) {
				this.yield = true;
				this.wakened = true;
				this.poked.signalAll();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void wake() {
		this.lock.lock();
		try {
			this.wakened = true;
			this.poked.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until the loop has ended after a stop.
	 */
	public void awaitEnd() {
		if (this.thread == Thread.currentThread()) {
			// The supplier of the client has stopped its own elector, and this thread
			// cannot wait for its own end.
			return;
		}
		try {
			Duration limit = Durations.countable(this.spec.drainTimeout())
				.plus(Durations.countable(this.spec.renewDeadline()));
			this.thread.join(limit.toMillis());
			if (this.thread.isAlive()) {
				logger.warn("The elector of Lease '{}/{}' did not end within {} s; interrupting it",
						this.spec.namespace(), this.spec.name(), limit.toSeconds());
				this.thread.interrupt();
				disconnect();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void run() {
		try {
			LeaseClient connected = connect();
			if (connected != null) {
				this.setting.threads().begin(() -> this.setting.threads().daemon(connected::watchAll, "watch").start());
				elect(connected);
			}
		}
		catch (InterruptedException ex) {
			logger.debug("The elector of Lease '{}/{}' was interrupted", this.spec.namespace(), this.spec.name());
		}
		finally {
			end();
		}
	}

	private void end() {
		try {
			requestStop();
			disconnect();
		}
		finally {
			try {
				this.leading.halted();
			}
			finally {
				this.ended.run();
			}
		}
	}

	private void disconnect() {
		LeaseClient connected = this.link;
		if (connected != null) {
			connected.close();
		}
	}

	private @Nullable LeaseClient connect() throws InterruptedException {
		while (!isStopping()) {
			try {
				LeaseRequests requests = new LeaseRequests(this.clients.get(), this.spec.namespace(), this.spec.name(),
						requestTimeout(), this.setting.threads().requests(), this::warned);
				LeaseClient connected = new LeaseClient(this.spec, requests, this.board, this::hint);
				this.link = connected;
				return connected;
			}
			catch (RuntimeException | Error ex) {
				this.board.noClient(ex);
				pause(this.spec.retryPeriod());
			}
		}
		return null;
	}

	private void warned(String text) {
		this.board.warned(text);
		this.leading.warned(text);
	}

	private Duration requestTimeout() {
		Duration timeout = this.spec.renewDeadline().dividedBy(REQUESTS);
		return (timeout.compareTo(LONGEST_REQUEST) < 0) ? timeout : LONGEST_REQUEST;
	}

	private void elect(LeaseClient connected) throws InterruptedException {
		ElectionTimes times = new ElectionTimes(Durations.countable(this.spec.leaseDuration()),
				Durations.countable(this.spec.renewDeadline()), Durations.countable(this.spec.retryPeriod()),
				Durations.countable(this.spec.syncTimeout()));
		ElectorClocks clocks = this.setting.clocks();
		Election election = new Election(this.spec.identity(), times, this.spec.releaseOnStop(), this.setting.rules(),
				this.setting.random(), clocks.read());
		while (true) {
			ElectionDecision decision = election.next(signals(election), clocks.read());
			decision.notices().forEach(this::carryOut);
			this.setting.threads().revive();
			this.standing = election.isStanding();
			if (decision.step() instanceof ElectionStep.Halt) {
				return;
			}
			if (decision.step() instanceof ElectionStep.Send send) {
				ClockReading sent = clocks.read();
				LeaseAnswer answer = send(connected, send.request());
				election.answered(send.request(), sent, answer, clocks.read());
			}
			else if (decision.step() instanceof ElectionStep.Pause pause) {
				pause(pause.time());
			}
		}
	}

	private LeaseAnswer send(LeaseClient connected, LeaseRequest request) throws InterruptedException {
		try {
			LeaseAnswer answer = connected.send(request);
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			return answer;
		}
		catch (RuntimeException | Error ex) {
			// Continue, because only a stop may end the loop. It is unknown whether the
			// request was sent.
			logger.error("The elector of Lease '{}/{}' failed; continuing", this.spec.namespace(), this.spec.name(),
					ex);
			return new LeaseAnswer.Unknown();
		}
	}

	private ElectionSignals signals(Election election) {
		boolean stops;
		boolean yields;
		this.lock.lock();
		try {
			if (this.hinted) {
				this.hinted = false;
				election.hint(this.setting.clocks().read());
			}
			this.wakened = false;
			stops = this.stop;
			yields = this.yield;
		}
		finally {
			this.lock.unlock();
		}
		// Do this without the lock, because 'leading' acquires it to wake this thread. A
		// later change wakes the thread again.
		return new ElectionSignals(this.ready, stops, yields, this.leading.drain(), this.leading.isLost());
	}

	private void carryOut(ElectionNotice notice) {
		try {
			apply(notice);
		}
		catch (RuntimeException | Error ex) {
			// Continue, because only a stop may end the loop.
			logger.error("The elector of Lease '{}/{}' failed while it processed {}; continuing", this.spec.namespace(),
					this.spec.name(), notice, ex);
		}
	}

	private void apply(ElectionNotice notice) {
		if (notice instanceof ElectionNotice.Granted granted) {
			this.leading.granted(granted.term());
		}
		else if (notice instanceof ElectionNotice.Renewed renewed) {
			this.board.renewed();
			this.leading.renewed(renewed.term(), renewed.slack());
		}
		else if (notice instanceof ElectionNotice.RenewalFailed) {
			this.leading.renewalFailed();
		}
		else if (notice instanceof ElectionNotice.Draining draining) {
			this.leading.drain(draining.reason());
		}
		else if (notice instanceof ElectionNotice.Revoked revoked) {
			this.leading.revoked(revoked.term(), revoked.reason());
			this.lock.lock();
			try {
				this.yield = false;
			}
			finally {
				this.lock.unlock();
			}
		}
		else if (notice instanceof ElectionNotice.HolderChanged changed) {
			this.holder = changed.holder();
			this.board.holderChanged(changed.holder());
		}
	}

	private void pause(Duration time) throws InterruptedException {
		long left = Durations.nanos(time);
		this.lock.lockInterruptibly();
		try {
			while (left > 0 && !this.wakened && !this.hinted) {
				left = this.poked.awaitNanos(left);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void awaitWork() {
		try {
			while (!isStopping()) {
				List<String> missing = this.leading.awaiting();
				this.awaiting = missing;
				if (missing.isEmpty()) {
					this.ready = true;
					wake();
					return;
				}
				if (this.standing) {
					return;
				}
				TimeUnit.MILLISECONDS.sleep(SYNC_POLL_MILLIS);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void hint(String seen) {
		// Use the watch only as a hint, because it may lag behind.
		if (seen.isEmpty() || !(seen.equals(this.holder) || seen.equals(this.spec.identity()))) {
			this.lock.lock();
			try {
				this.hinted = true;
				this.poked.signalAll();
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	/**
	 * Objects that an elector depends on.
	 *
	 * @param clocks the clocks
	 * @param rules the rules
	 * @param random the source of the jitter
	 * @param threads the threads
	 */
	public record Setting(ElectorClocks clocks, ElectionRules rules, RandomGenerator random, ElectorThreads threads) {

	}

}
