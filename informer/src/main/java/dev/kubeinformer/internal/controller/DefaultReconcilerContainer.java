package dev.kubeinformer.internal.controller;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.ReconcilerStatus;
import dev.kubeinformer.internal.informer.ReconcilerFence;
import dev.kubeinformer.internal.informer.TransitionLock;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.internal.transport.Fence;
import dev.kubeinformer.internal.workqueue.LoopFigures;
import dev.kubeinformer.internal.workqueue.LoopOptions;
import dev.kubeinformer.internal.workqueue.ReconcileLoop;
import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.leader.NotLeaderException;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.spi.CallbackAware;
import dev.kubeinformer.types.ObjectKey;

/**
 * Runs one reconciler. The loop, with the queue and the workers, exists as long as the
 * container. A {@link ReconcilerSession} connects the loop to the caches when the
 * container starts or, with leader election, when this process becomes the leader.
 *
 * @param <T> the model class of the primary
 */
final class DefaultReconcilerContainer<T extends KubernetesObject>
		implements ReconcilerContainer, LeadershipFollower.Host, SlotGate.Host, CallbackAware {

	private static final long THREAD_KEPT = 1;

	private final String id;

	private final ReconcilerSpec<T> spec;

	private final ControllerContext context;

	private final Consumer<ReconcilerContainer> closed;

	private final ScheduledThreadPoolExecutor timer;

	/** Executor of the thread that follows the leadership. */
	private final ThreadPoolExecutor follower;

	private final ReconcilerReporter reports;

	private final ReconcileLoop loop;

	private final ReconcilerStateTracker states;

	private final TransitionLock transition;

	private volatile boolean stopping;

	private volatile boolean ended;

	private volatile boolean paused;

	/** Sources of the reconciler; {@code null} while it is stopped. */
	private volatile @Nullable SourceSet<T> sources;

	/** Current session; {@code null} while the reconciler is stopped or a standby. */
	private volatile @Nullable ReconcilerSession<T> life;

	/**
	 * Follower of the leadership; {@code null} while the reconciler is stopped, or if it
	 * needs no leadership.
	 */
	private volatile @Nullable LeadershipFollower terms;

	/**
	 * Holds back the runs of gained slots; {@code null} while the reconciler is stopped,
	 * or if primaries are not divided into slots.
	 */
	private volatile @Nullable SlotGate slots;

	/** Followers of this and earlier starts that may still have active runs. */
	private final Set<LeadershipFollower> unended = ConcurrentHashMap.newKeySet();

	DefaultReconcilerContainer(ReconcilerSpec<T> spec, ControllerContext context,
			Consumer<ReconcilerContainer> closed) {
		this.id = context.cluster().qualify(spec.id());
		this.spec = spec;
		this.closed = closed;
		this.context = context;
		this.timer = new ScheduledThreadPoolExecutor(1, threads("timer"), new ThreadPoolExecutor.DiscardPolicy());
		this.timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
		this.timer.setRemoveOnCancelPolicy(true);
		this.timer.setKeepAliveTime(THREAD_KEPT, TimeUnit.SECONDS);
		this.timer.allowCoreThreadTimeOut(true);
		this.follower = oneThread("leader");
		this.reports = new ReconcilerReporter(this, context.cluster(), context.clocks().nanoTime());
		this.states = new ReconcilerStateTracker(context.clocks().wall(), this.reports::stateChanged);
		this.loop = new ReconcileLoop(options(), this.reports);
		this.transition = new TransitionLock(this::isInCallback, () -> this.stopping);
	}

	private ThreadPoolExecutor oneThread(String role) {
		ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, THREAD_KEPT, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), threads(role));
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	private ThreadFactory threads(String role) {
		return (work) -> {
			Thread thread = new Thread(work, "reconciler-" + this.id + "-" + role);
			thread.setDaemon(true);
			return thread;
		};
	}

	private LoopOptions options() {
		// Each worker uses its own generator, so there is no shared state.
		RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
		return new LoopOptions(this.id, this.spec.concurrency(), this.spec.timeout(), this.spec.minInterval(),
				this.spec.ownWritesTimeout(), this.spec.retry(), this.spec.drainTimeout(), this.spec.threadFactory(),
				this.context.clocks().nanoTime(), random, this.timer, this.context.clocks().wall());
	}

	@Override
	public String id() {
		return this.id;
	}

	@Override
	public ReconcilerSpec<?> spec() {
		return this.spec;
	}

	@Override
	public void start() {
		if (!this.transition.enter()) {
			return;
		}
		LeadershipFollower next;
		try {
			if (isRunning()) {
				return;
			}
			if (this.ended) {
				throw new IllegalStateException("%s is closed; create another one".formatted(this));
			}
			this.stopping = false;
			this.paused = false;
			next = startAll(leadership());
		}
		finally {
			this.transition.leave();
		}
		if (next != null) {
			register(next);
		}
	}

	private @Nullable Leadership leadership() {
		Shards shards = this.spec.shards();
		return (shards != null) ? shards.membership() : this.spec.leadership();
	}

	private @Nullable LeadershipFollower startAll(@Nullable Leadership leadership) {
		try {
			SourceSet<T> used = new SourceSet<>(this.spec, this.context,
					(leadership != null) ? this::filledChanged : () -> {
					});
			this.sources = used;
			this.slots = slots(used);
			if (leadership == null) {
				ReconcilerSession<T> next = newLife(used, Fence.NONE);
				this.life = next;
				this.states.started(next);
				next.start();
				used.run();
				return null;
			}
			LeadershipFollower next = new LeadershipFollower(leadership, this, this.loop,
					new LeadershipFollower.Threads(this.follower, this.timer, this.context.clocks().wall()),
					this.slots);
			this.terms = next;
			this.unended.removeIf(LeadershipFollower::isEnded);
			this.unended.add(next);
			this.states.started(null);
			used.run();
			return next;
		}
		catch (Throwable ex) {
			endAll();
			throw ex;
		}
	}

	private @Nullable SlotGate slots(SourceSet<T> used) {
		Shards shards = this.spec.shards();
		return (shards != null) ? new SlotGate(shards, used, this.loop, this, this.context,
				this.spec.ownWritesTimeout(), new SlotGate.Threads(oneThread("slots"), this.timer)) : null;
	}

	private void filledChanged() {
		SlotGate gate = this.slots;
		if (gate != null) {
			gate.filledChanged();
		}
		this.follower.execute(this::reportFilled);
	}

	private void reportFilled() {
		SourceSet<T> used = this.sources;
		if (used != null) {
			this.states.filled(used.isFilled());
		}
	}

	private ReconcilerSession<T> newLife(SourceSet<T> used, Fence fence) {
		// A check may wait for a response, and must not delay the checks of the next
		// session.
		return new ReconcilerSession<>(this.spec, this.context, this.loop, fence, used,
				new ReconcilerSession.Parts(this.states, this.reports, this.timer, oneThread("start")));
	}

	private void register(LeadershipFollower next) {
		try {
			next.register();
		}
		catch (Throwable ex) {
			stop();
			throw ex;
		}
	}

	@Override
	public Collection<String> awaiting() {
		SourceSet<T> used = this.sources;
		return (used != null) ? used.awaiting() : List.of();
	}

	@Override
	public void settle(LeadershipFollower asking, @Nullable ReconcilerFence fence) {
		if (!this.transition.enter()) {
			return;
		}
		try {
			SourceSet<T> used = this.sources;
			if (used == null || this.terms != asking) {
				return;
			}
			ReconcilerSession<T> last = this.life;
			if (last != null && last.fence() != fence) {
				endLife(last);
			}
			if (this.life == null && fence != null && !fence.isClosing()) {
				beginLife(used, fence);
			}
		}
		finally {
			this.transition.leave();
		}
	}

	private void beginLife(SourceSet<T> used, ReconcilerFence fence) {
		ReconcilerSession<T> next = newLife(used, fence);
		this.life = next;
		this.states.leads(next);
		try {
			SlotGate gate = this.slots;
			if (gate != null) {
				gate.began(fence.term());
			}
			hold(next);
			next.start();
		}
		catch (Throwable ex) {
			endLife(next);
			throw ex;
		}
	}

	private void endLife(ReconcilerSession<T> last) {
		last.shut();
		this.loop.abandon(last.fence());
		last.forgetWrites();
		try {
			last.close();
		}
		finally {
			this.life = null;
			this.states.leads(null);
			this.loop.idleSignal().changed();
		}
	}

	@Override
	public void forget(Collection<SlotGate.Primary> primaries) {
		ReconcilerSession<T> current = this.life;
		if (current != null) {
			primaries.forEach((primary) -> current.forget(primary.key(), primary.uid()));
		}
	}

	@Override
	public void late() {
		this.reports.cacheIsLate();
	}

	@Override
	public void stop() {
		if (!this.transition.enter()) {
			return;
		}
		LeadershipFollower last;
		try {
			last = isRunning() ? endAll() : null;
		}
		finally {
			this.transition.leave();
		}
		if (last != null) {
			last.stopped();
		}
	}

	@Override
	public void close() {
		this.ended = true;
		stop();
		freeId();
	}

	// Keep the id while a run ignores its interrupt: it would overlap with runs of the
	// next reconciler with this id.
	private void freeId() {
		if (this.loop.figures().active() == 0) {
			this.unended.forEach(LeadershipFollower::stopped);
			this.closed.accept(this);
			// Pending tasks, such as a key's next attempt, would keep the thread alive.
			this.timer.shutdown();
		}
		else {
			this.timer.schedule(this::freeId, THREAD_KEPT, TimeUnit.SECONDS);
		}
	}

	private @Nullable LeadershipFollower endAll() {
		LeadershipFollower followed = this.terms;
		ReconcilerSession<T> last = this.life;
		SourceSet<T> used = this.sources;
		this.stopping = true;
		this.transition.refuseCallbacks();
		SlotGate gate = this.slots;
		if (gate != null) {
			gate.close();
		}
		if (followed != null) {
			followed.shut();
		}
		if (last != null) {
			last.shut();
		}
		this.loop.stop();
		if (followed != null) {
			this.loop.forget();
		}
		try {
			if (last != null) {
				last.close();
			}
		}
		finally {
			closeAll(used);
		}
		return followed;
	}

	private void closeAll(@Nullable SourceSet<T> used) {
		try {
			if (used != null) {
				used.close();
			}
		}
		finally {
			this.life = null;
			this.sources = null;
			this.terms = null;
			this.slots = null;
			this.loop.idleSignal().changed();
			this.states.stopped();
		}
	}

	@Override
	public boolean isRunning() {
		return this.sources != null;
	}

	@Override
	public void pause() {
		pause(true);
	}

	@Override
	public void resume() {
		pause(false);
	}

	private void pause(boolean next) {
		requireRunning();
		// Set the flag first, because a term that begins now reads it.
		this.paused = next;
		ReconcilerSession<T> current = this.life;
		if (current != null) {
			hold(current);
		}
	}

	// Check again, because a concurrent pause or resume may have set the flag meanwhile.
	private void hold(ReconcilerSession<T> current) {
		boolean done;
		do {
			done = this.paused;
			current.pause(done);
		}
		while (done != this.paused);
	}

	@Override
	public void trigger(ObjectKey key) {
		ReconcilerSession<T> current = this.life;
		if (isLeading() && current != null) {
			SlotGate gate = this.slots;
			if (gate != null) {
				gate.requireHeld(key);
			}
			current.requireReadable(key);
			this.reports.triggering(key);
			this.loop.trigger(key, QueueLane.LIVE);
		}
	}

	@Override
	public void triggerAll() {
		ReconcilerSession<T> current = this.life;
		if (isLeading() && current != null) {
			current.primaryKeys().forEach((key) -> {
				this.reports.triggering(key);
				this.loop.trigger(key, QueueLane.INITIAL);
			});
		}
	}

	/**
	 * Returns whether keys can be added to the queue.
	 * @return {@code true} if keys can be added; {@code false} if a term has just begun,
	 * because then all keys are about to be queued
	 * @throws NotLeaderException if another replica leads
	 */
	private boolean isLeading() {
		requireRunning();
		LeadershipFollower followed = this.terms;
		if (followed != null && !followed.isLeading()) {
			if (this.spec.shards() != null) {
				throw new NotLeaderException(
						"%s runs nothing here, because this process holds no valid Lease of its group; trigger it on another member"
							.formatted(this));
			}
			Leadership leadership = Objects.requireNonNull(this.spec.leadership());
			throw new NotLeaderException("%s runs only on the leader '%s'; trigger it there".formatted(this,
					PrintableText.of(Objects.requireNonNullElse(leadership.holder(), "another one"))));
		}
		return this.life != null;
	}

	private void requireRunning() {
		if (!isRunning()) {
			throw new IllegalStateException("%s is not started".formatted(this));
		}
	}

	@Override
	public boolean hasSynced() {
		return this.states.now().synced();
	}

	@Override
	public boolean awaitSync(Duration timeout) throws InterruptedException {
		return this.states.awaitSync(timeout);
	}

	@Override
	public boolean awaitIdle(Duration timeout) throws InterruptedException {
		return new IdleAwaiter(List.of(this), this.context.clocks().nanoTime()).await(timeout);
	}

	/**
	 * Waits until runs may begin or, on a standby, until the caches are filled.
	 * @param timeout the longest time to wait
	 * @return {@code true} if the reconciler is ready
	 * @throws InterruptedException if the thread is interrupted
	 */
	boolean awaitReady(Duration timeout) throws InterruptedException {
		return this.states.awaitReady(timeout);
	}

	/**
	 * Returns the current sources.
	 * @return the sources; {@code null} if the reconciler is not started
	 */
	@Nullable SourceSet<T> sources() {
		return this.sources;
	}

	/**
	 * Returns whether the reconciler is idle: no key is queued, running or about to be
	 * queued, and no term begins or ends. A standby is always idle.
	 * @return {@code true} if the reconciler is idle
	 */
	boolean isIdle() {
		LeadershipFollower followed = this.terms;
		if (followed != null && !followed.isSettled()) {
			return false;
		}
		SourceSet<T> used = this.sources;
		SlotGate gate = this.slots;
		if (this.life == null || used == null) {
			return true;
		}
		return (gate == null || gate.isSettled()) && used.hasMappedAll() && this.loop.busy().isIdle();
	}

	ReconcileLoop loop() {
		return this.loop;
	}

	@Override
	public boolean isInCallback() {
		SourceSet<T> current = this.sources;
		return this.loop.isRunThread() || (current != null && current.isInCallback());
	}

	@Override
	public ReconcilerStatus status() {
		ReconcilerStateTracker.Now now = this.states.now();
		SourceSet<T> current = this.sources;
		SlotGate gate = this.slots;
		LoopFigures figures = this.loop.figures();
		ReconcilerStatus.Runs runs = new ReconcilerStatus.Runs(figures.total(), figures.active(),
				figures.longestActive(), figures.failed(), figures.conflicts(),
				figures.ownWriteTimeouts() + this.reports.lateCaches(), this.reports.loops(), figures.lastError());
		return new ReconcilerStatus(now.state(), now.since(), now.synced(),
				(current != null) ? current.status() : List.of(), queue(figures.queue()), runs, figures.failing(),
				(current != null) ? current.failing() : List.of(), (gate != null) ? gate.status() : null);
	}

	private ReconcilerStatus.Queue queue(ReconcilerStatus.Queue queue) {
		ReconcilerSession<T> current = this.life;
		int slowed = (current != null) ? current.slowedKeys() : 0;
		int waiting = (current != null) ? current.unseenWrites() : 0;
		return new ReconcilerStatus.Queue(queue.ready(), queue.delayed(), queue.parked(), queue.failingKeys(),
				queue.oldestReadyAge(), slowed, waiting);
	}

	@Override
	public String toString() {
		return "Reconciler '%s'".formatted(this.id);
	}

}
