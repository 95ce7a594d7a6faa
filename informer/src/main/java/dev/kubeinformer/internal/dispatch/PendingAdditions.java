package dev.kubeinformer.internal.dispatch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.ObjectKey;

/**
 * Additions that wait to be handed out, oldest first, at most one of an object. A first
 * full state is a queue of nothing else, so that of most no event is kept but the object,
 * its place in the queue and when it came: some 35 bytes. What is asked for as an event
 * becomes one, and stays where it is. Guarded by the queue's lock. Where a method fails
 * for want of memory, it has changed nothing.
 *
 * @param <T> the model class
 */
final class PendingAdditions<T extends KubernetesObject> {

	/** What a handler that keeps up needs is kept, and not made again and again. */
	private static final int LEAST = 16;

	private static final int MOST = 1024;

	/** When this part of what was added is there no more, the rest moves together. */
	private static final int SPARSE = 4;

	private static final int[] NO_NUMBERS = {};

	private List<Chunk<T>> chunks = new ArrayList<>();

	/**
	 * The numbers of the additions, one higher, at or behind the place of their hash.
	 * Those of additions that were taken stay until the next rebuild.
	 */
	private int[] numbers = NO_NUMBERS;

	/** How many were added since the last rebuild, which is the next number. */
	private int added;

	private int size;

	int size() {
		return this.size;
	}

	/**
	 * Appends the addition of an object that has none in here.
	 * @param object the object
	 * @param initial whether it belongs to the first full state
	 * @param place its place among all events, which is behind those that are here
	 * @param time when it came
	 */
	void append(StoredObject<T> object, boolean initial, long place, long time) {
		if (3L * (this.added + 1) > 2L * this.numbers.length) {
			rebuild();
		}
		Chunk<T> last = this.chunks.isEmpty() ? null : this.chunks.get(this.chunks.size() - 1);
		if (last == null || last.isFull()) {
			last = new Chunk<>(this.added, (last != null) ? Math.min(MOST, 2 * last.capacity()) : LEAST);
			this.chunks.add(last);
		}
		int hash = object.key().hashCode();
		last.add(object, hash, initial ? place << 1 | 1 : place << 1, time);
		note(this.numbers, hash, this.added);
		this.added++;
		this.size++;
	}

	private static void note(int[] numbers, int hash, int number) {
		int at = hash & numbers.length - 1;
		while (numbers[at] != 0) {
			at = at + 1 & numbers.length - 1;
		}
		numbers[at] = number + 1;
	}

	/**
	 * Releases the room of most that were taken.
	 */
	void shrink() {
		if (this.added > MOST && this.added / SPARSE > this.size) {
			rebuild();
		}
	}

	private void rebuild() {
		int[] nextNumbers = new int[Math.max(2 * LEAST, Integer.highestOneBit(Math.max(1, this.size)) << 2)];
		List<Chunk<T>> next = new ArrayList<>();
		int number = 0;
		Chunk<T> last = null;
		for (Chunk<T> chunk : this.chunks) {
			for (int at = chunk.begin; at < chunk.length; at++) {
				if (chunk.slots[at] != null) {
					if (last == null || last.isFull()) {
						last = new Chunk<>(number, Math.max(LEAST, Math.min(MOST, this.size - number)));
						next.add(last);
					}
					last.add(chunk.slots[at], chunk.hashes[at], chunk.places[at], chunk.times[at]);
					note(nextNumbers, chunk.hashes[at], number++);
				}
			}
		}
		this.chunks = next;
		this.numbers = nextNumbers;
		this.added = number;
	}

	/**
	 * Returns whether an object has an addition in here of which no event was made.
	 * @param key the object
	 * @return whether it has
	 */
	boolean contains(ObjectKey key) {
		return find(key, null) >= 0;
	}

	/**
	 * Exchanges the object of an addition of which no event was made.
	 * @param object the object, of which there is such an addition
	 */
	void replace(StoredObject<T> object) {
		set(find(object.key(), null), object);
	}

	/**
	 * Makes an event of an addition, which is as it was until the event is
	 * {@link #replace(PendingDelta) put} in its place.
	 * @param key the object, of which there is an addition without an event
	 * @return the event
	 */
	PendingDelta<T> event(ObjectKey key) {
		int number = find(key, null);
		Chunk<T> chunk = chunkOf(number);
		return chunk.event(number - chunk.first);
	}

	/**
	 * Puts the event that was made of an addition in its place.
	 * @param event the event
	 */
	void replace(PendingDelta<T> event) {
		set(find(event.key(), null), event);
	}

	private void set(int number, Object content) {
		Chunk<T> chunk = chunkOf(number);
		chunk.slots[number - chunk.first] = content;
	}

	/**
	 * Removes an event that was made of an addition.
	 * @param event the event
	 * @return whether it was in here
	 */
	boolean remove(PendingDelta<T> event) {
		int number = find(event.key(), event);
		if (number < 0) {
			return false;
		}
		Chunk<T> chunk = chunkOf(number);
		remove(chunk, number - chunk.first);
		return true;
	}

	/**
	 * Returns the place of the oldest addition.
	 * @return its place among all events; the last one possible if there is none
	 */
	long firstPlace() {
		Chunk<T> chunk = first();
		return (chunk != null) ? chunk.places[chunk.begin] >> 1 : Long.MAX_VALUE;
	}

	/**
	 * Returns the oldest addition as an event, and leaves it here.
	 * @return the event, or {@code null} if there is none
	 */
	@Nullable PendingDelta<T> firstEvent() {
		Chunk<T> chunk = first();
		return (chunk != null) ? chunk.event(chunk.begin) : null;
	}

	/**
	 * Removes the oldest addition.
	 */
	void removeFirst() {
		Chunk<T> chunk = Objects.requireNonNull(first());
		remove(chunk, chunk.begin);
	}

	private void remove(Chunk<T> chunk, int at) {
		chunk.slots[at] = null;
		this.size--;
		if (this.size == 0) {
			clear();
		}
	}

	void clear() {
		this.size = 0;
		this.added = 0;
		if (this.chunks.size() == 1 && this.chunks.get(0).capacity() == LEAST && this.numbers.length == 2 * LEAST) {
			this.chunks.get(0).clear();
			Arrays.fill(this.numbers, 0);
		}
		else {
			this.chunks.clear();
			this.numbers = NO_NUMBERS;
		}
	}

	// That of the oldest addition, at which it begins.
	private @Nullable Chunk<T> first() {
		while (this.size > 0) {
			Chunk<T> chunk = this.chunks.get(0);
			while (chunk.begin < chunk.length) {
				if (chunk.slots[chunk.begin] != null) {
					return chunk;
				}
				chunk.begin++;
			}
			this.chunks.remove(0);
		}
		return null;
	}

	/**
	 * Finds an addition.
	 * @param key the object
	 * @param event the event that was made of it; {@code null} if there must be none
	 * @return its number, negative if there is no such addition
	 */
	private int find(ObjectKey key, @Nullable PendingDelta<T> event) {
		if (this.size == 0) {
			return -1;
		}
		int hash = key.hashCode();
		int mask = this.numbers.length - 1;
		for (int i = hash & mask; this.numbers[i] != 0; i = i + 1 & mask) {
			int number = this.numbers[i] - 1;
			// Those before it were taken.
			if (number >= this.chunks.get(0).first && chunkOf(number).is(number, hash, key, event)) {
				return number;
			}
		}
		return -1;
	}

	private Chunk<T> chunkOf(int number) {
		int low = 0;
		int high = this.chunks.size() - 1;
		while (low < high) {
			int middle = (low + high + 1) >>> 1;
			if (this.chunks.get(middle).first <= number) {
				low = middle;
			}
			else {
				high = middle - 1;
			}
		}
		return this.chunks.get(low);
	}

	/**
	 * Additions whose numbers follow each other.
	 *
	 * @param <T> the model class
	 */
	private static final class Chunk<T extends KubernetesObject> {

		/** The number of the first one that ever was in here. */
		private final int first;

		/** Objects, and events that were made of them; nothing where they were taken. */
		private final @Nullable Object[] slots;

		private final int[] hashes;

		/** Twice their places, and one more for those of the first full state. */
		private final long[] places;

		private final long[] times;

		private int begin;

		private int length;

		private Chunk(int first, int capacity) {
			this.first = first;
			this.slots = new Object[capacity];
			this.hashes = new int[capacity];
			this.places = new long[capacity];
			this.times = new long[capacity];
		}

		private int capacity() {
			return this.slots.length;
		}

		private boolean isFull() {
			return this.length == this.slots.length;
		}

		private void add(@Nullable Object content, int hash, long place, long time) {
			this.slots[this.length] = content;
			this.hashes[this.length] = hash;
			this.places[this.length] = place;
			this.times[this.length] = time;
			this.length++;
		}

		private void clear() {
			this.begin = 0;
			this.length = 0;
			Arrays.fill(this.slots, null);
		}

		private boolean is(int number, int hash, ObjectKey key, @Nullable PendingDelta<T> event) {
			int at = number - this.first;
			if (this.hashes[at] != hash) {
				return false;
			}
			Object content = this.slots[at];
			return (event != null) ? content == event : content instanceof StoredObject<?> object
					&& object.name().equals(key.name()) && object.namespace().equals(key.namespace());
		}

		@SuppressWarnings("unchecked")
		private PendingDelta<T> event(int at) {
			Object content = Objects.requireNonNull(this.slots[at]);
			if (content instanceof PendingDelta<?> event) {
				return (PendingDelta<T>) event;
			}
			PendingDelta<T> event = PendingDelta.addition((StoredObject<T>) content, (this.places[at] & 1) == 1);
			event.place(this.places[at] >> 1);
			event.queuedAt(this.times[at]);
			return event;
		}

	}

}
