package dev.kubeinformer.internal.control;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiException;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.GiveUpException;
import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.internal.codec.model.ModelCopies;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.transport.ApiWrites.Caller;
import dev.kubeinformer.internal.transport.Failure;
import dev.kubeinformer.internal.transport.RunCalls;
import dev.kubeinformer.internal.transport.WriteRecorder;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;

/**
 * What is done for a key when a worker takes it: its own writes are awaited, its
 * finalizer is kept, and the function of the user is called with a private copy of what
 * the cache holds.
 *
 * @param <T> the model class of the primary
 */
public final class ReconcileRunner<T extends KubernetesObject> implements KeyRunner {

	private static final int MOST_CAUSES = 8;

	private final Supplier<ReconcilerWriter<T>> writers;

	private final RunCaches<T> caches;

	private final OwnWrites ownWrites;

	private final LoopDetector loops;

	private final WriteRecorder recorder;

	private final @Nullable Finalizers<T> finalizers;

	private final Set<ObjectKey> cleanups = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the runner.
	 * @param writers gives each run what it writes with
	 * @param caches what the runs read
	 * @param ownWrites the writes that the caches may not show yet
	 * @param loops finds keys whose own writes cause their runs
	 * @param recorder records what runs write with clients of the application
	 * @param finalizers keeps the finalizer; {@code null} without a cleanup
	 */
	public ReconcileRunner(Supplier<ReconcilerWriter<T>> writers, RunCaches<T> caches, OwnWrites ownWrites,
			LoopDetector loops, WriteRecorder recorder, @Nullable Finalizers<T> finalizers) {
		this.writers = writers;
		this.caches = caches;
		this.ownWrites = ownWrites;
		this.loops = loops;
		this.recorder = recorder;
		this.finalizers = finalizers;
	}

	@Override
	public RunEnd run(KeyRun run) {
		ObjectKey key = run.key();
		if (isGone(key)) {
			return RunEnd.absent();
		}
		Parking parking = this.ownWrites.parking(key);
		if (parking != null) {
			if (!run.ownWritesTimedOut()) {
				return RunEnd.park(parking);
			}
			this.ownWrites.expire(key);
		}
		ReconcilerWriter<T> writer = this.writers.get();
		RunCalls calls = new RunCalls(run.fence());
		run.onCancel(calls::cancel);
		return new Attempt(run, writer, calls).run();
	}

	private boolean isGone(ObjectKey key) {
		StoredObject<T> present = this.caches.primary(key);
		if (this.finalizers != null) {
			this.finalizers.forget(key, (present != null) ? present.uid() : null);
		}
		if (present == null) {
			this.loops.forget(key);
		}
		return present == null;
	}

	/**
	 * Returns whether the last run of a key was one of the cleanup, and forgets it.
	 * @param key the key
	 * @return whether it was
	 */
	public boolean endCleanup(ObjectKey key) {
		return this.cleanups.remove(key);
	}

	/**
	 * Returns the number of keys that are slowed down because writes of this application
	 * cause their runs.
	 * @return the number
	 */
	public int slowedKeys() {
		return this.loops.slowedKeys();
	}

	/**
	 * Forgets the writes that the caches do not show yet. The caches live on, and those
	 * who run next have made none of them.
	 */
	public void forgetWrites() {
		this.ownWrites.clear();
	}

	/**
	 * One attempt to run, by one thread.
	 */
	private final class Attempt {

		private final KeyRun run;

		private final ReconcilerWriter<T> writer;

		private final Caller caller;

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
				end = failed(ex);
			}
			this.run.slowDown(ReconcileRunner.this.loops.ended(this.run.key()));
			return end;
		}

		// Code that may not throw what is checked wraps a refusal, and means the same.
		private RunEnd failed(Throwable failure) {
			Throwable cause = failure;
			for (int i = 0; i < MOST_CAUSES && cause != null; i++) {
				if (cause instanceof GiveUpException) {
					return RunEnd.gaveUp(failure);
				}
				if (cause instanceof ApiException refusal) {
					RunEnd end = refused(refusal);
					if (end instanceof RunEnd.Failed failed) {
						return isExcluded(failure) ? RunEnd.gaveUp(failure)
								: RunEnd.failed(failure, failed.notBefore());
					}
					// Somebody was faster: that is no failure.
					return RunEnd.conflict(failure);
				}
				cause = cause.getCause();
			}
			return isExcluded(failure) ? RunEnd.gaveUp(failure) : RunEnd.failed(failure, null);
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
			// Not before: what was awaited may have come after any earlier look.
			StoredObject<T> primary = ReconcileRunner.this.caches.primary(this.run.key());
			if (primary == null) {
				return RunEnd.absent();
			}
			Finalizers<T> keeper = ReconcileRunner.this.finalizers;
			if (Finalizers.isBeingDeleted(primary.object())) {
				if (keeper != null && keeper.isOn(primary)) {
					return cleanUp(keeper, primary);
				}
				Duration doubt = (keeper != null) ? keeper.doubtful(primary) : null;
				// Without a finalizer of ours nothing waits for this reconciler.
				return (doubt != null) ? RunEnd.requeueAfter(doubt) : RunEnd.absent();
			}
			if (keeper != null && !keeper.isOn(primary)) {
				return addFinalizer(keeper, primary);
			}
			return reconcile(this.writer.spec().function(), primary);
		}

		private RunEnd addFinalizer(Finalizers<T> keeper, StoredObject<T> primary) throws Exception {
			try {
				log().written(this.writer.spec().type(), keeper.add(primary, this.writer.writes(), this.caller));
			}
			catch (ApiException ex) {
				// If it is gone, its deletion is on the way.
				return (problem(ex) == Problem.NOT_FOUND) ? RunEnd.conflict(ex) : refusedPatch(ex);
			}
			// No run before the cache shows it, however long the writes before took.
			Parking parking = ReconcileRunner.this.ownWrites.parking(primary.key());
			return (parking != null) ? RunEnd.park(parking) : tryRun();
		}

		private RunEnd cleanUp(Finalizers<T> keeper, StoredObject<T> primary) throws Exception {
			// Without one there are only unowned objects to delete.
			ReconcileFunction<T> cleanup = Objects.requireNonNullElse(this.writer.spec().cleanup(),
					(object, none) -> Result.done());
			ReconcileRunner.this.cleanups.add(primary.key());
			RunEnd end = reconcile(cleanup, primary);
			if (!(end instanceof RunEnd.Done)) {
				return end;
			}
			new UnownedObjects(this.writer.spec(), primary.object()).deleteAll(this.writer.writes(), this.caller,
					log());
			try {
				log().written(this.writer.spec().type(), keeper.remove(primary, this.writer.writes(), this.caller));
			}
			catch (ApiException ex) {
				if (problem(ex) != Problem.NOT_FOUND) {
					return refusedPatch(ex);
				}
				return RunEnd.requeueAfter(keeper.isSaidToBeGone(primary));
			}
			return end;
		}

		private RunEnd reconcile(ReconcileFunction<T> function, StoredObject<T> primary) throws Exception {
			RunSources sources = ReconcileRunner.this.caches.sources(primary);
			ReconcileRunner.this.loops.starts(this.run, primary.object(), sources);
			RunContext<T> context = new RunContext<>(this.run, primary.object(), sources, log(), this.caller.calls());
			try (RunReconciliation<T> reconciliation = new RunReconciliation<>(this.writer, context)) {
				ReconcileRunner.this.recorder.bind(this.caller.calls(), (write) -> {
					ReconcileRunner.this.ownWrites.noted(write.object(), write.deletion());
					reconciliation.recorded(write);
				});
				Result result = function.reconcile(ModelCopies.copy(primary.object()), reconciliation);
				// Languages without null checks return what they like.
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

			};
		}

		private RunEnd refused(ApiException refusal) {
			Failure failure = this.writer.writes().failure(refusal);
			return switch (failure.problem()) {
				case CONFLICT -> RunEnd.conflict(refusal);
				case THROTTLED, UNAVAILABLE ->
					RunEnd.failed(refusal, failure.retryAfter().isZero() ? null : failure.retryAfter());
				default -> RunEnd.failed(refusal, null);
			};
		}

		// A test of a patch that fails is HTTP 422, and as good as a conflict.
		private RunEnd refusedPatch(ApiException refusal) {
			return (problem(refusal) == Problem.INVALID) ? RunEnd.conflict(refusal) : refused(refusal);
		}

		private Problem problem(ApiException refusal) {
			return this.writer.writes().failure(refusal).problem();
		}

	}

}
