package dev.kubeinformer.internal.dispatch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.slots.SlotPredicate;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.ObjectKey;

/**
 * Additions that wait to be handed out, oldest first, at most one per object. A first
 * full state consists only of additions. To save memory, an addition has no event object.
 * It consists of a reference to the stored object, a place in the queue and an arrival
 * time: about 35 bytes. When an event object is needed, it is created from the addition
 * and keeps the place. Guarded by the queue's lock. A method that fails with an
 * {@code OutOfMemoryError} has no effect.
 *
 * @param <T> the model class
 */
final class PendingAdditions<T extends KubernetesObject> {

	/**
	 * Capacity that is never released, because a handler that keeps up needs it
	 * repeatedly.
	 */
	private static final int LEAST = 16;

	private static final int MOST = 1024;

	/**
	 * The tables are rebuilt when fewer than one in this many of the additions since the
	 * last rebuild remain.
	 */
	private static final int SPARSE = 4;

	private static final int[] NO_NUMBERS = {};

	private List<Chunk<T>> chunks = new ArrayList<>();

	/**
	 * Hash table with open addressing. An entry is the number of an addition plus one, at
	 * the index of the object's hash or at the next free index. A zero is a free entry.
	 * Numbers of removed additions stay until the next rebuild.
	 */
	private int[] numbers = NO_NUMBERS;

	/** Number of additions since the last rebuild; the number of the next one. */
	private int added;

	private int size;

	int size() {
		return this.size;
	}

	/**
	 * Appends the addition of an object that has no addition here.
	 * @param object the object
	 * @param initial whether it belongs to the first full state
	 * @param place the number that orders the addition among all events, higher than
	 * those before
	 * @param time the arrival time
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
	 * Releases memory after most additions were removed.
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
	 * Returns whether an addition of an object is pending, without an event object of its
	 * own.
	 * @param key the object
	 * @return {@code true} if the object has such an addition
	 */
	boolean contains(ObjectKey key) {
		return find(key, null) >= 0;
	}

	/**
	 * Replaces the object of an addition that has not become an event.
	 * @param object the object, which must have such an addition
	 */
	void replace(StoredObject<T> object) {
		set(find(object.key(), null), object);
	}

	/**
	 * Creates an event from an addition. The addition does not change until the event
	 * {@link #replace(PendingDelta) replaces} it.
	 * @param key the object, which must have an addition without an event
	 * @return the event
	 */
	PendingDelta<T> event(ObjectKey key) {
		int number = find(key, null);
		Chunk<T> chunk = chunkOf(number);
		return chunk.event(number - chunk.first);
	}

	/**
	 * Replaces an addition with the event created from it.
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
	 * Removes an event that was created from an addition.
	 * @param event the event
	 * @return {@code true} if the event was removed
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
	 * Removes the additions of objects in the given shard slots, except additions that
	 * have become events.
	 * @param slots the slots
	 * @return the number of removed additions that belong to the first full state
	 */
	int evict(SlotPredicate slots) {
		int initial = 0;
		for (Chunk<T> chunk : List.copyOf(this.chunks)) {
			for (int at = chunk.begin; at < chunk.length && this.size > 0; at++) {
				if (chunk.slots[at] instanceof StoredObject<?> object && slots.test(object.namespace(), object.uid())) {
					initial += (int) (chunk.places[at] & 1);
					remove(chunk, at);
				}
			}
		}
		return initial;
	}

	/**
	 * Returns the number that orders the oldest addition among all events.
	 * @return the number, lower for older events; the highest possible number if there is
	 * no addition
	 */
	long firstPlace() {
		Chunk<T> chunk = first();
		return (chunk != null) ? chunk.places[chunk.begin] >> 1 : Long.MAX_VALUE;
	}

	/**
	 * Returns the oldest addition as an event without removing it.
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

	// Returns the chunk that begins with the oldest addition.
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
	 * @param event the event created from it; {@code null} to find only an addition
	 * without an event
	 * @return the number of the addition; negative if it does not exist
	 */
	private int find(ObjectKey key, @Nullable PendingDelta<T> event) {
		if (this.size == 0) {
			return -1;
		}
		int hash = key.hashCode();
		int mask = this.numbers.length - 1;
		for (int i = hash & mask; this.numbers[i] != 0; i = i + 1 & mask) {
			int number = this.numbers[i] - 1;
			// Additions with lower numbers than the first chunk were removed.
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
	 * Additions with consecutive numbers.
	 *
	 * @param <T> the model class
	 */
	private static final class Chunk<T extends KubernetesObject> {

		/** Number of the first addition that was ever in this chunk. */
		private final int first;

		/** Objects, or the events created from them; null where removed. */
		private final @Nullable Object[] slots;

		private final int[] hashes;

		/**
		 * Twice the place of each addition, plus one if the addition belongs to the first
		 * full state.
		 */
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
