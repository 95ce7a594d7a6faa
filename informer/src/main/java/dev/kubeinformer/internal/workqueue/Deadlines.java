package dev.kubeinformer.internal.workqueue;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Heap of the keys that wait until a time, the earliest first. Each entry knows its
 * position, so a wait can be shortened or ended in logarithmic time.
 */
final class Deadlines {

	private static final int LEAST = 16;

	private @Nullable KeyEntry[] heap = new @Nullable KeyEntry[LEAST];

	private int size;

	/**
	 * Returns the time at which the first wait ends.
	 * @return the time; {@link KeyQueue#NEVER} if there is none
	 */
	long first() {
		return (this.size > 0) ? at(0).time : KeyQueue.NEVER;
	}

	/**
	 * Returns the first key if its wait is over.
	 * @param now the time
	 * @return the entry of the key; {@code null} if all keys must wait longer
	 */
	@Nullable KeyEntry due(long now) {
		return (this.size > 0 && at(0).time <= now) ? at(0) : null;
	}

	void add(KeyEntry entry, long time) {
		if (this.size == this.heap.length) {
			this.heap = Arrays.copyOf(this.heap, this.size + (this.size >> 1));
		}
		entry.time = time;
		this.size++;
		up(entry, this.size - 1);
	}

	/**
	 * Shortens the wait of a key.
	 * @param entry the waiting key
	 * @param time the new end, which must not be later
	 */
	void advance(KeyEntry entry, long time) {
		entry.time = time;
		up(entry, entry.place);
	}

	void remove(KeyEntry entry) {
		int place = entry.place;
		entry.place = -1;
		this.size--;
		KeyEntry last = at(this.size);
		this.heap[this.size] = null;
		if (last != entry) {
			up(last, place);
			down(last, last.place);
		}
		if (this.heap.length > LEAST && this.size < this.heap.length / 4) {
			this.heap = Arrays.copyOf(this.heap, Math.max(LEAST, this.heap.length / 2));
		}
	}

	void forEach(Consumer<KeyEntry> action) {
		for (int i = 0; i < this.size; i++) {
			action.accept(at(i));
		}
	}

	private void up(KeyEntry entry, int from) {
		int place = from;
		while (place > 0 && at((place - 1) >>> 1).time > entry.time) {
			put(at((place - 1) >>> 1), place);
			place = (place - 1) >>> 1;
		}
		put(entry, place);
	}

	private void down(KeyEntry entry, int from) {
		int place = from;
		while (2 * place + 1 < this.size) {
			int child = 2 * place + 1;
			if (child + 1 < this.size && at(child + 1).time < at(child).time) {
				child++;
			}
			if (at(child).time >= entry.time) {
				break;
			}
			put(at(child), place);
			place = child;
		}
		put(entry, place);
	}

	private void put(KeyEntry entry, int place) {
		this.heap[place] = entry;
		entry.place = place;
	}

	private KeyEntry at(int place) {
		return Objects.requireNonNull(this.heap[place]);
	}

}
