package dev.kubeinformer.internal.reflector;

import java.time.Duration;
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
import dev.kubeinformer.internal.reflector.Outage.Source;
import dev.kubeinformer.internal.transport.ApiConnection;

/**
 * Shares the knowledge of the reflectors of one client about outages of the API server.
 * While all of them have lost the server, only one of them sends requests. When it gets a
 * response, the others continue immediately. Safe for use by several threads.
 */
public final class Outages {

	private static final Logger logger = LoggerFactory.getLogger("dev.kubeinformer.Informers");

	/** Shortest outage that is logged at INFO. */
	private static final Duration NOTABLE = Duration.ofSeconds(1);

	private final ReentrantLock lock = new ReentrantLock();

	/** State of all sources; guarded by the lock. */
	private final Outage outage;

	/** Reflectors by source; guarded by the lock. */
	private final Map<Source, OutageSource<?>> sources = new HashMap<>();

	/** Whether there is an outage; written with the lock. */
	private volatile boolean away;

	private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

	private final String server;

	private final LongSupplier nanoTime;

	/**
	 * Creates an instance without reflectors and without an outage.
	 * @param server the subject of log messages, such as "The API server"
	 * @param timings the durations of the protocol
	 * @param nanoTime the clock
	 * @param random returns the source of jitter for the calling thread
	 */
	public Outages(String server, ReflectorTimings timings, LongSupplier nanoTime, Supplier<RandomGenerator> random) {
		this.server = server;
		this.outage = new Outage(timings, random);
		this.nanoTime = nanoTime;
	}

	/**
	 * Adds a listener. The thread of a reflector calls it when an outage is over, so the
	 * listener must not block.
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
	 * @param connection the connection on which the reflector sends its requests
	 * @return the source, on which the reflector sends its requests and waits until it is
	 * closed
	 */
	<T extends KubernetesObject> OutageSource<T> source(ApiConnection<T> connection) {
		this.lock.lock();
		try {
			OutageSource<T> source = new OutageSource<>(this, this.lock.newCondition(), this.outage.join(), connection);
			this.sources.put(source.state(), source);
			return source;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Applies a change to the state of all sources, and wakes the affected reflectors.
	 * Listeners are called without the lock.
	 * @param change the change
	 */
	void apply(Change change) {
		End end;
		boolean over;
		List<OutageSource<?>> recalled = new ArrayList<>();
		this.lock.lock();
		try {
			boolean before = this.away;
			end = change.apply(this.outage, this.nanoTime.getAsLong());
			this.away = this.outage.isActive();
			over = before && !this.away;
			if (this.away != before) {
				this.sources.values().forEach(OutageSource::signal);
			}
			signalNext();
			if (end != null) {
				end.recalled().forEach((each) -> recalled.add(this.sources.get(each)));
			}
		}
		finally {
			this.lock.unlock();
		}
		recalled.forEach(OutageSource::recall);
		if (end != null) {
			log(end);
		}
		if (over) {
			this.listeners.forEach(Outages::call);
		}
	}

	/**
	 * Wakes the reflector whose turn is next, because the time of its probe may have
	 * changed. Called with the lock.
	 */
	void signalNext() {
		Source next = this.outage.next();
		OutageSource<?> source = (next != null) ? this.sources.get(next) : null;
		if (source != null) {
			source.signal();
		}
	}

	private void log(End end) {
		boolean notable = end.counts() && end.duration().compareTo(NOTABLE) >= 0;
		logger.atLevel(notable ? Level.INFO : Level.DEBUG)
			.log("{} responds again after {} s; {} waiting watches and lists continue", this.server,
					end.duration().toMillis() / 1000.0, end.sources());
	}

	private static void call(Runnable listener) {
		try {
			listener.run();
		}
		catch (RuntimeException ex) {
			logger.warn("A listener of outages failed", ex);
		}
	}

	/**
	 * Removes a reflector.
	 * @param source the reflector
	 */
	void remove(OutageSource<?> source) {
		apply((outage, now) -> {
			this.sources.remove(source.state());
			outage.leave(source.state());
			return null;
		});
	}

	/**
	 * Returns whether all reflectors have lost the server. Lock-free.
	 * @return {@code true} during an outage
	 */
	public boolean isAway() {
		return this.away;
	}

	ReentrantLock lock() {
		return this.lock;
	}

	/**
	 * Returns the state of all sources.
	 * @return the state, guarded by the lock
	 */
	Outage outage() {
		return this.outage;
	}

	long now() {
		return this.nanoTime.getAsLong();
	}

	/**
	 * Change of the state of all sources.
	 */
	@FunctionalInterface
	interface Change {

		/**
		 * Changes the state.
		 * @param outage the state
		 * @param now the time
		 * @return the outage that the change ends; {@code null} if there is none
		 */
		@Nullable End apply(Outage outage, long now);

	}

}
