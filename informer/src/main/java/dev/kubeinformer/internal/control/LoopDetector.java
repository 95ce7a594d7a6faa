package dev.kubeinformer.internal.control;

import java.util.HashMap;
import java.util.LinkedHashSet;
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
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.ObjectKey;

/**
 * Finder of keys whose own writes cause their runs: more than 30 live runs a minute, the
 * last of them all after changes that runs of the key were the first to receive. Objects
 * are compared only where there are more than 20.
 */
public final class LoopDetector {

	private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

	private static final int WATCHED = 20;

	private static final int REPORTED = 30;

	private static final int MOST_VERSIONS = 200;

	private static final int SWEPT = 1_000;

	private final ReconcilerSpec<?> spec;

	private final LongSupplier nanoTime;

	private final Report report;

	private final Map<ObjectKey, Runs> runs = new ConcurrentHashMap<>();

	private volatile long swept;

	/**
	 * Creates the detector.
	 * @param spec the settings of the reconciler
	 * @param nanoTime the clock
	 * @param report is notified once for each key
	 */
	public LoopDetector(ReconcilerSpec<?> spec, LongSupplier nanoTime, Report report) {
		this.spec = spec;
		this.nanoTime = nanoTime;
		this.report = report;
		this.swept = nanoTime.getAsLong();
	}

	/**
	 * Notes that a run starts.
	 * @param run the run
	 * @param primary the primary
	 * @param sources what the run reads
	 */
	void starts(KeyRun run, KubernetesObject primary, RunSources sources) {
		if (run.lane() != QueueLane.LIVE) {
			return;
		}
		long now = this.nanoTime.getAsLong();
		Runs known = this.runs.computeIfAbsent(run.key(), (key) -> new Runs(now));
		Change loop;
		synchronized (known) {
			if (now - known.since > MINUTE) {
				known.restart(now);
			}
			known.count++;
			loop = (known.count > WATCHED) ? known.compare(objects(primary, sources)) : null;
			if (loop == null || known.count <= REPORTED || known.ownChanges < REPORTED - WATCHED || known.reported) {
				loop = null;
			}
			else {
				known.reported = true;
			}
		}
		if (loop != null) {
			this.report.loopDetected(run.key(), loop.type().name(),
					Objects.requireNonNullElse(ModelContent.firstDifference(loop.before(), loop.after()), "status"));
		}
		sweep(now);
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

	private void sweep(long now) {
		if (this.runs.size() > SWEPT && now - this.swept > MINUTE) {
			this.swept = now;
			this.runs.values().removeIf((each) -> each.isOver(now));
		}
	}

	/**
	 * Returns a log that also notes the versions which runs of a key receive.
	 * @param key the key
	 * @param log the log
	 * @return the log
	 */
	WriteLog recording(ObjectKey key, WriteLog log) {
		Runs known = this.runs.get(key);
		if (known == null || !known.isWatched()) {
			return log;
		}
		return new WriteLog() {

			@Override
			public void written(ResourceType<?> type, KubernetesObject returned) {
				known.written(versionOf(returned));
				log.written(type, returned);
			}

			@Override
			public void deleted(ResourceType<?> type, KubernetesObject last) {
				log.deleted(type, last);
			}

		};
	}

	/**
	 * Forgets a key whose object is gone.
	 * @param key the key
	 */
	void forget(ObjectKey key) {
		this.runs.remove(key);
	}

	private static String versionOf(KubernetesObject object) {
		V1ObjectMeta metadata = object.getMetadata();
		String version = (metadata != null) ? metadata.getResourceVersion() : null;
		return (version != null) ? version : "";
	}

	/**
	 * Takes the keys that were found.
	 */
	@FunctionalInterface
	public interface Report {

		/**
		 * Called once for a key.
		 * @param key the key
		 * @param resource the resource whose changes cause the runs
		 * @param path the field that changes
		 */
		void loopDetected(ObjectKey key, String resource, String path);

	}

	/**
	 * Place of an object.
	 *
	 * @param type the resource
	 * @param key the key
	 */
	private record Place(ResourceType<?> type, ObjectKey key) {

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

	/**
	 * Live runs of one key within a minute. Guarded by itself.
	 */
	private static final class Runs {

		private final Set<String> ownVersions = new LinkedHashSet<>();

		private long since;

		private int count;

		private int ownChanges;

		private boolean reported;

		private @Nullable Map<Place, KubernetesObject> before;

		Runs(long since) {
			this.since = since;
		}

		void restart(long now) {
			this.since = now;
			this.count = 0;
			this.ownChanges = 0;
			this.ownVersions.clear();
			this.before = null;
		}

		synchronized boolean isOver(long now) {
			return now - this.since > MINUTE && !this.reported;
		}

		synchronized boolean isWatched() {
			return this.count >= WATCHED && !this.reported;
		}

		synchronized void written(String version) {
			if (this.ownVersions.size() < MOST_VERSIONS) {
				this.ownVersions.add(version);
			}
		}

		/**
		 * Compares what the run sees with what the run before saw.
		 * @param now what it sees
		 * @return a change that was made by runs; {@code null} if there is none, or
		 * others changed something too
		 */
		@Nullable Change compare(Map<Place, KubernetesObject> now) {
			Map<Place, KubernetesObject> last = this.before;
			this.before = now;
			if (last == null) {
				return null;
			}
			Change own = null;
			for (Map.Entry<Place, KubernetesObject> each : now.entrySet()) {
				KubernetesObject earlier = last.get(each.getKey());
				String version = versionOf(each.getValue());
				if (earlier != null && versionOf(earlier).equals(version)) {
					continue;
				}
				if (earlier == null || !this.ownVersions.contains(version)) {
					this.ownChanges = 0;
					return null;
				}
				own = new Change(each.getKey().type(), earlier, each.getValue());
			}
			this.ownChanges = (own != null) ? this.ownChanges + 1 : 0;
			return own;
		}

	}

}
