package dev.kubeinformer.test.internal.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import dev.kubeinformer.test.internal.request.ApiRequest;

/**
 * Active lags of watches. If several lags match a watch, the newest one applies. So a
 * test can add a new lag before it removes the old one.
 */
public final class WatchDelays {

	private final List<Rule> rules = new ArrayList<>();

	private final List<WatchLag> watches = new ArrayList<>();

	/**
	 * Adds a lag, which also affects open watches.
	 * @param pattern the watches to hit
	 * @param lag the delay between a change and its event
	 * @return the lag, which can be removed
	 */
	public synchronized Rule add(Predicate<? super ApiRequest> pattern, Duration lag) {
		Rule rule = new Rule(pattern, TimeUnit.NANOSECONDS.convert(lag));
		this.rules.add(0, rule);
		this.watches.forEach(this::assign);
		return rule;
	}

	public synchronized void remove(Rule rule) {
		this.rules.remove(rule);
		this.watches.forEach(this::assign);
	}

	public synchronized void clear() {
		this.rules.clear();
		this.watches.forEach(this::assign);
	}

	// Creates the lag of a watch that is not open yet.
	public WatchLag of(ApiRequest watch) {
		return new WatchLag(this, watch);
	}

	synchronized void open(WatchLag watch) {
		this.watches.add(watch);
		assign(watch);
	}

	synchronized void close(WatchLag watch) {
		this.watches.remove(watch);
	}

	private void assign(WatchLag watch) {
		watch.follow(this.rules.stream().filter((rule) -> rule.pattern.test(watch.request())).findFirst().orElse(null));
	}

	/**
	 * A lag and the watches that it hits.
	 */
	public static final class Rule {

		private final Predicate<? super ApiRequest> pattern;

		private final long nanos;

		private final AtomicInteger hits = new AtomicInteger();

		Rule(Predicate<? super ApiRequest> pattern, long nanos) {
			this.pattern = pattern;
			this.nanos = nanos;
		}

		long nanos() {
			return this.nanos;
		}

		void hit() {
			this.hits.incrementAndGet();
		}

		// Number of watches that the lag has hit.
		public int hits() {
			return this.hits.get();
		}

	}

}
