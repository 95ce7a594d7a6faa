package dev.kubeinformer.internal.dispatch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.internal.slots.SlotPredicate;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.internal.text.PrintableText;
import dev.kubeinformer.types.ObjectKey;

/**
 * Order in which the events of one handler are handed out.
 * <p>
 * The problem: events are handed out in the order of their arrival, to several workers.
 * Events of one object must be handled in order, one at a time. An object whose handler
 * is slow, or that waits for a retry, must not delay other objects. A first full state
 * queues every object of the cluster at once.
 * <p>
 * The idea: {@link #ready} holds the waiting events, oldest first. A worker walks this
 * set from the oldest event on. It handles the first event whose object is free, and
 * moves each event of a busy object into the lane of that object: its own set of waiting
 * events. So later walks do not visit such an event again, however long the object is
 * busy. When the object is done, the first event of its lane goes to {@link #freed},
 * which precedes all ready events because its events are older. {@link #additions} keeps
 * the first events of objects that the handler does not know, without event objects.
 * Increasing place numbers tell which event is older.
 * <p>
 * Invariants:
 * <ul>
 * <li>An event that waits is in exactly one of {@link #additions}, {@link #ready},
 * {@link #freed}, a lane, and, if its retry is not due, {@link #retries}.</li>
 * <li>An object has a lane if and only if it is in {@link #busy}, waits for a retry or
 * has an event in {@link #freed}. An empty lane is the shared empty set.</li>
 * <li>{@link #youngest} holds the youngest waiting event of each object, except for
 * events in {@link #additions}. Older events are linked from there.</li>
 * <li>If a method fails with an {@code OutOfMemoryError}, no event is lost or in two
 * places. So each method first performs the steps that can fail, and reverts them after a
 * failure.</li>
 * </ul>
 * <p>
 * Earlier attempts: an event object for every addition needed 209 bytes per object,
 * instead of 33, while a first state waits for its handler. Eleven hash table operations
 * per event each hashed the whole name; now there are six, and {@code isEmpty} avoids
 * most of them while the handler keeps up.
 * <p>
 * Cost: constant time per event. A waiting event costs its entries in two hash tables, an
 * addition its place in an array. Guarded by the queue's lock.
 *
 * @param <T> the model class
 */
final class PendingOrder<T extends KubernetesObject> {

	/** Minimum size at which replacing the tables with smaller ones pays off. */
	private static final int MANY = 4096;

	// All fields are guarded by the queue's lock.

	private final RetrySchedule<T> retries;

	/** Waiting events, oldest first. */
	private Set<PendingDelta<T>> ready = new LinkedHashSet<>();

	/** First events of objects that the handler does not know. */
	private final PendingAdditions<T> additions = new PendingAdditions<>();

	/**
	 * Events whose object was busy and is now free; they are older than all ready events.
	 */
	private final Set<PendingDelta<T>> freed = new LinkedHashSet<>();

	/**
	 * Events that wait because a worker is handling another event of the same object, by
	 * object.
	 */
	private final Map<ObjectKey, Set<PendingDelta<T>>> lanes = new HashMap<>();

	/** Busy objects and their events, longest busy first. */
	private final Map<ObjectKey, Busy<T>> busy = new LinkedHashMap<>();

	/** Busy objects whose callback is waiting for the other workers to end. */
	private final Set<ObjectKey> ending = new HashSet<>();

	/** Youngest waiting event, by object. */
	private Map<ObjectKey, PendingDelta<T>> youngest = new HashMap<>();

	/** Number of waiting events, without the additions. */
	private int size;

	/**
	 * Last assigned place number; these numbers order the additions among the other
	 * events.
	 */
	private long places;

	/** Largest size since the tables were created. */
	private int most;

	/**
	 * Creates an empty order.
	 * @param retries the schedule of the failed events
	 */
	PendingOrder(RetrySchedule<T> retries) {
		this.retries = retries;
	}

	/**
	 * Returns the number of waiting events, including events that wait for a retry.
	 * @return the number
	 */
	int size() {
		return this.size + this.additions.size();
	}

	/**
	 * Returns the number of objects that are being handled.
	 * @return the number
	 */
	int running() {
		return this.busy.size();
	}

	/**
	 * Appends the addition of an object without waiting or running events.
	 * @param object the object
	 * @param initial whether it belongs to the first full state
	 * @param time its arrival time
	 */
	void append(StoredObject<T> object, boolean initial, long time) {
		this.additions.append(object, initial, this.places + 1, time);
		this.places++;
	}

	/**
	 * Returns whether the only waiting event of an object is its addition.
	 * @param key the object
	 * @return {@code true} if only the addition waits, and it has not become an event
	 */
	boolean isAddition(ObjectKey key) {
		return this.additions.contains(key);
	}

	/**
	 * Replaces the state in the addition of an object.
	 * @param object the object, of which only an addition waits
	 */
	void replaceAddition(StoredObject<T> object) {
		this.additions.replace(object);
	}

	/**
	 * Turns an addition into an event, so that others can follow it.
	 * @param key the object, of which only an addition waits
	 * @return the event
	 */
	PendingDelta<T> additionAsEvent(ObjectKey key) {
		PendingDelta<T> event = this.additions.event(key);
		try {
			this.youngest.put(key, event);
		}
		catch (RuntimeException | Error ex) {
			this.youngest.remove(key);
			throw ex;
		}
		this.additions.replace(event);
		return event;
	}

	/**
	 * Returns whether an object is being handled, or waits after a failure.
	 * @param key the object
	 * @return {@code true} if later events of the object must wait
	 */
	boolean isInWork(ObjectKey key) {
		return !this.lanes.isEmpty() && this.lanes.containsKey(key);
	}

	/**
	 * Returns the youngest waiting event of an object. An addition for which no event
	 * object was created does not count.
	 * @param key the object
	 * @return the event, or {@code null} if none waits
	 */
	@Nullable PendingDelta<T> youngest(ObjectKey key) {
		// While the handler keeps up, this avoids hashing the name.
		return this.youngest.isEmpty() ? null : this.youngest.get(key);
	}

	void append(PendingDelta<T> pending) {
		add(this.ready, pending);
		try {
			pending.previous(this.youngest.put(pending.key(), pending));
		}
		catch (RuntimeException | Error ex) {
			this.youngest.remove(pending.key(), pending);
			this.ready.remove(pending);
			throw ex;
		}
		pending.place(++this.places);
		this.size++;
		this.most = Math.max(this.most, this.size);
	}

	private static <T extends KubernetesObject> void add(Set<PendingDelta<T>> set, PendingDelta<T> pending) {
		try {
			set.add(pending);
		}
		catch (RuntimeException | Error ex) {
			// The table may contain the event even though growing it failed.
			set.remove(pending);
			throw ex;
		}
	}

	/**
	 * Returns all waiting events of an object, oldest first.
	 * @param key the object
	 * @return the events
	 */
	List<PendingDelta<T>> waiting(ObjectKey key) {
		List<PendingDelta<T>> waiting = new ArrayList<>();
		for (PendingDelta<T> each = this.youngest.get(key); each != null; each = each.previous()) {
			waiting.add(each);
		}
		Collections.reverse(waiting);
		return waiting;
	}

	/**
	 * Puts the last handed-out event of an object back into the queue, before all other
	 * events of the object. The event is handed out again when it is
	 * {@link #due(PendingDelta) due}.
	 * @param pending the event
	 * @param later the other events, oldest first
	 */
	void putBack(PendingDelta<T> pending, List<PendingDelta<T>> later) {
		if (later.isEmpty()) {
			try {
				this.youngest.put(pending.key(), pending);
			}
			catch (RuntimeException | Error ex) {
				this.youngest.remove(pending.key(), pending);
				throw ex;
			}
		}
		else {
			later.get(0).previous(pending);
		}
		this.busy.remove(pending.key());
		this.size++;
	}

	/**
	 * Puts a failed event at the end of the queue, so an object whose events always fail
	 * does not delay other objects.
	 * @param pending the event
	 */
	void due(PendingDelta<T> pending) {
		add(this.ready, pending);
		pending.place(++this.places);
	}

	/**
	 * Removes an event of an object that waits for a retry. The caller links the
	 * remaining events.
	 * @param pending the event
	 */
	void drop(PendingDelta<T> pending) {
		this.size--;
		if (!this.ready.remove(pending)) {
			lane(pending.key()).remove(pending);
		}
	}

	/**
	 * Links the remaining events of an object with each other.
	 * @param first the first remaining event
	 * @param later a list that begins with the other remaining events, oldest first
	 * @param count the number of other remaining events
	 */
	void link(PendingDelta<T> first, List<PendingDelta<T>> later, int count) {
		PendingDelta<T> last = first;
		for (int i = 0; i < count; i++) {
			later.get(i).previous(last);
			last = later.get(i);
		}
		this.youngest.put(first.key(), last);
	}

	/**
	 * Removes the youngest event of an object.
	 * @param pending the event
	 */
	void remove(PendingDelta<T> pending) {
		if (!this.additions.remove(pending)) {
			removeBesideAdditions(pending);
			this.size--;
		}
		PendingDelta<T> previous = pending.previous();
		if (previous != null) {
			this.youngest.put(pending.key(), previous);
		}
		else {
			this.youngest.remove(pending.key());
		}
	}

	private void removeBesideAdditions(PendingDelta<T> pending) {
		if (!this.ready.remove(pending)) {
			if (this.freed.contains(pending)) {
				advance(pending.key());
				this.freed.remove(pending);
			}
			else {
				lane(pending.key()).remove(pending);
			}
		}
	}

	/**
	 * Hands out the next event, and marks its object as being handled.
	 * @return the event, or {@code null} if the objects of all waiting events are busy
	 */
	@Nullable PendingDelta<T> handOut() {
		shrink();
		PendingDelta<T> pending = next();
		if (pending != null) {
			begin(pending);
			take(pending);
			this.youngest.remove(pending.key(), pending);
			this.retries.handedOut(pending);
			pending.handedOut();
		}
		return pending;
	}

	private void take(PendingDelta<T> pending) {
		if (this.additions.firstPlace() == pending.place()) {
			this.additions.removeFirst();
			return;
		}
		if (!this.freed.remove(pending)) {
			this.ready.remove(pending);
		}
		this.size--;
	}

	// Tables never shrink by themselves, and they are large after a first full state.
	private void shrink() {
		this.additions.shrink();
		if (this.most > MANY && this.ready.isEmpty() && this.youngest.isEmpty()) {
			this.ready = new LinkedHashSet<>();
			this.youngest = new HashMap<>();
			this.most = 0;
		}
	}

	private void begin(PendingDelta<T> pending) {
		ObjectKey key = pending.key();
		// An object whose events had to wait has a lane, even if that set is empty now.
		boolean free = this.lanes.isEmpty() || !this.lanes.containsKey(key);
		try {
			if (free) {
				this.lanes.put(key, Collections.emptySet());
			}
			this.busy.put(key, new Busy<>(Instant.now(), pending));
		}
		catch (RuntimeException | Error ex) {
			this.busy.remove(key);
			if (free) {
				this.lanes.remove(key);
			}
			throw ex;
		}
	}

	private @Nullable PendingDelta<T> next() {
		if (!this.freed.isEmpty()) {
			return this.freed.iterator().next();
		}
		Iterator<PendingDelta<T>> oldest = this.ready.iterator();
		while (oldest.hasNext()) {
			PendingDelta<T> pending = oldest.next();
			if (this.additions.firstPlace() < pending.place()) {
				break;
			}
			Set<PendingDelta<T>> lane = this.lanes.isEmpty() ? null : this.lanes.get(pending.key());
			if (lane == null || this.retries.contains(pending)) {
				return pending;
			}
			waitIn(lane, pending);
			oldest.remove();
		}
		return this.additions.firstEvent();
	}

	// Most objects are free before their next event arrives, so a lane is created only
	// for the first waiting event.
	private void waitIn(Set<PendingDelta<T>> lane, PendingDelta<T> pending) {
		Set<PendingDelta<T>> own = lane.isEmpty() ? new LinkedHashSet<>() : lane;
		add(own, pending);
		this.lanes.put(pending.key(), own);
	}

	/**
	 * Ends the handling of an object, so that its next event can be handled.
	 * @param key the object
	 */
	void finished(ObjectKey key) {
		this.busy.remove(key);
		advance(key);
	}

	private void advance(ObjectKey key) {
		if (!this.lanes.remove(key, Collections.emptySet())) {
			Iterator<PendingDelta<T>> lane = lane(key).iterator();
			add(this.freed, lane.next());
			lane.remove();
		}
	}

	/**
	 * Returns the event that the handler has been busy with for longest.
	 * @return the event, or {@code null} if the handler is idle
	 */
	HandlerStatus.@Nullable Handling handling() {
		return this.busy.entrySet()
			.stream()
			.findFirst()
			.map((longest) -> new HandlerStatus.Handling(longest.getValue().since(),
					PrintableText.of(longest.getKey().toString())))
			.orElse(null);
	}

	/**
	 * Returns whether any event is being handled.
	 * @return {@code true} if the handler is busy
	 */
	boolean isHandling() {
		return !this.busy.isEmpty();
	}

	/**
	 * Returns whether an event waits because its object is being handled. Retries do not
	 * count, because a stop does not wait for them. Objects whose callback waits for the
	 * other workers do not count either.
	 * @return {@code true} if there is such an event
	 */
	boolean isAnyBehindBusy() {
		return this.busy.keySet().stream().anyMatch((key) -> !this.ending.contains(key) && !lane(key).isEmpty());
	}

	/**
	 * Records whether the callback for an object has stopped its own handler and waits
	 * until the other workers have ended.
	 * @param key the object
	 * @param waits {@code true} if the callback waits
	 */
	void ending(ObjectKey key, boolean waits) {
		if (waits) {
			this.ending.add(key);
		}
		else {
			this.ending.remove(key);
		}
	}

	/**
	 * Drops the waiting events of objects in the given shard slots. Their events that are
	 * being handled are not handed out again.
	 * @param slots the slots
	 * @return the number of dropped events of the initial state, for which the sync is
	 * waiting
	 */
	int evict(SlotPredicate slots) {
		this.busy.values().stream().map(Busy::event).filter((event) -> event.isIn(slots)).forEach(PendingDelta::evict);
		int tickets = this.additions.evict(slots);
		for (PendingDelta<T> last : List.copyOf(this.youngest.values())) {
			List<PendingDelta<T>> waiting = waiting(last.key());
			List<PendingDelta<T>> kept = new ArrayList<>();
			boolean unblocked = false;
			for (PendingDelta<T> each : waiting) {
				if (each.isIn(slots)) {
					unblocked |= evict(each);
					tickets += each.tickets();
				}
				else {
					kept.add(each);
				}
			}
			if (kept.size() < waiting.size()) {
				link(last.key(), kept);
				if (unblocked) {
					advance(last.key());
				}
			}
		}
		return tickets;
	}

	// Returns whether later events of the object waited for this one.
	private boolean evict(PendingDelta<T> pending) {
		pending.evict();
		if (this.additions.remove(pending)) {
			return false;
		}
		this.size--;
		boolean blocking = this.freed.remove(pending);
		if (this.retries.contains(pending)) {
			this.retries.remove(pending);
			blocking = true;
		}
		if (!this.ready.remove(pending) && this.lanes.containsKey(pending.key())) {
			lane(pending.key()).remove(pending);
		}
		return blocking;
	}

	private void link(ObjectKey key, List<PendingDelta<T>> waiting) {
		if (waiting.isEmpty()) {
			this.youngest.remove(key);
			return;
		}
		waiting.get(0).previous(null);
		link(waiting.get(0), waiting.subList(1, waiting.size()), waiting.size() - 1);
	}

	/**
	 * Returns whether an object in the given shard slots is being handled.
	 * @param slots the slots
	 * @return {@code true} if a callback is running
	 */
	boolean isHandling(SlotPredicate slots) {
		return this.busy.values().stream().anyMatch((each) -> each.event().isIn(slots));
	}

	/**
	 * Drops all waiting events.
	 */
	void clear() {
		this.size = 0;
		this.additions.clear();
		this.ready.clear();
		this.freed.clear();
		this.youngest.clear();
		this.lanes.keySet().retainAll(this.busy.keySet());
		this.lanes.values().forEach(Set::clear);
	}

	// Every busy key, and the key of every event outside ready, has a lane.
	private Set<PendingDelta<T>> lane(ObjectKey key) {
		return Objects.requireNonNull(this.lanes.get(key), "the key has no lane");
	}

	/**
	 * Event that is being handled.
	 *
	 * @param <T> the model class
	 * @param since the start of the handling
	 * @param event the event
	 */
	private record Busy<T extends KubernetesObject>(Instant since, PendingDelta<T> event) {

	}

}
