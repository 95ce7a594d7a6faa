package dev.kubeinformer.internal.store;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.text.NameHash;
import dev.kubeinformer.internal.text.TextBytes;

/**
 * Which objects of a partition a list holds in the version that is stored. They are found
 * by the bytes of the list and noted by a bit each, so that a list of what has not
 * changed leaves nothing behind.
 * <p>
 * It is of the moment when the list begins. Only the one writer of the partition changes
 * what is in it, and that reads the list. Not thread-safe.
 *
 * @param <T> the model class
 */
public final class UnchangedObjects<T> {

	private final List<StoredObject<T>> objects;

	/** Hash table of numbers of objects, from 1 on. */
	private final int[] numbers;

	/** The keys are the users' choice. */
	private final NameHash hash = NameHash.random();

	private final BitSet listed;

	private int size;

	/**
	 * Begins a list.
	 * @param snapshot what is stored
	 * @param partition the partition
	 */
	public UnchangedObjects(StoreSnapshot<T> snapshot, String partition) {
		int count = snapshot.size(partition);
		this.objects = new ArrayList<>(count);
		this.numbers = new int[Integer.highestOneBit(Math.max(count, 1)) << 2];
		this.listed = new BitSet(count);
		snapshot.iterator(partition).forEachRemaining(this::add);
	}

	private void add(StoredObject<T> object) {
		int place = this.hash.of(object.namespace(), object.name()) & (this.numbers.length - 1);
		while (this.numbers[place] != 0) {
			place = next(place);
		}
		this.objects.add(object);
		this.numbers[place] = this.objects.size();
	}

	private int next(int place) {
		return (place + 1) & (this.numbers.length - 1);
	}

	/**
	 * Notes an object that the list holds, if it is stored in this version.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @param name the name
	 * @param uid the UID
	 * @param resourceVersion the version
	 * @return whether it is stored, by the same UID and version, both of which are known
	 */
	public boolean include(TextBytes namespace, TextBytes name, TextBytes uid, TextBytes resourceVersion) {
		if (uid.isEmpty() || resourceVersion.isEmpty()) {
			return false;
		}
		int place = this.hash.of(namespace, name) & (this.numbers.length - 1);
		for (int number = this.numbers[place]; number != 0; number = this.numbers[place]) {
			StoredObject<T> object = this.objects.get(number - 1);
			if (name.isAscii(object.name()) && namespace.isAscii(object.namespace())) {
				boolean unchanged = uid.isAscii(object.uid()) && resourceVersion.isAscii(object.resourceVersion());
				if (unchanged) {
					note(number - 1);
				}
				return unchanged;
			}
			place = next(place);
		}
		return false;
	}

	private void note(int at) {
		if (!this.listed.get(at)) {
			this.listed.set(at);
			this.size++;
		}
	}

	/**
	 * Forgets that the list holds an object as it is stored.
	 * @param namespace the namespace, empty for cluster-scoped objects
	 * @param name the name
	 */
	public void exclude(String namespace, String name) {
		int place = this.hash.of(namespace, name) & (this.numbers.length - 1);
		for (int number = this.numbers[place]; number != 0; number = this.numbers[place]) {
			StoredObject<T> object = this.objects.get(number - 1);
			if (object.name().equals(name) && object.namespace().equals(namespace)) {
				if (this.listed.get(number - 1)) {
					this.listed.clear(number - 1);
					this.size--;
				}
				return;
			}
			place = next(place);
		}
	}

	/**
	 * Returns how many objects of the list were noted.
	 * @return the number
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Returns what the partition holds beside them.
	 * @param present the snapshot at this moment, where index functions may have been
	 * added
	 * @return the other objects
	 */
	List<StoredObject<T>> others(StoreSnapshot<T> present) {
		List<StoredObject<T>> others = new ArrayList<>(this.objects.size() - this.size);
		for (int at = this.listed.nextClearBit(0); at < this.objects.size(); at = this.listed.nextClearBit(at + 1)) {
			StoredObject<T> object = this.objects.get(at);
			@Nullable StoredObject<T> stored = present.find(object.namespace(), object.name());
			if (stored != null) {
				others.add(stored);
			}
		}
		return others;
	}

}
