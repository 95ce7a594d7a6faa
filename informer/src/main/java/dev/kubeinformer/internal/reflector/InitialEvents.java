package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.KnownObjects;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.text.ResourceVersions;
import dev.kubeinformer.types.WatchEventType;

/**
 * Events of a streaming list up to its marker, which is the bookmark with which the
 * server ends the list. Other classes do not see these events before the marker, because
 * an interrupted list is discarded as a whole.
 *
 * @param <T> the model class
 */
final class InitialEvents<T> {

	private final Map<Key, DecodedObject<T>> named = new LinkedHashMap<>();

	private final List<DecodedObject<T>> nameless = new ArrayList<>();

	private final @Nullable KnownObjects known;

	private final long patience;

	private long deadline;

	/**
	 * Number of listed objects so far that the cache already holds in the same version.
	 */
	private int unchanged;

	private boolean plain;

	/**
	 * Begins a streaming list.
	 * @param patience the longest time without a new object
	 * @param known the objects that need not be decoded; {@code null} for none
	 * @param now the time, in nanoseconds
	 */
	InitialEvents(Duration patience, @Nullable KnownObjects known, long now) {
		this.known = known;
		this.patience = patience.toNanos();
		this.deadline = now + this.patience;
	}

	/**
	 * Receives one event other than the marker.
	 * @param type the type of the event
	 * @param object the object of the event; {@code null} if there is none
	 * @param now the time, in nanoseconds
	 */
	void add(WatchEventType type, @Nullable DecodedObject<T> object, long now) {
		boolean progress = false;
		if (object != null && !object.metadata().hasName()) {
			this.nameless.add(object);
		}
		else if (object != null) {
			progress = apply(type, object);
		}
		if (this.plain) {
			return;
		}
		// An event other than an addition belongs to a watch. After that, only the marker
		// counts. A server without streaming lists never sends the marker.
		this.plain = type != WatchEventType.ADDED;
		if (progress || this.plain) {
			this.deadline = now + this.patience;
		}
	}

	/**
	 * Receives one event about an object of another shard. The event shows that the list
	 * is in progress, and that a previous object of the same name is gone.
	 * @param type the type of the event
	 * @param metadata the identity of the object
	 * @param now the time, in nanoseconds
	 */
	void foreign(WatchEventType type, ObjectMetadata metadata, long now) {
		if (type != WatchEventType.DELETED) {
			if (this.known != null) {
				this.known.exclude(metadata);
				this.unchanged = this.known.size();
			}
			Key key = new Key(metadata.namespace(), metadata.name());
			DecodedObject<T> before = this.named.get(key);
			if (before != null && !isOlder(metadata, before.metadata())) {
				this.named.remove(key);
			}
		}
		if (!this.plain) {
			this.plain = type != WatchEventType.ADDED;
			this.deadline = now + this.patience;
		}
	}

	/**
	 * Receives the addition of an object that the cache holds in the same version.
	 * @param now the time, in nanoseconds
	 */
	void unchanged(long now) {
		int count = (this.known != null) ? this.known.size() : 0;
		if (count > this.unchanged && !this.plain) {
			this.deadline = now + this.patience;
		}
		this.unchanged = count;
	}

	private boolean apply(WatchEventType type, DecodedObject<T> object) {
		ObjectMetadata metadata = object.metadata();
		Key key = new Key(metadata.namespace(), metadata.name());
		DecodedObject<T> before = this.named.get(key);
		if (type == WatchEventType.DELETED) {
			if (this.known != null) {
				this.known.deleted(metadata);
				this.unchanged = this.known.size();
			}
			if (before != null && !isOfAPredecessor(metadata, before.metadata())) {
				this.named.remove(key);
			}
			return false;
		}
		if (this.known != null) {
			// The received state replaces the cached one, even if a transform drops it.
			this.known.exclude(metadata);
			this.unchanged = this.known.size();
		}
		if (before != null && isOlder(metadata, before.metadata())) {
			return false;
		}
		return this.named.put(key, object) == null && type == WatchEventType.ADDED;
	}

	private static boolean isOlder(ObjectMetadata metadata, ObjectMetadata before) {
		return ResourceVersions.isOlder(metadata.resourceVersion(), before.resourceVersion());
	}

	private static boolean isOfAPredecessor(ObjectMetadata deleted, ObjectMetadata before) {
		return !deleted.uid().isEmpty() && !deleted.uid().equals(before.uid()) && isOlder(deleted, before);
	}

	/**
	 * Returns the time by which the marker or another new object must arrive.
	 * @return the time, in nanoseconds
	 */
	long deadline() {
		return this.deadline;
	}

	/**
	 * Returns the full state and clears it.
	 * @return the objects, including unreadable ones
	 */
	List<DecodedObject<T>> takeObjects() {
		List<DecodedObject<T>> objects = new ArrayList<>(this.named.size() + this.nameless.size());
		objects.addAll(this.named.values());
		objects.addAll(this.nameless);
		clear();
		return objects;
	}

	/**
	 * Discards the events.
	 */
	void clear() {
		this.named.clear();
		this.nameless.clear();
	}

	private record Key(String namespace, String name) implements Comparable<Key> {

		// Somebody may choose names with equal hash codes; HashMap orders such keys by
		// compareTo.
		@Override
		public int compareTo(Key other) {
			int byName = this.name.compareTo(other.name);
			return (byName != 0) ? byName : this.namespace.compareTo(other.namespace);
		}

	}

}
