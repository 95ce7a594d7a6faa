package dev.kubeinformer.internal.membership;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.election.ClockReading;
import dev.kubeinformer.internal.elector.ElectorClocks;
import dev.kubeinformer.internal.elector.ElectorThreads;
import dev.kubeinformer.internal.lease.GroupLeaseRequests;
import dev.kubeinformer.internal.shards.GroupMember;
import dev.kubeinformer.internal.shards.ShardAnswer;
import dev.kubeinformer.internal.shards.ShardDecision;
import dev.kubeinformer.internal.shards.ShardRequest;
import dev.kubeinformer.internal.shards.ShardRules;
import dev.kubeinformer.internal.shards.ShardSignals;
import dev.kubeinformer.internal.shards.ShardStep;
import dev.kubeinformer.internal.shards.ShardTimes;
import dev.kubeinformer.internal.shards.ViewEvent;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.shard.ShardsSpec;

/**
 * Runs the state machine of a membership in a loop, on a thread of its own, from a start
 * to the end of the stop.
 */
public final class MembershipLoop implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Shards.class);

	/**
	 * Number of requests that must fit into one renew deadline; bounds the timeout of
	 * each request.
	 */
	private static final int REQUESTS = 4;

	/** Upper bound of a timeout, because OkHttp stores milliseconds in an int. */
	private static final Duration LONGEST_REQUEST = Duration.ofDays(1);

	private static final Duration SYNC_POLL = Duration.ofMillis(100);

	private final ShardsSpec spec;

	private final Supplier<ApiClient> clients;

	private final Setting setting;

	private final MemberSession session;

	private final Runnable ended;

	private final Thread thread;

	private final String lease;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition poked = this.lock.newCondition();

	// The fields below are guarded by the lock.

	private final List<ViewEvent> events = new ArrayList<>();

	private boolean wakened;

	private boolean stop;

	/** Reading of the monotonic clock when the stop was requested. */
	private long stopAt;

	private volatile boolean syncing = true;

	private volatile @Nullable Link link;

	/** Whether the watch waits for a list. Used only by the thread of the loop. */
	private boolean interrupted = true;

	/**
	 * Creates a loop, which does nothing before it is started.
	 * @param spec the settings
	 * @param clients the supplier of the application's client
	 * @param setting the clocks, rules and threads
	 * @param session carries out the notices
	 * @param ended called when the loop has ended after a stop
	 */
	public MembershipLoop(ShardsSpec spec, Supplier<ApiClient> clients, Setting setting, MemberSession session,
			Runnable ended) {
		this.spec = spec;
		this.clients = clients;
		this.setting = setting;
		this.session = session;
		this.ended = ended;
		this.lease = MemberLeases.newName(spec.group(), spec.identity());
		this.thread = setting.threads().loop(this, "member");
	}

	public void start() {
		this.session.begin(this::wake);
		this.thread.start();
	}

	/**
	 * Returns the name of the Lease.
	 * @return the name
	 */
	public String lease() {
		return this.lease;
	}

	public boolean isSyncing() {
		return this.syncing;
	}

	public void requestStop() {
		this.lock.lock();
		try {
			if (!this.stop) {
				this.stop = true;
				this.stopAt = this.setting.clocks().nanoTime().getAsLong();
			}
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

	private void observe(ViewEvent event) {
		this.lock.lock();
		try {
			this.events.add(event);
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
			// The supplier of the client has stopped its own membership, and this thread
			// cannot wait for its own end.
			return;
		}
		try {
			Duration limit = Durations.countable(this.spec.drainTimeout())
				.plus(Durations.countable(this.spec.renewDeadline()));
			this.thread.join(limit.toMillis());
			if (this.thread.isAlive()) {
				logger.warn("The member of group '{}/{}' did not end within {} s; interrupting it",
						this.spec.namespace(), this.spec.group(), limit.toSeconds());
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
			awaitWork();
			Link connected = connect();
			if (connected != null) {
				this.setting.threads().begin(() -> this.setting.threads().daemon(connected.watch(), "watch").start());
				this.session.joining(this.lease);
				participate(connected);
			}
		}
		catch (InterruptedException ex) {
			logger.debug("The member of group '{}/{}' was interrupted", this.spec.namespace(), this.spec.group());
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
				this.session.halted();
			}
			finally {
				this.ended.run();
			}
		}
	}

	private void disconnect() {
		Link connected = this.link;
		if (connected != null) {
			connected.watch().close();
			connected.client().close();
		}
	}

	/**
	 * Waits for the caches of all work, in this thread, because there is nothing to renew
	 * yet.
	 */
	private void awaitWork() throws InterruptedException {
		ElectorClocks clocks = this.setting.clocks();
		long began = clocks.nanoTime().getAsLong();
		long limit = Durations.nanos(this.spec.syncTimeout());
		while (!isStopping() && clocks.nanoTime().getAsLong() - began < limit && this.session.isAwaiting()) {
			pause(SYNC_POLL);
		}
		this.syncing = false;
	}

	private @Nullable Link connect() throws InterruptedException {
		while (!isStopping()) {
			try {
				MemberLeases leases = new MemberLeases(this.spec);
				GroupLeaseRequests requests = new GroupLeaseRequests(this.clients.get(), this.spec.namespace(),
						leases.selector(), requestTimeout(), this.setting.threads().requests(), this.session::warned);
				Link connected = new Link(new GroupClient(requests, leases, this.lease, this.session.failures()),
						new GroupWatch(requests, leases, this.spec.retryPeriod(), this.session.failures(),
								this::observe));
				this.link = connected;
				return connected;
			}
			catch (RuntimeException | Error ex) {
				this.session.failures().noClient("list", ex);
				pause(this.spec.retryPeriod());
			}
		}
		return null;
	}

	private Duration requestTimeout() {
		Duration timeout = this.spec.renewDeadline().dividedBy(REQUESTS);
		return (timeout.compareTo(LONGEST_REQUEST) < 0) ? timeout : LONGEST_REQUEST;
	}

	private void participate(Link connected) throws InterruptedException {
		ShardTimes times = new ShardTimes(Durations.countable(this.spec.leaseDuration()),
				Durations.countable(this.spec.renewDeadline()), Durations.countable(this.spec.retryPeriod()),
				Durations.countable(this.spec.settleTime()));
		ElectorClocks clocks = this.setting.clocks();
		GroupMember machine = new GroupMember(this.lease, this.spec.identity(), this.spec.slots().total(), times,
				this.setting.rules(), this.setting.random(), clocks.read());
		while (true) {
			ShardSignals signals = signals(machine);
			ShardDecision decision = machine.next(signals, clocks.read());
			decision.notices().forEach(this.session::carryOut);
			this.setting.threads().revive();
			if (decision.step() instanceof ShardStep.Halt) {
				return;
			}
			if (decision.step() instanceof ShardStep.Send send) {
				ClockReading sent = clocks.read();
				ShardAnswer answer = send(connected.client(), send.request());
				machine.answered(send.request(), sent, answer, clocks.read());
				follow(connected.watch(), send.request(), answer);
			}
			else if (decision.step() instanceof ShardStep.Pause pause) {
				pause(untilGivenUp(pause.time()));
			}
		}
	}

	private ShardAnswer send(GroupClient client, ShardRequest request) throws InterruptedException {
		try {
			ShardAnswer answer = client.send(request);
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
			return answer;
		}
		catch (RuntimeException | Error ex) {
			// Continue, because only a stop may end the loop. It is unknown whether the
			// request was sent.
			logger.error("The member of group '{}/{}' failed; continuing", this.spec.namespace(), this.spec.group(),
					ex);
			return new ShardAnswer.Unknown();
		}
	}

	private void follow(GroupWatch watch, ShardRequest request, ShardAnswer answer) {
		// A list restarts an interrupted watch. After an update, check that the watch
		// shows it.
		if (answer instanceof ShardAnswer.Listed listed && this.interrupted) {
			this.interrupted = false;
			watch.begin(listed.resourceVersion());
		}
		else if (answer instanceof ShardAnswer.Stored stored && request instanceof ShardRequest.Update) {
			watch.written(stored.lease().resourceVersion(), this.setting.clocks().nanoTime().getAsLong());
		}
	}

	private ShardSignals signals(GroupMember machine) {
		List<ViewEvent> happened;
		boolean stops;
		this.lock.lock();
		try {
			happened = List.copyOf(this.events);
			this.events.clear();
			this.wakened = false;
			stops = this.stop;
		}
		finally {
			this.lock.unlock();
		}
		ClockReading now = this.setting.clocks().read();
		for (ViewEvent event : happened) {
			this.interrupted |= event instanceof ViewEvent.Interrupted;
			machine.observed(event, now);
		}
		return this.session.signals(stops, stops && untilGivenUp(Duration.ofNanos(1)).isZero(), now.nanos());
	}

	private Duration untilGivenUp(Duration pause) {
		this.lock.lock();
		try {
			if (!this.stop) {
				return pause;
			}
			long left = Durations.nanos(this.spec.drainTimeout())
					- (this.setting.clocks().nanoTime().getAsLong() - this.stopAt);
			return Duration.ofNanos(Math.max(0, Math.min(left, pause.toNanos())));
		}
		finally {
			this.lock.unlock();
		}
	}

	private void pause(Duration time) throws InterruptedException {
		long left = Durations.nanos(time);
		this.lock.lockInterruptibly();
		try {
			while (left > 0 && !this.wakened) {
				left = this.poked.awaitNanos(left);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Requests and watch of the loop.
	 *
	 * @param client sends requests
	 * @param watch watches the Leases
	 */
	private record Link(GroupClient client, GroupWatch watch) {

	}

	/**
	 * Dependencies of a membership.
	 *
	 * @param clocks the clocks
	 * @param rules the rules
	 * @param random the source of the jitter
	 * @param threads the threads
	 */
	public record Setting(ElectorClocks clocks, ShardRules rules, RandomGenerator random, ElectorThreads threads) {

	}

}
