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
 * Events of a streaming list before its marker. They are not visible outside: those of an
 * interrupted list are discarded as a whole.
 *
 * @param <T> the model class
 */
final class InitialEvents<T> {

	private final Map<Key, DecodedObject<T>> named = new LinkedHashMap<>();

	private final List<DecodedObject<T>> nameless = new ArrayList<>();

	private final @Nullable KnownObjects known;

	private final long patience;

	private long deadline;

	/** How many objects are cached as they are, as of the last of them. */
	private int unchanged;

	private boolean plain;

	/**
	 * Begins a streaming list.
	 * @param patience how long it may bring nothing new
	 * @param known what need not be decoded; {@code null} for nothing
	 * @param now the time, in nanoseconds
	 */
	InitialEvents(Duration patience, @Nullable KnownObjects known, long now) {
		this.known = known;
		this.patience = patience.toNanos();
		this.deadline = now + this.patience;
	}

	/**
	 * Takes one event that is not the marker.
	 * @param type its type
	 * @param object its object; {@code null} if it has none
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
		// What is not an addition belongs to a watch: from then on only the marker
		// counts, which a server without streaming lists never sends.
		this.plain = type != WatchEventType.ADDED;
		if (progress || this.plain) {
			this.deadline = now + this.patience;
		}
	}

	/**
	 * Takes one event about an object of another shard. It shows that the list goes on,
	 * and that an object of its name which came before is gone.
	 * @param type its type
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
	 * Takes the addition of an object that is cached as it is.
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
			// It is what comes now, even if a transform drops it.
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
	 * Returns until when the marker or something new must come.
	 * @return the time, in nanoseconds
	 */
	long deadline() {
		return this.deadline;
	}

	/**
	 * Gives away the full state.
	 * @return the objects, readable or not
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

		// Hash tables put keys of one hash code, which may be somebody's intention, in
		// order.
		@Override
		public int compareTo(Key other) {
			int byName = this.name.compareTo(other.name);
			return (byName != 0) ? byName : this.namespace.compareTo(other.namespace);
		}

	}

}
