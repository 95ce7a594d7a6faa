package dev.kubeinformer.test.internal.fault;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.http.Exchange;
import dev.kubeinformer.test.internal.request.ApiRequest;

/**
 * Active faults, in the order of their creation. The first one that matches a request
 * hits it.
 */
public final class FaultRules {

	private final List<FaultRule> rules = new CopyOnWriteArrayList<>();

	/**
	 * Adds a fault.
	 * @param pattern the requests to hit
	 * @param times the maximum number of hits
	 * @param delay the time between a request and the effect, or {@code null} for none
	 * @param effect the effect
	 * @return the fault
	 */
	public FaultRule add(Predicate<? super ApiRequest> pattern, int times, @Nullable Duration delay, Effect effect) {
		FaultRule rule = new FaultRule(this, pattern, times, delay, effect);
		this.rules.add(rule);
		return rule;
	}

	void remove(FaultRule rule) {
		this.rules.remove(rule);
	}

	// Removes all faults. Held requests continue.
	public void clear() {
		this.rules.forEach(FaultRule::remove);
	}

	// Removes all faults. Held requests are cut and never executed.
	public void discard() {
		this.rules.forEach(FaultRule::discard);
	}

	/**
	 * Responds to a request with the effect of the fault that hits the request, or as
	 * usual if no fault does.
	 * @param exchange the request
	 * @param usual serves the request as usual
	 */
	public void answer(Exchange exchange, Runnable usual) {
		for (FaultRule rule : this.rules) {
			if (rule.hit(exchange.recorded())) {
				rule.apply(exchange, usual);
				return;
			}
		}
		usual.run();
	}

	/**
	 * Cuts the connections of all requests that are held.
	 */
	public void cutHeld() {
		this.rules.forEach(FaultRule::abortHeld);
	}

}
