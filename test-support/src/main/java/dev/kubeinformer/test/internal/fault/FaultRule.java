package dev.kubeinformer.test.internal.fault;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.request.ApiRequest;

/**
 * Fault that requests can hit: the pattern of these requests, the number of hits and the
 * effect.
 */
public final class FaultRule {

	private final FaultRules rules;

	private final Predicate<? super ApiRequest> pattern;

	private final int times;

	private final @Nullable Duration delay;

	private final Effect effect;

	private final Set<Held> held = ConcurrentHashMap.newKeySet();

	private volatile boolean removed;

	private volatile boolean discarded;

	private int hits;

	FaultRule(FaultRules rules, Predicate<? super ApiRequest> pattern, int times, @Nullable Duration delay,
			Effect effect) {
		this.rules = rules;
		this.pattern = pattern;
		this.times = times;
		this.delay = delay;
		this.effect = effect;
	}

	// Returns whether the fault hits a request, and counts the hit.
	synchronized boolean hit(ApiRequest request) {
		if (this.removed || this.hits == this.times || !this.pattern.test(request)) {
			return false;
		}
		this.hits++;
		return true;
	}

	/**
	 * Applies the fault.
	 * @param exchange the request
	 * @param usual serves the request as usual
	 */
	void apply(Exchange exchange, Runnable usual) {
		if (this.delay == null) {
			this.effect.apply(this, exchange, usual);
			return;
		}
		Pause.beforeAnswer(this, exchange, this.delay, () -> applyLate(exchange, usual));
	}

	private void applyLate(Exchange exchange, Runnable usual) {
		if (this.removed) {
			usual.run();
		}
		else {
			this.effect.apply(this, exchange, usual);
		}
	}

	/**
	 * Registers a request that the fault holds, to notify it when the fault is removed.
	 * If the fault was already removed, the request is notified immediately.
	 * @param request the request
	 */
	public void hold(Held request) {
		this.held.add(request);
		if (this.removed) {
			notifyRemoval(request);
		}
	}

	private void notifyRemoval(Held request) {
		if (this.discarded) {
			request.discard();
		}
		else {
			request.goOn();
		}
	}

	public void release(Held request) {
		this.held.remove(request);
	}

	void abortHeld() {
		List.copyOf(this.held).forEach(Held::abort);
	}

	boolean isRemoved() {
		return this.removed;
	}

	/**
	 * Removes the fault, and continues the requests that it holds.
	 */
	public void remove() {
		this.removed = true;
		this.rules.remove(this);
		List.copyOf(this.held).forEach(this::notifyRemoval);
	}

	/**
	 * Removes the fault; the requests that it holds never get a response.
	 */
	public void discard() {
		this.discarded = true;
		remove();
	}

	boolean isDiscarded() {
		return this.discarded;
	}

	public synchronized int hits() {
		return this.hits;
	}

}
