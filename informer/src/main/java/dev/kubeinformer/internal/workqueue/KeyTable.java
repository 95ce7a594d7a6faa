package dev.kubeinformer.internal.workqueue;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.types.ObjectKey;

/**
 * Hash table of the keys that a queue knows. The entries of a bucket are linked with each
 * other; an additional node of a {@link java.util.HashMap} would take 32 bytes more for
 * each key. The table grows and shrinks with the number of keys.
 */
final class KeyTable {

	private static final int LEAST = 16;

	private @Nullable KeyEntry[] buckets = new @Nullable KeyEntry[LEAST];

	private int size;

	@Nullable KeyEntry get(ObjectKey key) {
		KeyEntry entry = this.buckets[bucket(key)];
		while (entry != null && !entry.key.equals(key)) {
			entry = entry.chain;
		}
		return entry;
	}

	/**
	 * Adds a key.
	 * @param entry the entry; the table must not contain its key
	 */
	void add(KeyEntry entry) {
		if (this.size == this.buckets.length) {
			resize(this.size * 2);
		}
		link(entry);
		this.size++;
	}

	private void link(KeyEntry entry) {
		int bucket = bucket(entry.key);
		entry.chain = this.buckets[bucket];
		this.buckets[bucket] = entry;
	}

	void remove(KeyEntry entry) {
		int bucket = bucket(entry.key);
		KeyEntry before = this.buckets[bucket];
		if (before == entry) {
			this.buckets[bucket] = entry.chain;
		}
		else {
			while (before != null && before.chain != entry) {
				before = before.chain;
			}
			if (before == null) {
				throw new IllegalStateException("Key '%s' is not in the queue".formatted(entry.key));
			}
			before.chain = entry.chain;
		}
		entry.chain = null;
		this.size--;
		if (this.buckets.length > LEAST && this.size < this.buckets.length / 8) {
			resize(this.buckets.length / 4);
		}
	}

	int size() {
		return this.size;
	}

	void forEach(Consumer<KeyEntry> action) {
		each(this.buckets, action);
	}

	private void resize(int capacity) {
		@Nullable KeyEntry[] before = this.buckets;
		this.buckets = new @Nullable KeyEntry[Math.max(capacity, LEAST)];
		each(before, this::link);
	}

	private static void each(@Nullable KeyEntry[] buckets, Consumer<KeyEntry> action) {
		for (KeyEntry first : buckets) {
			KeyEntry entry = first;
			while (entry != null) {
				KeyEntry next = entry.chain;
				action.accept(entry);
				entry = next;
			}
		}
	}

	private int bucket(ObjectKey key) {
		return key.hashCode() & (this.buckets.length - 1);
	}

}
