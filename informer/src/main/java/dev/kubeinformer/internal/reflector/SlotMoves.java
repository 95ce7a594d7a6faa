package dev.kubeinformer.internal.reflector;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.internal.codec.ShardFilter;
import dev.kubeinformer.internal.slots.HeldSlots;
import dev.kubeinformer.internal.slots.SlotSource;
import dev.kubeinformer.internal.text.Durations;
import dev.kubeinformer.internal.transport.ApiConnection;

/**
 * Adjusts one reflector when its process gains or loses shard slots. Selects the objects
 * that its requests cover, lists gained slots on a second thread, and ends the watch when
 * it must be opened again. The second thread exists only while slots are listed. The
 * reflector takes the lists of that thread between two requests, so only the reflector
 * writes to the store.
 *
 * @param <T> the model class
 */
public final class SlotMoves<T extends KubernetesObject> {

	private static final Logger logger = LoggerFactory.getLogger("dev.kubeinformer.informer.Informer");

	private final SlotSource slots;

	private final Function<Supplier<ShardFilter>, ApiConnection<T>> connections;

	private final ThreadFactory threads;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	/** Filter of the reflector's next request. */
	private volatile ShardFilter filter;

	/** Filter of the next list of gained slots. */
	private volatile ShardFilter gainFilter;

	/** Newest version that the reflector has seen. */
	private volatile String newest = "";

	private volatile boolean stopped;

	// The fields below are guarded by the lock.

	private final Deque<GainedList<T>> complete = new ArrayDeque<>();

	/** Gained slots that are being listed now, on a thread other than the reflector's. */
	private HeldSlots listing = HeldSlots.none();

	private boolean helping;

	private @Nullable SlotLister<T> lister;

	private @Nullable Function<ApiConnection<T>, SlotLister<T>> listers;

	private @Nullable ReflectorSink<T> sink;

	private Duration afterFailure = Duration.ZERO;

	/** Slots whose lists the reflector has taken since its last request. */
	private HeldSlots taken = HeldSlots.none();

	/**
	 * Slots that the reflector's own list of all held slots covers, until its watch
	 * begins.
	 */
	private HeldSlots listingAll = HeldSlots.none();

	/** Slots that the last request of the reflector covers. */
	private HeldSlots requested = HeldSlots.none();

	/** Slots that the open watch covers; {@code null} if no watch is open. */
	private @Nullable HeldSlots watched;

	private @Nullable Runnable endWatch;

	/** Whether this class has ended the open watch. */
	private boolean turned;

	/** Slots that the last list of all held slots covers. */
	private HeldSlots asked = HeldSlots.none();

	/**
	 * Number of changes so far: slots were gained or lost, or a list of gained slots
	 * became complete.
	 */
	private long changes;

	/**
	 * Creates an instance for one reflector.
	 * @param slots the slots
	 * @param connections opens a connection for a filter; only one thread sends requests
	 * on the connection
	 * @param threads makes the second thread
	 */
	public SlotMoves(SlotSource slots, Function<Supplier<ShardFilter>, ApiConnection<T>> connections,
			ThreadFactory threads) {
		this.slots = slots;
		this.connections = connections;
		this.threads = threads;
		this.filter = ShardFilter.of(slots.division(), HeldSlots.none().slots());
		this.gainFilter = this.filter;
	}

	/**
	 * Connects the reflector.
	 * @param reflectorSink the sink of the reflector
	 * @param lists makes a lister of a connection
	 * @param end ends the open watch, from any thread
	 * @param pause the time after which the second thread continues after an unexpected
	 * failure
	 */
	void connect(ReflectorSink<T> reflectorSink, Function<ApiConnection<T>, SlotLister<T>> lists, Runnable end,
			Duration pause) {
		this.lock.lock();
		try {
			this.afterFailure = pause;
			this.sink = reflectorSink;
			this.listers = lists;
			this.endWatch = end;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns the filter of the reflector's next request.
	 * @return the filter, which stays the same until the request has ended
	 */
	public ShardFilter filter() {
		return this.filter;
	}

	SlotSource source() {
		return this.slots;
	}

	/**
	 * Notes that slots were gained or lost, or that it is now known which slots this
	 * process holds. Called by any thread, after the store has received the change.
	 */
	public void changed() {
		this.lock.lock();
		try {
			this.changes++;
			this.changed.signalAll();
			HeldSlots held = this.slots.held();
			this.complete.removeIf((list) -> list.slots().within(held).isEmpty());
			if (!this.listing.isEmpty() && this.listing.within(held).isEmpty() && this.lister != null) {
				this.lister.cancel();
			}
			turnWatch();
			help();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void turnWatch() {
		if (this.watched != null && !this.turned && this.endWatch != null
				&& SlotDecisions.endsWatch(this.watched, this.slots.full(), waiting())) {
			this.turned = true;
			this.endWatch.run();
		}
	}

	private HeldSlots waiting() {
		HeldSlots all = HeldSlots.none();
		HeldSlots full = this.slots.full();
		for (GainedList<T> list : this.complete) {
			all = all.and(list.slots());
		}
		return all.within(this.slots.held()).minus(full);
	}

	private HeldSlots toList() {
		return this.stopped ? HeldSlots.none() : SlotDecisions.toList(this.slots.held(), this.slots.full(),
				waiting().and(this.taken.and(this.listingAll).within(this.slots.held())));
	}

	private void help() {
		if (this.helping || toList().isEmpty()) {
			return;
		}
		try {
			Thread thread = this.threads.newThread(this::listGained);
			if (thread != null) {
				this.helping = true;
				thread.start();
			}
		}
		catch (RuntimeException | Error ex) {
			// For example, there was no memory for a thread. The next watch tries again.
			this.helping = false;
			logger.error("No thread lists the gained slots; the next watch tries again", ex);
		}
	}

	private void listGained() {
		boolean more = true;
		while (more) {
			try {
				more = listNext();
			}
			catch (Throwable ex) {
				more = retries(ex);
			}
		}
	}

	private boolean listNext() {
		GainedList<T> list = next();
		if (list == null) {
			return false;
		}
		SlotLister<T> used = lister();
		if (used != null) {
			used.read(list, () -> isUseless(list));
		}
		this.lock.lock();
		try {
			this.listing = HeldSlots.none();
			if (list.listing() != null) {
				this.complete.add(list);
				this.changes++;
				this.changed.signalAll();
				turnWatch();
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	// Waits after an unexpected failure, for example in the application's client, and
	// returns whether to retry. Without a retry, nobody would list the slots.
	private boolean retries(Throwable failure) {
		boolean again = false;
		this.lock.lock();
		try {
			this.listing = HeldSlots.none();
			if (!this.stopped) {
				logger.error("A list of gained slots failed unexpectedly; retrying in {}",
						Durations.text(this.afterFailure), failure);
				long left = Durations.nanos(this.afterFailure);
				while (left > 0 && !this.stopped) {
					left = this.changed.awaitNanos(left);
				}
				again = !this.stopped;
			}
		}
		catch (InterruptedException ex) {
			logger.debug("The wait for a list of slots was interrupted");
		}
		finally {
			this.helping = again;
			this.lock.unlock();
		}
		return again;
	}

	// Returns whether the slots of a list were lost meanwhile, or were listed together
	// with all others because the version expired.
	private boolean isUseless(GainedList<T> list) {
		return this.stopped || list.slots().within(this.slots.held()).minus(this.slots.full()).isEmpty();
	}

	private @Nullable GainedList<T> next() {
		this.lock.lock();
		try {
			this.listing = toList();
			if (this.listing.isEmpty() || this.sink == null) {
				this.helping = false;
				return null;
			}
			this.gainFilter = ShardFilter.of(this.slots.division(), this.listing.slots());
			return new GainedList<>(this.sink, this.listing, this.newest);
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable SlotLister<T> lister() {
		this.lock.lock();
		try {
			if (this.lister == null && this.listers != null && !this.stopped) {
				this.lister = this.listers.apply(this.connections.apply(() -> this.gainFilter));
			}
			return this.lister;
		}
		finally {
			this.lock.unlock();
		}
	}

	// Called by the reflector's thread.

	/**
	 * Begins a list of all held slots.
	 * @param state the state of the reflector
	 * @return the requested slots
	 */
	HeldSlots beginList(ReflectorState state) {
		this.lock.lock();
		try {
			this.newest = state.versions().newest();
			this.asked = this.slots.held();
			this.listingAll = this.asked;
			this.taken = HeldSlots.none();
			this.requested = this.asked;
			this.filter = ShardFilter.of(this.slots.division(), this.asked.slots());
			return this.asked;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Begins a watch of all slots whose full state is in the store.
	 * @param state the state of the reflector
	 */
	void beginWatch(ReflectorState state) {
		this.lock.lock();
		try {
			this.newest = state.versions().newest();
			this.listingAll = HeldSlots.none();
			this.taken = HeldSlots.none();
			this.requested = this.slots.full();
			this.filter = ShardFilter.of(this.slots.division(), this.requested.slots());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Notes that the watch of the last request is open.
	 */
	void watchOpened() {
		this.lock.lock();
		try {
			this.watched = this.requested;
			this.listingAll = HeldSlots.none();
			this.turned = false;
			turnWatch();
			help();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Notes that the watch has ended.
	 * @return {@code true} if this class has ended the watch
	 */
	boolean watchEnded() {
		this.lock.lock();
		try {
			this.watched = null;
			return this.turned;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Decides what the reflector does before its next request.
	 * @param step the next request unless slots were gained or lost
	 * @return the choice
	 */
	SlotDecisions.Turn turn(Decision.Step step) {
		this.lock.lock();
		try {
			return SlotDecisions.turn(this.slots.isSettled(), this.slots.held(), this.slots.full(), this.asked, step);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes a complete list of gained slots.
	 * @return the list; {@code null} if there is none
	 */
	@Nullable GainedList<T> take() {
		this.lock.lock();
		try {
			GainedList<T> list = this.complete.poll();
			this.taken = (list != null) ? this.taken.and(list.slots()) : this.taken;
			return list;
		}
		finally {
			this.lock.unlock();
		}
	}

	long changes() {
		this.lock.lock();
		try {
			return this.changes;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until slots are gained or lost, or a list of gained slots is complete.
	 * @param since the number of changes that the caller has taken into account
	 * @throws InterruptedException if the thread is interrupted
	 */
	void awaitChange(long since) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			while (this.changes == since && !this.stopped) {
				this.changed.await();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Ends all waits and lists. */
	void stop() {
		this.stopped = true;
		this.lock.lock();
		try {
			this.changed.signalAll();
			if (this.lister != null) {
				this.lister.close();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

}
