package dev.kubeinformer.internal.reconcile;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiException;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.GiveUpException;
import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.Reconciliation.EventType;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.internal.codec.model.ModelCopies;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.UnreadableObject;
import dev.kubeinformer.internal.transport.ApiWrites.Caller;
import dev.kubeinformer.internal.transport.ApiWrites.Deleted;
import dev.kubeinformer.internal.transport.RunCalls;
import dev.kubeinformer.internal.transport.WriteRecorder;
import dev.kubeinformer.internal.workqueue.KeyCause;
import dev.kubeinformer.internal.workqueue.KeyRun;
import dev.kubeinformer.internal.workqueue.KeyRunner;
import dev.kubeinformer.internal.workqueue.OwnWritesWait;
import dev.kubeinformer.internal.workqueue.RunEnd;
import dev.kubeinformer.internal.workqueue.RunStep;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;
import dev.kubeinformer.types.WriteFailedException;

/**
 * Executes one run for a key that a worker has taken from the queue. It adds and removes
 * the finalizer, and calls the function of the application. The function gets a private
 * copy of the cached object, or of a newer state that a run has written. If the caches do
 * not show an earlier write, and the run cannot read it otherwise, the run waits for it.
 *
 * @param <T> the model class of the primary
 */
public final class ReconcileRunner<T extends KubernetesObject> implements KeyRunner {

	private static final int MOST_CAUSES = 8;

	/** Reason of the event about a rejected write. */
	private static final String REFUSED = "WriteRefused";

	/**
	 * HTTP statuses with which an API server may reject a write because the object was
	 * deleted: 403 in a terminating namespace, 409 for a wrong UID, 422 for an object
	 * that is being deleted.
	 */
	private static final Set<Integer> DELETED = Set.of(403, 404, 409, 410, 422);

	private final Supplier<ReconcilerWriter<T>> writers;

	private final CachedSources<T> caches;

	private final OwnWrites ownWrites;

	private final LoopDetector loops;

	private final WriteRecorder recorder;

	private final @Nullable FinalizerWrites<T> finalizers;

	private final @Nullable Shards shards;

	/**
	 * Creates the runner.
	 * @param writers provides the writer of each run
	 * @param caches the content that runs read
	 * @param ownWrites the writes that the caches may not show yet
	 * @param loops finds keys whose runs are caused by own writes
	 * @param recorder records the writes of runs with clients of the application
	 * @param finalizers manages the finalizer; {@code null} without a cleanup
	 * @param shards the slots of the primaries; {@code null} if primaries do not move
	 * between replicas
	 */
	public ReconcileRunner(Supplier<ReconcilerWriter<T>> writers, CachedSources<T> caches, OwnWrites ownWrites,
			LoopDetector loops, WriteRecorder recorder, @Nullable FinalizerWrites<T> finalizers,
			@Nullable Shards shards) {
		this.writers = writers;
		this.caches = caches;
		this.ownWrites = ownWrites;
		this.loops = loops;
		this.recorder = recorder;
		this.finalizers = finalizers;
		this.shards = shards;
	}

	@Override
	public RunEnd run(KeyRun run) {
		ObjectKey key = run.key();
		StoredObject<?> present = present(key);
		if (present == null || !mayRun(run, present)) {
			return RunEnd.absent();
		}
		OwnWritesWait parking = this.ownWrites.parking(key);
		if (parking != null) {
			if (!run.ownWritesTimedOut()) {
				return RunEnd.park(parking);
			}
			this.ownWrites.expire(key);
		}
		ReconcilerWriter<T> writer = this.writers.get();
		RunCalls calls = new RunCalls(run.fence(), run.observation());
		run.onCancel(calls::cancel);
		return new Attempt(run, writer, calls).run();
	}

	@Override
	public boolean isEcho(ObjectKey key, KeyCause cause) {
		return this.ownWrites.isEcho(key, cause);
	}

	@Override
	public boolean queued(ObjectKey key, KeyCause cause) {
		return this.loops.queued(key, cause);
	}

	private @Nullable StoredObject<?> present(ObjectKey key) {
		UnreadableObject unreadable = this.caches.unreadable(key);
		StoredObject<?> present = (unreadable != null) ? unreadable.stored() : this.caches.primary(key);
		if (this.finalizers != null) {
			this.finalizers.forget(key, (present != null) ? present.uid() : null);
		}
		if (present == null) {
			this.loops.forget(key);
		}
		return present;
	}

	/**
	 * Returns whether this process holds the slot of a primary. If so, the slot is not
	 * handed over before the end of the run.
	 * @param run the run
	 * @param primary the primary
	 * @return {@code true} if the run may read and write for the primary; {@code false}
	 * if another process runs the key, or if this process queues the key once the caches
	 * show its complete slot
	 */
	private boolean mayRun(KeyRun run, StoredObject<?> primary) {
		if (this.shards == null) {
			return true;
		}
		int slot = this.shards.division().slotOf(primary.namespace(), primary.uid());
		// A draining slot does not admit further runs, but runs that have entered it may
		// end.
		return run.isIn(slot) || (this.shards.owns(slot) && run.enter(slot));
	}

	/**
	 * Forgets a key that another process runs from now on.
	 * @param key the key
	 */
	public void forget(ObjectKey key) {
		this.ownWrites.expire(key);
		this.loops.forget(key);
		if (this.finalizers != null) {
			this.finalizers.forget(key, null);
		}
	}

	/**
	 * Returns the number of keys that are slowed down because this application's writes
	 * cause their runs.
	 * @return the number
	 */
	public int slowedKeys() {
		return this.loops.slowedKeys();
	}

	/**
	 * Returns the number of writes that the caches have not shown for a while.
	 * @param age the minimum age of the writes
	 * @return the number
	 */
	public int writesUnseen(Duration age) {
		return this.ownWrites.sizeAfter(age);
	}

	/**
	 * Forgets the writes that the caches do not show yet. Called at the end of a session.
	 * The caches outlive the session, and the runs of the next session must not wait for
	 * writes that they did not make.
	 */
	public void forgetWrites() {
		this.ownWrites.clear();
	}

	/**
	 * One attempt to run a key, by one thread.
	 */
	private final class Attempt {

		private final KeyRun run;

		private final ReconcilerWriter<T> writer;

		private final Caller caller;

		/**
		 * Primary that is being reconciled; {@code null} before the reconciliation
		 * begins, and during a cleanup.
		 */
		private @Nullable StoredObject<T> reconciled;

		Attempt(KeyRun run, ReconcilerWriter<T> writer, RunCalls calls) {
			this.run = run;
			this.writer = writer;
			this.caller = new Caller(writer.spec().fieldManager(), calls);
		}

		RunEnd run() {
			RunEnd end;
			try {
				end = tryRun();
			}
			catch (Throwable ex) {
				end = reported(failed(ex), ex);
			}
			this.run.slowDown(ReconcileRunner.this.loops.ended(this.run.key()));
			return end;
		}

		// Reports a rejected write as an event, because the owner of the primary can
		// correct content that the API server rejects.
		private RunEnd reported(RunEnd end, Throwable failure) {
			WriteFailedException refusal = WriteFailedException.in(failure);
			StoredObject<T> primary = ReconcileRunner.this.caches.primary(this.run.key());
			boolean isFailure = end instanceof RunEnd.Failed || end instanceof RunEnd.GaveUp;
			if (isFailure && refusal != null && refusal.isRejected() && primary != null && !this.run.timedOut()) {
				this.writer.events()
					.report(primary.object(), EventType.WARNING, REFUSED, String.valueOf(refusal.getMessage()),
							this.caller.calls());
			}
			return end;
		}

		// Code that must not throw checked exceptions wraps a rejection; treat both the
		// same.
		private RunEnd failed(Throwable failure) {
			Throwable cause = failure;
			for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
				if (cause instanceof GiveUpException) {
					return RunEnd.gaveUp(failure);
				}
				if (cause instanceof ApiException refusal) {
					if (isGone(refusal)) {
						return RunEnd.conflict(failure);
					}
					RunEnd end = refused(refusal);
					if (end instanceof RunEnd.Failed failed) {
						return isExcluded(failure) ? RunEnd.gaveUp(failure) : failed.because(failure);
					}
					// Another client was faster, which is not a failure.
					return RunEnd.conflict(failure);
				}
				cause = cause.getCause();
			}
			return isExcluded(failure) ? RunEnd.gaveUp(failure) : RunEnd.failed(failure, null);
		}

		/**
		 * Returns whether the object was deleted while it was reconciled. A rejection is
		 * then not a failure: the run is over, and the next one sees the deletion.
		 * @param refusal the exception of the write
		 * @return {@code true} if the object was deleted
		 */
		private boolean isGone(ApiException refusal) {
			StoredObject<T> before = this.reconciled;
			if (before == null || !DELETED.contains(refusal.getCode())) {
				return false;
			}
			StoredObject<T> now = ReconcileRunner.this.caches.primary(this.run.key());
			return now == null || !now.uid().equals(before.uid()) || FinalizerWrites.isBeingDeleted(now.object())
					|| this.writer.writes().isMissing(refusal, this.writer.spec().type(), this.run.key());
		}

		private boolean isExcluded(Throwable failure) {
			Throwable cause = failure;
			for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
				if (this.writer.spec().retryExcludes().stream().anyMatch(type(cause))) {
					return true;
				}
				cause = cause.getCause();
			}
			return false;
		}

		private static Predicate<Class<?>> type(Throwable failure) {
			return (type) -> type.isInstance(failure);
		}

		private RunEnd tryRun() throws Exception {
			// Read the cache only now: the awaited writes may have arrived since the
			// previous read.
			UnreadableObject unreadable = ReconcileRunner.this.caches.unreadable(this.run.key());
			StoredObject<T> primary = ReconcileRunner.this.caches.primary(this.run.key());
			// The primary may have been created again meanwhile, and then belongs to
			// another slot.
			if (unreadable != null) {
				return mayRun(this.run, unreadable.stored()) ? tryRun(unreadable, primary) : RunEnd.absent();
			}
			if (primary == null || !mayRun(this.run, primary)) {
				return RunEnd.absent();
			}
			FinalizerWrites<T> keeper = ReconcileRunner.this.finalizers;
			if (FinalizerWrites.isBeingDeleted(primary.object())) {
				return (keeper != null && keeper.isOn(primary)) ? cleanUp(keeper, primary, null)
						: ended(keeper, primary);
			}
			if (keeper != null && !keeper.isOn(primary)) {
				return addFinalizer(keeper, primary);
			}
			this.run.begins(RunStep.RECONCILE);
			this.reconciled = primary;
			return reconcile(this.writer.spec().function(), primary, false);
		}

		private RunEnd tryRun(UnreadableObject unreadable, @Nullable StoredObject<T> last) throws Exception {
			FinalizerWrites<T> keeper = ReconcileRunner.this.finalizers;
			if (!unreadable.isBeingDeleted()) {
				return RunEnd.gaveUp(UnreadablePrimary.notRun(unreadable));
			}
			if (keeper == null || !keeper.isOn(unreadable.stored())) {
				return ended(keeper, unreadable.stored());
			}
			return (last != null) ? cleanUp(keeper, last, unreadable)
					: RunEnd.gaveUp(UnreadablePrimary.notCleanedUp(unreadable, this.writer.spec().finalizer()));
		}

		private RunEnd ended(@Nullable FinalizerWrites<T> keeper, StoredObject<? extends KubernetesObject> primary) {
			Duration doubt = (keeper != null) ? keeper.doubtful(primary) : null;
			// Without our finalizer, nothing waits for this reconciler.
			return (doubt != null) ? RunEnd.requeueAfter(doubt) : RunEnd.absent();
		}

		private RunEnd addFinalizer(FinalizerWrites<T> keeper, StoredObject<T> primary) throws Exception {
			this.run.begins(RunStep.FINALIZER);
			try {
				T returned = keeper.add(primary, this.writer.writes(), this.caller);
				log().written(this.writer.spec().type(), returned);
			}
			catch (ApiException ex) {
				// If the object is gone, its deletion is about to arrive.
				return (problem(ex) == Problem.NOT_FOUND) ? RunEnd.conflict(ex) : refusedPatch(ex);
			}
			// Do not run before the write is seen, however long earlier writes took.
			OwnWritesWait parking = ReconcileRunner.this.ownWrites.parking(primary.key());
			if (parking != null) {
				return RunEnd.park(parking);
			}
			return tryRun();
		}

		// For a quarantined primary, the cleanup receives the last readable state.
		private RunEnd cleanUp(FinalizerWrites<T> keeper, StoredObject<T> primary,
				@Nullable UnreadableObject unreadable) throws Exception {
			// Without a cleanup function there are only unowned objects to delete.
			ReconcileFunction<T> cleanup = Objects.requireNonNullElse(this.writer.spec().cleanup(),
					(object, none) -> Result.done());
			this.run.begins(RunStep.CLEANUP);
			if (!keeper.wasCleanedUp(primary)) {
				RunEnd end = reconcile(cleanup, primary, unreadable != null);
				if (!(end instanceof RunEnd.Done)) {
					return end;
				}
				// Note this before the next write, whose failure must not cause another
				// cleanup.
				keeper.isCleanedUp(primary);
			}
			new UnownedObjects(this.writer.spec(), primary.object()).deleteAll(this.writer.writes(), this.caller,
					log());
			return removeFinalizer(keeper, primary, unreadable);
		}

		private RunEnd removeFinalizer(FinalizerWrites<T> keeper, StoredObject<T> primary,
				@Nullable UnreadableObject unreadable) {
			this.run.begins(RunStep.REMOVAL);
			try {
				KubernetesObject rest = (unreadable != null)
						? keeper.removeUnread(unreadable.stored(), this.writer.writes(), this.caller)
						: keeper.remove(primary, this.writer.writes(), this.caller);
				log().written(this.writer.spec().type(), rest);
			}
			catch (ApiException ex) {
				if (problem(ex) != Problem.NOT_FOUND) {
					return refusedPatch(ex);
				}
				return RunEnd.requeueAfter(keeper.isSaidToBeGone(primary));
			}
			return RunEnd.done();
		}

		private RunEnd reconcile(ReconcileFunction<T> function, StoredObject<T> primary, boolean quarantined)
				throws Exception {
			RunSources sources = ReconcileRunner.this.caches.sources(primary);
			ReconcileRunner.this.loops.starts(this.run, primary.object(), sources);
			RunContext<T> context = new RunContext<>(this.run, primary.object(), sources, log(), this.caller.calls(),
					quarantined);
			try (RunReconciliation<T> reconciliation = new RunReconciliation<>(this.writer, context)) {
				ReconcileRunner.this.recorder.bind(this.caller.calls(), (write) -> {
					ReconcileRunner.this.ownWrites.noted(write.object(), write.deletion());
					reconciliation.recorded(write);
				}, this.writer.writes().warnings());
				Result result = function.reconcile(ModelCopies.copy(primary.object()), reconciliation);
				// A function written in Groovy or Kotlin may return null.
				Duration requeue = (result != null) ? result.requeueAfter() : null;
				return (requeue != null) ? RunEnd.requeueAfter(requeue) : RunEnd.done();
			}
			finally {
				ReconcileRunner.this.recorder.unbind();
			}
		}

		private WriteLog log() {
			ObjectKey key = this.run.key();
			OwnWrites ownWrites = ReconcileRunner.this.ownWrites;
			return new WriteLog() {

				@Override
				public void written(ResourceType<?> type, KubernetesObject returned) {
					ownWrites.written(key, type, returned);
				}

				@Override
				public void deleted(ResourceType<?> type, KubernetesObject last) {
					ownWrites.deleted(key, type, last);
				}

				@Override
				public void deleted(ResourceType<?> type, KubernetesObject last, Deleted<?> deleted) {
					if (!deleted.known()) {
						ownWrites.deleted(key, type, last);
					}
					else if (deleted.rest() instanceof KubernetesObject rest) {
						ownWrites.deleting(key, type, rest);
					}
					else {
						ownWrites.gone(key, type, last);
					}
				}

			};
		}

		private RunEnd refused(ApiException refusal) {
			Failure failure = this.writer.writes().failure(refusal);
			boolean mayAsk = failure.problem() == Problem.THROTTLED || failure.problem() == Problem.UNAVAILABLE;
			Duration asked = (mayAsk && !failure.retryAfter().isZero()) ? failure.retryAfter() : null;
			if (failure.problem() == Problem.CONFLICT) {
				return RunEnd.conflict(refusal);
			}
			return failure.isServerAway() ? RunEnd.serverAway(refusal, asked) : RunEnd.failed(refusal, asked);
		}

		private RunEnd refusedPatch(ApiException refusal) {
			return this.writer.writes().failure(refusal).isPatchThatDoesNotFit() ? RunEnd.conflict(refusal)
					: reported(refused(refusal), refusal);
		}

		private Problem problem(ApiException refusal) {
			return this.writer.writes().failure(refusal).problem();
		}

	}

}
