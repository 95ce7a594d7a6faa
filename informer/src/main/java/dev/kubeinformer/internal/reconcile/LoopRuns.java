package dev.kubeinformer.internal.reconcile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.reconcile.LoopDetector.Place;
import dev.kubeinformer.internal.reconcile.LoopPace.Cause;
import dev.kubeinformer.internal.workqueue.KeyCause;
import dev.kubeinformer.types.ObjectKey;

/**
 * Live runs of one key within a minute, and their causes. Safe for use by several
 * threads.
 */
final class LoopRuns {

	private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

	/** Maximum number of noted changes for one run. */
	private static final int MOST_CAUSES = 16;

	/** Maximum number of objects whose runs are counted. */
	private static final int MOST_OBJECTS = 256;

	/**
	 * Maximum number of runs a minute that one object may cause without being part of a
	 * loop. A child that is another reconciler's primary gets a finalizer and passes
	 * through several states in a rollout.
	 */
	private static final int FEW = 10;

	private long since;

	private int count;

	private boolean noting;

	private boolean reported;

	/**
	 * Number of consecutive runs for which only this application had changed something.
	 */
	private int ownChanges;

	private @Nullable Map<Place, KubernetesObject> before;

	/** Changes by others, or by own writes whose response has not arrived yet. */
	private List<KeyCause> undecided = new ArrayList<>();

	/** Changes by this application. */
	private List<KeyCause> own = new ArrayList<>();

	private List<KeyCause> undecidedOfRun = List.of();

	private List<KeyCause> ownOfRun = List.of();

	private boolean counted;

	/** Number of runs of this minute that own writes caused, by the written object. */
	private final Map<CausingObject, Integer> causing = new HashMap<>();

	private LoopPace pace;

	/** Whether a change of the spec was attributed to others. */
	private boolean atOnce;

	private boolean atOnceOfRun;

	/**
	 * Whether a change that was attributed to others turned out to be this application's.
	 */
	private boolean deceived;

	LoopRuns(long since) {
		this.since = since;
		this.pace = LoopPace.unlimited(since);
	}

	/**
	 * Notes a change that queues the key.
	 * @param cause the change
	 * @param written whether this application is known to have made the change
	 * @param spec whether the change concerns the spec of the primary
	 * @param now the time
	 * @return {@code true} if the key must run at once although it is slowed down
	 */
	synchronized boolean queued(KeyCause cause, boolean written, boolean spec, long now) {
		if (!this.noting) {
			return false;
		}
		List<KeyCause> causes = written ? this.own : this.undecided;
		if (causes.size() < MOST_CAUSES) {
			causes.add(cause);
		}
		if (written || !spec || this.deceived || !this.pace.isSlowed(now)) {
			return false;
		}
		this.atOnce = true;
		return true;
	}

	/**
	 * Notes that a run starts.
	 * @param live whether a change caused the run
	 * @param now the time
	 * @param noted the number of live runs a minute from which causes are noted
	 * @return the number of live runs in this minute
	 */
	synchronized int starts(boolean live, long now, int noted) {
		if (now - this.since > MINUTE) {
			this.since = now;
			this.count = 0;
			this.ownChanges = 0;
			this.before = null;
			this.causing.clear();
			this.deceived = false;
		}
		if (live) {
			this.count++;
		}
		this.counted = this.noting && live;
		this.undecidedOfRun = this.undecided;
		this.ownOfRun = this.own;
		this.atOnceOfRun = this.atOnce;
		this.atOnce = false;
		if (!this.undecided.isEmpty()) {
			this.undecided = new ArrayList<>();
		}
		if (!this.own.isEmpty()) {
			this.own = new ArrayList<>();
		}
		this.noting = this.count >= noted || this.pace.isSlowed(now);
		return this.count;
	}

	/**
	 * Notes that the run has ended.
	 * @param written returns whether this application made a change
	 * @param now the time
	 * @return the new pace
	 */
	synchronized LoopPace ended(Predicate<KeyCause> written, long now) {
		if (this.counted) {
			this.counted = false;
			// Decide only now, because a change may have arrived before the response to
			// the write that caused it.
			boolean others = !this.undecidedOfRun.stream().allMatch(written);
			if (this.atOnceOfRun && !others) {
				this.deceived = true;
			}
			this.pace = this.pace.after(others ? Cause.OTHERS : ownCause(), now);
		}
		this.undecidedOfRun = List.of();
		this.ownOfRun = List.of();
		this.pace = this.pace.at(now);
		return this.pace;
	}

	private Cause ownCause() {
		Set<CausingObject> objects = new HashSet<>();
		for (List<KeyCause> causes : List.of(this.ownOfRun, this.undecidedOfRun)) {
			causes.forEach((each) -> objects.add(new CausingObject(each.objectClass(), each.object())));
		}
		if (objects.isEmpty()) {
			return Cause.OTHERS;
		}
		int fewest = Integer.MAX_VALUE;
		for (CausingObject object : objects) {
			int count = this.causing.getOrDefault(object, 0);
			fewest = Math.min(fewest, count);
			if (count > 0 || this.causing.size() < MOST_OBJECTS) {
				this.causing.put(object, count + 1);
			}
		}
		return (fewest == 0) ? Cause.OWN_FIRST : (fewest < FEW) ? Cause.OWN_FEW : Cause.OWN_OFTEN;
	}

	synchronized boolean isSlowed(long now) {
		return this.pace.isSlowed(now);
	}

	/**
	 * Replaces the content that the last run read.
	 * @param now the content that this run reads
	 * @return the content that the last run read; {@code null} if unknown
	 */
	synchronized @Nullable Map<Place, KubernetesObject> exchange(Map<Place, KubernetesObject> now) {
		Map<Place, KubernetesObject> last = this.before;
		this.before = now;
		return last;
	}

	/**
	 * Notes the result of comparing the contents of two runs.
	 * @param ownOnly whether only this application changed something
	 */
	synchronized void compared(boolean ownOnly) {
		this.ownChanges = ownOnly ? this.ownChanges + 1 : 0;
	}

	/**
	 * Returns whether the loop must be reported; each loop is reported once.
	 * @param least the minimum number of consecutive runs that this application caused
	 * @return {@code true} to report the loop
	 */
	synchronized boolean isToBeReported(int least) {
		boolean due = !this.reported && this.ownChanges >= least;
		this.reported |= due;
		return due;
	}

	/**
	 * Returns whether the runs can be forgotten.
	 * @param now the time
	 * @return {@code true} if they are no longer relevant
	 */
	synchronized boolean isOver(long now) {
		return now - this.since > MINUTE && !this.reported && !this.pace.isSlowed(now);
	}

	/**
	 * Object whose changes have caused runs.
	 *
	 * @param objectClass the model class
	 * @param key the key
	 */
	private record CausingObject(Class<?> objectClass, ObjectKey key) {

	}

}
