package dev.kubeinformer.internal.reflector;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import dev.kubeinformer.internal.reflector.Outage.End;
import dev.kubeinformer.internal.reflector.Outage.Party;
import dev.kubeinformer.internal.transport.ApiConnection;

/**
 * Outages of the API server, as all reflectors of one client see them: while all of them
 * have lost it, one alone asks, and when it is answered the others come at once. Safe for
 * use by several threads.
 */
public final class Outages {

	private static final Logger logger = LoggerFactory.getLogger("dev.kubeinformer.Informers");

	private final ReentrantLock lock = new ReentrantLock();

	/** Guarded by the lock. */
	private final Outage outage;

	/** Guarded by the lock. */
	private final Map<Party, OutageSource<?>> sources = new HashMap<>();

	private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

	private final String server;

	private final LongSupplier nanoTime;

	/**
	 * Creates outages of which there is none.
	 * @param server what the API server is called in the log
	 * @param timings the durations of the protocol
	 * @param nanoTime the clock
	 * @param random the source of jitter, for the calling thread
	 */
	public Outages(String server, ReflectorTimings timings, LongSupplier nanoTime, Supplier<RandomGenerator> random) {
		this.server = server;
		this.outage = new Outage(timings, random);
		this.nanoTime = nanoTime;
	}

	/**
	 * Adds what is called when an outage is over. It is called by the thread of a
	 * reflector, and must not block.
	 * @param listener the listener
	 */
	public void addListener(Runnable listener) {
		this.listeners.add(listener);
	}

	/**
	 * Removes a listener.
	 * @param listener the listener, added before
	 */
	public void removeListener(Runnable listener) {
		this.listeners.remove(listener);
	}

	/**
	 * Adds a reflector.
	 * @param <T> the model class
	 * @param connection its requests
	 * @return what it asks and waits by, until it is closed
	 */
	<T extends KubernetesObject> OutageSource<T> source(ApiConnection<T> connection) {
		this.lock.lock();
		try {
			OutageSource<T> source = new OutageSource<>(this, this.lock.newCondition(), this.outage.join(), connection);
			this.sources.put(source.party(), source);
			return source;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Tells the state something, and the reflectors what follows. Calls nobody under the
	 * lock.
	 * @param told tells it, at the time that it is given, and returns the outage that it
	 * ends
	 */
	void tell(Told told) {
		End end;
		List<OutageSource<?>> recalled = new ArrayList<>();
		this.lock.lock();
		try {
			boolean before = this.outage.isActive();
			end = told.to(this.outage, this.nanoTime.getAsLong());
			if (this.outage.isActive() != before || end != null) {
				this.sources.values().forEach(OutageSource::signal);
			}
			signalNext();
			if (end != null) {
				end.recalled().forEach((party) -> recalled.add(this.sources.get(party)));
			}
		}
		finally {
			this.lock.unlock();
		}
		recalled.forEach(OutageSource::recall);
		if (end != null) {
			over(end);
		}
	}

	/**
	 * Lets the one whose turn is next look at the time: it may have changed. Called with
	 * the lock.
	 */
	void signalNext() {
		Party next = this.outage.next();
		OutageSource<?> source = (next != null) ? this.sources.get(next) : null;
		if (source != null) {
			source.signal();
		}
	}

	private void over(End end) {
		logger.atLevel(end.counts() ? Level.INFO : Level.DEBUG)
			.log("{} answers again after {} s; {} watches and lists that waited for it go on", this.server,
					end.duration().toMillis() / 1000.0, end.sources());
		for (Runnable listener : this.listeners) {
			try {
				listener.run();
			}
			catch (RuntimeException ex) {
				logger.warn("What waits for the API server could not be told that it answers again", ex);
			}
		}
	}

	/**
	 * Removes a reflector.
	 * @param source the reflector
	 */
	void remove(OutageSource<?> source) {
		this.lock.lock();
		try {
			this.sources.remove(source.party());
			this.outage.leave(source.party());
			source.signal();
			signalNext();
		}
		finally {
			this.lock.unlock();
		}
	}

	ReentrantLock lock() {
		return this.lock;
	}

	/**
	 * Returns the state.
	 * @return the state, for those who have the lock
	 */
	Outage outage() {
		return this.outage;
	}

	long now() {
		return this.nanoTime.getAsLong();
	}

	/**
	 * Something that the state is told.
	 */
	@FunctionalInterface
	interface Told {

		@Nullable End to(Outage outage, long now);

	}

}
