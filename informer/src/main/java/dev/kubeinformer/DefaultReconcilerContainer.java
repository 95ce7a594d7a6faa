package dev.kubeinformer;

import java.time.Duration;
import java.util.List;
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
import dev.kubeinformer.internal.control.LoopFigures;
import dev.kubeinformer.internal.control.LoopOptions;
import dev.kubeinformer.internal.control.ReconcileLoop;
import dev.kubeinformer.internal.control.RunEnd;
import dev.kubeinformer.types.ObjectKey;

/**
 * What runs one reconciler: a loop that stays, and what a start connects it to.
 *
 * @param <T> the model class of the primary
 */
final class DefaultReconcilerContainer<T extends KubernetesObject> implements ReconcilerContainer {

	private static final long THREAD_KEPT = 1;

	private final ReconcilerSpec<T> spec;

	private final ControllerContext context;

	private final Consumer<ReconcilerContainer> closed;

	private final ScheduledThreadPoolExecutor timer;

	private final ThreadPoolExecutor checks;

	private final ReconcilerReports reports;

	private final ReconcileLoop loop;

	private final ReconcilerStates states;

	private final TransitionLock transition;

	private volatile boolean stopping;

	private volatile boolean ended;

	private volatile @Nullable ReconcilerLife<T> life;

	DefaultReconcilerContainer(ReconcilerSpec<T> spec, ControllerContext context,
			Consumer<ReconcilerContainer> closed) {
		this.spec = spec;
		this.closed = closed;
		this.context = context;
		this.timer = new ScheduledThreadPoolExecutor(1, threads("timer"));
		this.timer.setRemoveOnCancelPolicy(true);
		this.timer.setKeepAliveTime(THREAD_KEPT, TimeUnit.SECONDS);
		this.timer.allowCoreThreadTimeOut(true);
		this.checks = new ThreadPoolExecutor(1, 1, THREAD_KEPT, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				threads("start"));
		this.checks.allowCoreThreadTimeOut(true);
		this.reports = new ReconcilerReports(this, this::endCleanup, context.clocks().nanoTime());
		this.states = new ReconcilerStates(context.clocks().wall(), this.reports::stateChanged);
		this.loop = new ReconcileLoop(options(), (run) -> {
			ReconcilerLife<T> current = this.life;
			return (current != null) ? current.run(run) : RunEnd.absent();
		}, this.reports);
		this.transition = new TransitionLock(this::isInCallback, () -> this.stopping);
	}

	private ThreadFactory threads(String role) {
		return (work) -> {
			Thread thread = new Thread(work, "reconciler-" + this.spec.id() + "-" + role);
			thread.setDaemon(true);
			return thread;
		};
	}

	private LoopOptions options() {
		// Each worker draws from its own: there is no state to share.
		RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
		return new LoopOptions(this.spec.id(), this.spec.concurrency(), this.spec.timeout(), this.spec.minInterval(),
				this.spec.ownWritesTimeout(), this.spec.retry(), this.spec.drainTimeout(), this.spec.threadFactory(),
				this.context.clocks().nanoTime(), random, this.timer, this.context.clocks().wall());
	}

	private boolean endCleanup(ObjectKey key) {
		ReconcilerLife<T> current = this.life;
		return current != null && current.endCleanup(key);
	}

	@Override
	public String id() {
		return this.spec.id();
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
		try {
			if (this.life != null) {
				return;
			}
			if (this.ended) {
				throw new IllegalStateException("%s is closed; make another one".formatted(this));
			}
			this.stopping = false;
			ReconcilerLife<T> next = new ReconcilerLife<>(this.spec, this.context, this.loop,
					new ReconcilerLife.Parts(this.states, this.reports, this.timer, this.checks));
			this.life = next;
			this.states.started();
			try {
				this.loop.start();
				next.start();
			}
			catch (Throwable ex) {
				end(next);
				throw ex;
			}
		}
		finally {
			this.transition.leave();
		}
	}

	@Override
	public void stop() {
		if (!this.transition.enter()) {
			return;
		}
		try {
			ReconcilerLife<T> last = this.life;
			if (last != null) {
				end(last);
			}
		}
		finally {
			this.transition.leave();
		}
	}

	@Override
	public void close() {
		this.ended = true;
		stop();
		freeId();
	}

	// A run that ignores its interrupt would overlap one of the next reconciler.
	private void freeId() {
		if (this.loop.figures().active() == 0) {
			this.closed.accept(this);
		}
		else {
			this.timer.schedule(this::freeId, THREAD_KEPT, TimeUnit.SECONDS);
		}
	}

	private void end(ReconcilerLife<T> last) {
		this.stopping = true;
		last.shut();
		this.loop.stop();
		last.close();
		this.life = null;
		this.states.stopped();
	}

	@Override
	public boolean isRunning() {
		return this.life != null;
	}

	@Override
	public void pause() {
		running().pause(true);
	}

	@Override
	public void resume() {
		running().pause(false);
	}

	@Override
	public void trigger(ObjectKey key) {
		running();
		this.loop.trigger(key, QueueLane.LIVE);
	}

	@Override
	public void triggerAll() {
		running().primaryKeys().forEach((key) -> this.loop.trigger(key, QueueLane.INITIAL));
	}

	private ReconcilerLife<T> running() {
		ReconcilerLife<T> current = this.life;
		if (current == null) {
			throw new IllegalStateException("%s is not started".formatted(this));
		}
		return current;
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
		return new IdleWait(List.of(this), this.context.clocks().nanoTime()).await(timeout);
	}

	/**
	 * Returns the life since the last start.
	 * @return the life; {@code null} if the reconciler is not started
	 */
	@Nullable ReconcilerLife<T> life() {
		return this.life;
	}

	ReconcileLoop loop() {
		return this.loop;
	}

	/**
	 * Returns whether the calling thread runs code of users that is part of this
	 * reconciler.
	 * @return whether it does
	 */
	boolean isInCallback() {
		ReconcilerLife<T> current = this.life;
		return this.loop.isRunThread() || (current != null && current.isInCallback());
	}

	@Override
	public ReconcilerStatus status() {
		ReconcilerStates.Now now = this.states.now();
		ReconcilerLife<T> current = this.life;
		LoopFigures figures = this.loop.figures();
		ReconcilerStatus.Runs runs = new ReconcilerStatus.Runs(figures.total(), figures.active(),
				figures.longestActive(), figures.failed(), figures.conflicts(),
				figures.ownWriteTimeouts() + this.reports.lateCaches(), this.reports.loops(), figures.lastError());
		return new ReconcilerStatus(now.state(), now.since(), now.synced(),
				(current != null) ? current.sources() : List.of(), figures.queue(), runs, figures.failing());
	}

	@Override
	public String toString() {
		return this.spec.toString();
	}

}
