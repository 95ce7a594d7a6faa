package dev.kubeinformer.internal.informer;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.slots.ObjectShare;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoreSnapshot;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.store.UnreadableObject;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.internal.transport.ApiConnection;
import dev.kubeinformer.internal.transport.ListPages;
import dev.kubeinformer.internal.transport.ListRequest;
import dev.kubeinformer.types.ObjectKey;

/**
 * Checks whether a partition of a cache has caught up: whether it contains the state of
 * the API server at the time of the call, or a later one. The probe first requests only
 * the version of the server, and waits until the cache reaches it. If nothing changes in
 * a resource, this happens only with the next bookmark, which the API server sends once a
 * minute. Therefore the probe then lists the objects, and compares them one by one.
 *
 * @param <T> the model class
 */
public final class PartitionProbe<T extends KubernetesObject> {

	private static final Duration RETRY = Duration.ofMillis(200);

	private static final int PAGE_SIZE = 500;

	private final String partition;

	private final ObjectStore<T> store;

	private final ApiConnection<T> connection;

	private final LongSupplier nanoTime;

	private final ObjectShare share;

	/**
	 * Creates a probe.
	 * @param partition the partition
	 * @param store the cache
	 * @param connection the connection for the requests
	 * @param nanoTime the clock
	 * @param share selects the objects to compare; it may select fewer objects during the
	 * comparison
	 */
	public PartitionProbe(String partition, ObjectStore<T> store, ApiConnection<T> connection, LongSupplier nanoTime,
			ObjectShare share) {
		this.partition = partition;
		this.store = store;
		this.connection = connection;
		this.nanoTime = nanoTime;
		this.share = share;
	}

	/**
	 * Waits until the cache shows the current state of the API server.
	 * @param glance the time to wait for the version, before the objects are compared
	 * @param timeout the longest time to wait, without the durations of the requests
	 * @return {@code true} if the cache has caught up
	 * @throws InterruptedException if the thread is interrupted
	 */
	public boolean await(Duration glance, Duration timeout) throws InterruptedException {
		long until = this.nanoTime.getAsLong() + Durations.nanos(timeout);
		String version = ask(until, this.connection::probe);
		if (version == null) {
			return false;
		}
		Duration first = (glance.compareTo(timeout) < 0) ? glance : timeout;
		if (version.isEmpty() || this.store.await(this.partition, (snapshot) -> hasReached(snapshot, version), first)) {
			return true;
		}
		Listed listed = ask(until, () -> list(until));
		if (listed == null) {
			return false;
		}
		Differences differences = new Differences(listed, this.store.snapshot());
		return this.store.await(this.partition,
				(snapshot) -> hasReached(snapshot, version) || differences.areSettled(snapshot), left(until));
	}

	/** Cancels the current request, which an interrupt would not end. */
	public void cancel() {
		this.connection.close();
	}

	private boolean hasReached(StoreSnapshot<T> snapshot, String version) {
		return ResourceVersions.hasReached(snapshot.resourceVersion(this.partition), version);
	}

	private Duration left(long until) {
		return Duration.ofNanos(Math.max(0, until - this.nanoTime.getAsLong()));
	}

	private <A> @Nullable A ask(long until, Question<A> question) throws InterruptedException {
		while (true) {
			try {
				return question.ask();
			}
			catch (IOException ex) {
				// Do not report the problem, because the informer reports problems of the
				// server.
				Duration left = left(until);
				if (left.isZero()) {
					return null;
				}
				Thread.sleep(Math.min(RETRY.toMillis(), left.toMillis() + 1));
			}
		}
	}

	private @Nullable Listed list(long until) throws IOException {
		Map<ObjectKey, Version> versions = new HashMap<>();
		String version = "";
		ListPages pages = new ListPages();
		String token = "";
		do {
			if (left(until).isZero()) {
				return null;
			}
			int before = versions.size();
			ListHeader page = this.connection.list(new ListRequest("", PAGE_SIZE, token), (item) -> {
				ObjectMetadata metadata = item.metadata();
				if (!item.isForeign() && metadata.hasName() && isShared(metadata.namespace(), metadata.uid())) {
					versions.put(metadata.key(), new Version(metadata.uid(), metadata.resourceVersion()));
				}
			});
			version = version.isEmpty() ? page.resourceVersion() : version;
			boolean last = page.continueToken().isEmpty();
			token = last ? "" : pages.turn(page, (versions.size() > before) ? Integer.toString(before) : "");
		}
		while (!token.isEmpty());
		return new Listed(version, versions);
	}

	private boolean isShared(String namespace, String uid) {
		return this.share.mayContain(namespace, uid);
	}

	/**
	 * Request to the API server.
	 *
	 * @param <A> the result
	 */
	@FunctionalInterface
	private interface Question<A> {

		@Nullable A ask() throws IOException;

	}

	/**
	 * State of the API server.
	 *
	 * @param version the version of the list
	 * @param versions the versions of the objects
	 */
	private record Listed(String version, Map<ObjectKey, Version> versions) {

	}

	/**
	 * Object in a list.
	 *
	 * @param uid the UID
	 * @param version the version
	 */
	private record Version(String uid, String version) {

	}

	/** Differences between the list and the cache; they can only become fewer. */
	private final class Differences {

		private final Map<ObjectKey, Version> missing = new HashMap<>();

		private final Set<ObjectKey> surplus = new HashSet<>();

		private final String version;

		Differences(Listed listed, StoreSnapshot<T> snapshot) {
			this.version = listed.version();
			this.missing.putAll(listed.versions());
			addSurplus(PartitionProbe.this.store.keys(), listed);
			addSurplus(PartitionProbe.this.store.unreadableKeys(), listed);
			areSettled(snapshot);
		}

		private void addSurplus(List<ObjectKey> keys, Listed listed) {
			for (ObjectKey key : keys) {
				if (isInPartition(key) && !listed.versions().containsKey(key)) {
					this.surplus.add(key);
				}
			}
		}

		private boolean isInPartition(ObjectKey key) {
			return PartitionProbe.this.partition.isEmpty() || PartitionProbe.this.partition.equals(key.namespace());
		}

		boolean areSettled(StoreSnapshot<T> snapshot) {
			this.missing.entrySet()
				.removeIf((each) -> isShown(snapshot, each.getKey(), each.getValue().version())
						|| !isShared(each.getKey().namespace(), each.getValue().uid()));
			this.surplus.removeIf((key) -> isGone(snapshot, key));
			return this.missing.isEmpty() && this.surplus.isEmpty();
		}

		private boolean isShown(StoreSnapshot<T> snapshot, ObjectKey key, String wanted) {
			Version shown = version(snapshot, key);
			return shown != null && ResourceVersions.hasReached(shown.version(), wanted);
		}

		private boolean isGone(StoreSnapshot<T> snapshot, ObjectKey key) {
			Version shown = version(snapshot, key);
			return shown == null || ResourceVersions.isOlder(Objects.requireNonNull(this.version), shown.version())
					|| !isShared(key.namespace(), shown.uid());
		}

		private @Nullable Version version(StoreSnapshot<T> snapshot, ObjectKey key) {
			UnreadableObject unreadable = snapshot.unreadable(key);
			if (unreadable != null) {
				return new Version(unreadable.uid(), unreadable.resourceVersion());
			}
			StoredObject<T> stored = snapshot.find(key.namespace(), key.name());
			return (stored != null) ? new Version(stored.uid(), stored.resourceVersion()) : null;
		}

	}

}
