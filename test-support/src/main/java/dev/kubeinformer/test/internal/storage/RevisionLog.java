package dev.kubeinformer.test.internal.storage;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.status.Statuses;

/**
 * Storage of all objects. As in etcd, each write of any resource creates one new
 * revision, and older revisions can be read until they are compacted.
 */
public final class RevisionLog {

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<GroupResource, ResourceHistory> histories = new ConcurrentHashMap<>();

	private final Set<Consumer<GroupResource>> listeners = new CopyOnWriteArraySet<>();

	private final int historyLimit;

	private final LongSupplier nanoTime;

	// An empty etcd is at revision 1.
	private long revision = 1;

	private long compacted;

	private long watchFloor;

	public RevisionLog(int historyLimit) {
		this(historyLimit, System::nanoTime);
	}

	/**
	 * Creates an empty storage.
	 * @param historyLimit the number of changes that are kept per resource
	 * @param nanoTime the clock for the times of changes
	 */
	public RevisionLog(int historyLimit, LongSupplier nanoTime) {
		this.historyLimit = historyLimit;
		this.nanoTime = nanoTime;
	}

	// Returns the time of the clock for changes, in nanoseconds.
	public long now() {
		return this.nanoTime.getAsLong();
	}

	public long revision() {
		return locked(() -> this.revision);
	}

	public @Nullable PersistedObject get(GroupResource resource, ObjectKey key) {
		ResourceHistory history = history(resource);
		this.lock.lock();
		try {
			return history.get(key);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Writes an object.
	 * @param resource its resource
	 * @param key its namespace and name
	 * @param mutation the function that creates the new state; if it returns the current
	 * state or throws an exception, nothing is written
	 * @return the stored state
	 */
	public PersistedObject write(GroupResource resource, ObjectKey key, Mutation mutation) {
		return change(resource, key, (current, next) -> {
			PersistedObject result = mutation.apply(current, next);
			return (result != current) ? Step.put(result) : Step.keep(result);
		});
	}

	/**
	 * Writes or removes an object.
	 * @param resource its resource
	 * @param key its namespace and name
	 * @param decision the function that decides about the write; if it throws an
	 * exception, nothing is written
	 * @return the object that the function has returned
	 */
	public PersistedObject change(GroupResource resource, ObjectKey key, Decision decision) {
		ResourceHistory history = history(resource);
		PersistedObject result = locked(() -> {
			PersistedObject current = history.get(key);
			Step step = decision.apply(current, this.revision + 1);
			if (step.action() == Step.Action.PUT) {
				history.put(step.object());
				this.revision++;
			}
			else if (step.action() == Step.Action.REMOVE && current != null) {
				history.remove(current, current.at(++this.revision));
			}
			return step.object();
		});
		notifyListeners(resource, history);
		return result;
	}

	/**
	 * Stores an initial object. This creates no new revision, and watches receive no
	 * event.
	 * @param resource its resource
	 * @param object the object
	 */
	public void seed(GroupResource resource, PersistedObject object) {
		ResourceHistory history = history(resource);
		locked(() -> {
			history.seed(object);
			return object;
		});
	}

	// Returns the resources that have or had objects.
	public Set<GroupResource> resources() {
		return Set.copyOf(this.histories.keySet());
	}

	/**
	 * Deletes an object.
	 * @param resource its resource
	 * @param key its namespace and name
	 * @return its last state with the revision of the delete, or {@code null} if the
	 * object does not exist
	 */
	public @Nullable PersistedObject delete(GroupResource resource, ObjectKey key) {
		ResourceHistory history = history(resource);
		PersistedObject last;
		this.lock.lock();
		try {
			PersistedObject current = history.get(key);
			if (current == null) {
				return null;
			}
			last = current.at(++this.revision);
			history.remove(current, last);
		}
		finally {
			this.lock.unlock();
		}
		notifyListeners(resource, history);
		return last;
	}

	/**
	 * Deletes objects of all resources. Each delete has its own revision. There are no
	 * other writes in between, so a client's reaction to one delete comes after all
	 * deletes.
	 * @param which the objects to delete
	 * @return the revision of the last delete, or the current one if there was none
	 */
	public long deleteAll(BiPredicate<GroupResource, ObjectKey> which) {
		Map<GroupResource, ResourceHistory> changed = new LinkedHashMap<>();
		long last = locked(() -> {
			this.histories.forEach((resource, history) -> {
				List<PersistedObject> doomed = history.list("")
					.stream()
					.filter((object) -> which.test(resource, object.key()))
					.toList();
				doomed.forEach((object) -> history.remove(object, object.at(++this.revision)));
				if (!doomed.isEmpty()) {
					changed.put(resource, history);
				}
			});
			return this.revision;
		});
		changed.forEach(this::notifyListeners);
		return last;
	}

	public Snapshot list(GroupResource resource, String namespace) {
		ResourceHistory history = history(resource);
		return locked(() -> new Snapshot(history.list(namespace), this.revision));
	}

	/**
	 * Returns the objects at a revision.
	 * @param resource their resource
	 * @param namespace their namespace, empty for all
	 * @param at the revision
	 * @return the objects, or {@code null} if the revision is compacted
	 */
	public @Nullable Snapshot listAt(GroupResource resource, String namespace, long at) {
		ResourceHistory history = history(resource);
		this.lock.lock();
		try {
			if (at < Math.max(this.compacted, history.floor())) {
				return null;
			}
			List<PersistedObject> objects = (at <= this.revision) ? history.listAt(namespace, at)
					: history.list(namespace);
			return new Snapshot(objects, at);
		}
		finally {
			this.lock.unlock();
		}
	}

	// Returns the start of a watch of all current objects and of later changes.
	public WatchStart watchNow(GroupResource resource, String namespace) {
		ResourceHistory history = history(resource);
		return locked(() -> new WatchStart(history.list(namespace), history.latest(), this.revision));
	}

	/**
	 * Returns the start of a watch of the changes after a revision. The revision may be
	 * in the future.
	 * @param resource the watched resource
	 * @param after the revision
	 * @return the start
	 * @throws RequestFailure 410 if the changes after the revision are compacted
	 */
	public WatchStart watchAfter(GroupResource resource, long after) {
		ResourceHistory history = history(resource);
		return locked(() -> {
			long floor = Math.max(Math.max(this.compacted, this.watchFloor), history.floor());
			if (after < floor) {
				throw Statuses.tooOldResourceVersion(after, floor);
			}
			return new WatchStart(List.of(), history.lastAt(after), after);
		});
	}

	// Returns the current revision if a resource has no later change than the given one,
	// otherwise -1.
	public long revisionIfLatest(Change change) {
		return locked(() -> (change.next() == null) ? this.revision : -1L);
	}

	// Returns the current revision and time.
	public Mark mark() {
		return locked(() -> new Mark(this.revision, now()));
	}

	// Returns the revision of the last change of a resource.
	public long latestRevision(GroupResource resource) {
		ResourceHistory history = history(resource);
		return locked(() -> history.latest().revision());
	}

	public long sequence(GroupResource resource) {
		ResourceHistory history = history(resource);
		return locked(() -> history.latest().sequence());
	}

	/**
	 * Compacts all history.
	 */
	public void compact() {
		locked(() -> {
			this.compacted = this.revision;
			this.histories.values().forEach(ResourceHistory::compact);
			return this.revision;
		});
	}

	/**
	 * Rejects new watches from revisions before the current one, like kube-apiserver
	 * after a restart. Lists at older revisions stay possible, because kube-apiserver
	 * reads them from etcd.
	 */
	public void dropWatchHistory() {
		locked(() -> {
			this.watchFloor = this.revision;
			return this.revision;
		});
	}

	private void notifyListeners(GroupResource resource, ResourceHistory history) {
		history.listeners().forEach(Runnable::run);
		this.listeners.forEach((listener) -> listener.accept(resource));
	}

	// Adds a callback after writes of any resource; it must return quickly.
	public void addListener(Consumer<GroupResource> listener) {
		this.listeners.add(listener);
	}

	public void removeListener(Consumer<GroupResource> listener) {
		this.listeners.remove(listener);
	}

	public void addListener(GroupResource resource, Runnable listener) {
		history(resource).listeners().add(listener);
	}

	public void removeListener(GroupResource resource, Runnable listener) {
		history(resource).listeners().remove(listener);
	}

	private ResourceHistory history(GroupResource resource) {
		return this.histories.computeIfAbsent(resource, (key) -> new ResourceHistory(this.historyLimit, this.nanoTime));
	}

	private <R> R locked(Supplier<R> action) {
		this.lock.lock();
		try {
			return action.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Creates the next state of an object.
	 */
	@FunctionalInterface
	public interface Mutation {

		PersistedObject apply(@Nullable PersistedObject current, long revision);

	}

	/**
	 * Decision about a write of an object.
	 */
	@FunctionalInterface
	public interface Decision {

		Step apply(@Nullable PersistedObject current, long revision);

	}

	/**
	 * Objects at one revision.
	 *
	 * @param objects the objects in the order of their paths
	 * @param revision the revision
	 */
	public record Snapshot(List<PersistedObject> objects, long revision) {
	}

	/**
	 * Start of a watch.
	 *
	 * @param initial the objects that are sent first
	 * @param position the change after which the changes to send begin
	 * @param revision the revision at which the watch starts
	 */
	public record WatchStart(List<PersistedObject> initial, Change position, long revision) {
	}

	/**
	 * Point in the history of all resources.
	 *
	 * @param revision the revision of the last write
	 * @param time the time, in nanoseconds of the clock of the log
	 */
	public record Mark(long revision, long time) {
	}

}
