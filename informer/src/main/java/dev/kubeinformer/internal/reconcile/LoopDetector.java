package dev.kubeinformer.internal.reconcile;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.controller.OwnedResource;
import dev.kubeinformer.controller.QueueLane;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.internal.codec.model.ModelContent;
import dev.kubeinformer.internal.workqueue.KeyCause;
import dev.kubeinformer.internal.workqueue.KeyRun;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Finds keys whose runs are caused by writes of this application, in runs of the same key
 * or of other reconcilers. A live run is a run that a change causes. For each key with
 * more than 30 live runs a minute, the detector reports once which field changes, and
 * slows the key down according to {@link LoopPace}. Above 10 live runs a minute, it notes
 * the causes of runs; above 20, it compares objects.
 */
public final class LoopDetector {

	private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

	private static final int NOTED = 10;

	private static final int WATCHED = 20;

	private static final int REPORTED = 30;

	private static final int SWEPT = 1_000;

	private final ReconcilerSpec<?> spec;

	private final OwnVersions versions;

	private final LongSupplier nanoTime;

	private final Report report;

	private final Map<ObjectKey, LoopRuns> runs = new ConcurrentHashMap<>();

	/** Keys that were slowed down after their last run. */
	private final Set<ObjectKey> slowed = ConcurrentHashMap.newKeySet();

	private volatile long swept;

	/**
	 * Creates the detector.
	 * @param spec the settings of the reconciler
	 * @param versions the versions that this application wrote
	 * @param nanoTime the clock
	 * @param report the receiver of detected loops
	 */
	public LoopDetector(ReconcilerSpec<?> spec, OwnVersions versions, LongSupplier nanoTime, Report report) {
		this.spec = spec;
		this.versions = versions;
		this.nanoTime = nanoTime;
		this.report = report;
		this.swept = nanoTime.getAsLong();
	}

	/**
	 * Notes a change that queues a key.
	 * @param key the key
	 * @param cause the change
	 * @return {@code true} if the key must run at once although it is slowed down,
	 * because another client changed the spec of its object
	 */
	public boolean queued(ObjectKey key, KeyCause cause) {
		LoopRuns known = this.runs.get(key);
		if (known == null) {
			return false;
		}
		boolean own = this.versions.contains(cause.uid(), cause.version());
		boolean spec = cause.spec() && cause.objectClass() == this.spec.type().objectClass()
				&& cause.object().equals(key);
		return known.queued(cause, own, spec, this.nanoTime.getAsLong());
	}

	/**
	 * Notes that a run starts.
	 * @param run the run
	 * @param primary the primary
	 * @param sources the content that the run reads
	 */
	void starts(KeyRun run, KubernetesObject primary, RunSources sources) {
		long now = this.nanoTime.getAsLong();
		LoopRuns known = this.runs.get(run.key());
		if (known == null && run.lane() == QueueLane.LIVE) {
			known = this.runs.computeIfAbsent(run.key(), (key) -> new LoopRuns(now));
		}
		if (known == null) {
			return;
		}
		int count = known.starts(run.lane() == QueueLane.LIVE, now, NOTED);
		if (run.lane() != QueueLane.LIVE) {
			return;
		}
		if (count > WATCHED) {
			Change loop = compare(known, objects(primary, sources));
			if (loop != null && count > REPORTED && known.isToBeReported(REPORTED - WATCHED)) {
				this.report.loopDetected(run.key(), loop.type().name(), Objects
					.requireNonNullElse(ModelContent.firstDifference(loop.before(), loop.after()), "status"));
			}
		}
		sweep(now);
	}

	/**
	 * Notes that a run has ended.
	 * @param key the key
	 * @return the minimum time in nanoseconds from the start of this run to the start of
	 * the next run that a change causes; zero for none
	 */
	long ended(ObjectKey key) {
		LoopRuns known = this.runs.get(key);
		if (known == null) {
			return 0;
		}
		LoopPace pace = known.ended((cause) -> this.versions.contains(cause.uid(), cause.version()),
				this.nanoTime.getAsLong());
		if (pace.interval() > 0) {
			if (this.slowed.add(key)) {
				this.report.slowed(key, Duration.ofNanos(pace.interval()));
			}
		}
		else if (this.slowed.remove(key)) {
			this.report.released(key);
		}
		return pace.interval();
	}

	/**
	 * Returns the number of keys that are slowed down.
	 * @return the number
	 */
	int slowedKeys() {
		long now = this.nanoTime.getAsLong();
		for (ObjectKey key : this.slowed) {
			LoopRuns known = this.runs.get(key);
			if ((known == null || !known.isSlowed(now)) && this.slowed.remove(key)) {
				this.report.released(key);
			}
		}
		return this.slowed.size();
	}

	private Map<Place, KubernetesObject> objects(KubernetesObject primary, RunSources sources) {
		Map<Place, KubernetesObject> objects = new HashMap<>();
		objects.put(new Place(this.spec.type(), ObjectKey.of(primary)), primary);
		for (OwnedResource<?> owned : this.spec.owned()) {
			List<? extends KubernetesObject> list = sources.owned(owned.type().objectClass()).list();
			list.forEach((each) -> objects.put(new Place(owned.type(), ObjectKey.of(each)), each));
		}
		return objects;
	}

	/**
	 * Compares the content that a run reads with the content that the previous run read.
	 * @param known the runs of the key
	 * @param now the content that the run reads
	 * @return a change by this application; {@code null} if there is none, or if others
	 * have changed something, too
	 */
	private @Nullable Change compare(LoopRuns known, Map<Place, KubernetesObject> now) {
		Map<Place, KubernetesObject> last = known.exchange(now);
		if (last == null) {
			return null;
		}
		Change own = null;
		for (Map.Entry<Place, KubernetesObject> each : now.entrySet()) {
			KubernetesObject earlier = last.get(each.getKey());
			V1ObjectMeta metadata = Objects.requireNonNullElseGet(each.getValue().getMetadata(), V1ObjectMeta::new);
			String version = Objects.requireNonNullElse(metadata.getResourceVersion(), "");
			if (earlier != null && earlier.getMetadata() != null
					&& version.equals(earlier.getMetadata().getResourceVersion())) {
				continue;
			}
			if (earlier == null
					|| !this.versions.contains(Objects.requireNonNullElse(metadata.getUid(), ""), version)) {
				known.compared(false);
				return null;
			}
			own = new Change(each.getKey().type(), earlier, each.getValue());
		}
		known.compared(own != null);
		return own;
	}

	private void sweep(long now) {
		if (this.runs.size() > SWEPT && now - this.swept > MINUTE) {
			this.swept = now;
			this.runs.values().removeIf((each) -> each.isOver(now));
		}
	}

	/**
	 * Forgets the key of a deleted object.
	 * @param key the key
	 */
	void forget(ObjectKey key) {
		this.runs.remove(key);
		this.slowed.remove(key);
	}

	/** Receives the detected loops. */
	public interface Report {

		/**
		 * Called once for each key that runs in a loop.
		 * @param key the key
		 * @param resource the resource whose changes cause the runs
		 * @param path the changing field
		 */
		void loopDetected(ObjectKey key, String resource, String path);

		/**
		 * Called when a key starts to be slowed down.
		 * @param key the key
		 * @param interval the minimum interval between two runs
		 */
		void slowed(ObjectKey key, Duration interval);

		/**
		 * Called when a key is no longer slowed down.
		 * @param key the key
		 */
		void released(ObjectKey key);

	}

	/**
	 * Identifies an object by its resource and key.
	 *
	 * @param type the resource
	 * @param key the key
	 */
	record Place(ResourceType<?> type, ObjectKey key) {

	}

	/**
	 * Change of an object between two runs.
	 *
	 * @param type the resource
	 * @param before the object before
	 * @param after the object after
	 */
	private record Change(ResourceType<?> type, KubernetesObject before, KubernetesObject after) {

	}

}
