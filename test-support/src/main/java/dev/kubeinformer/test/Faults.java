package dev.kubeinformer.test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.test.internal.fault.Corruptions;
import dev.kubeinformer.test.internal.fault.Effect;
import dev.kubeinformer.test.internal.fault.FaultRule;
import dev.kubeinformer.test.internal.fault.FaultRules;
import dev.kubeinformer.test.internal.fault.WatchDelays;
import dev.kubeinformer.test.internal.resource.GroupResource;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceTypes;

/**
 * Injects faults into an {@link EmbeddedKubernetes}, such as
 * {@code faults.on(Requests.list("pods")).times(2).status(503)}. If several active faults
 * match a request, the oldest one hits it. Removing a fault also ends its effect on
 * requests that it has already hit: held requests continue, and open watches are not cut
 * later.
 */
public final class Faults {

	private final ResourceTypes types;

	private final Corruptions corruptions;

	private final WatchDelays lags;

	private final FaultRules rules;

	Faults(ResourceTypes types, Corruptions corruptions, WatchDelays lags, FaultRules rules) {
		this.types = types;
		this.corruptions = corruptions;
		this.lags = lags;
		this.rules = rules;
	}

	/**
	 * Creates a builder of a fault.
	 * @param pattern the requests to hit, mostly one of {@link Requests}
	 * @return the builder
	 */
	public FaultBuilder on(Predicate<? super RecordedRequest> pattern) {
		return new FaultBuilder(this, pattern);
	}

	/**
	 * Serves a changed form of an object to all clients, in gets, lists and watches. Open
	 * watches receive the changed form with the next update of the object.
	 * @param model the model class of the resource
	 * @param namespace the namespace, or {@code null} for an object of the cluster
	 * @param name the name
	 * @param change the function from the stored text to the served text, which may be
	 * invalid JSON; items of a list have no kind and apiVersion
	 * @return the fault, whose hits count how often the object was served
	 */
	public Fault corrupt(Class<? extends KubernetesObject> model, @Nullable String namespace, String name,
			UnaryOperator<String> change) {
		GroupResource resource = this.types.forModel(model).resource();
		ObjectKey key = ObjectKey.of(namespace, name);
		AtomicInteger hits = new AtomicInteger();
		UnaryOperator<String> counting = (json) -> {
			hits.incrementAndGet();
			return change.apply(json);
		};
		this.corruptions.put(resource, key, counting);
		return new Fault() {

			@Override
			public void remove() {
				Faults.this.corruptions.remove(resource, key, counting);
			}

			@Override
			public int hits() {
				return hits.get();
			}

		};
	}

	/**
	 * Sends changes late to all watches.
	 * @param lag the time between a write and its event
	 * @return the fault
	 * @see #watchLag(Predicate, Duration)
	 */
	public Fault watchLag(Duration lag) {
		return watchLag((watch) -> true, lag);
	}

	/**
	 * Sends changes late to watches, like an API server whose watch cache lags behind:
	 * each event is sent after this delay, in order, and bookmarks are delayed in the
	 * same way. Gets, lists and the initial objects of a watch are current. The lag also
	 * affects open watches, and can be combined with other faults. If several lags match
	 * a watch, the newest one applies: call this method again to change the lag, or with
	 * {@link Duration#ZERO} to end it. When the fault is removed, held events are sent at
	 * once, except to watches that have ended.
	 * @param pattern the watches to hit, mostly {@link Requests#watch}
	 * @param lag the time between a write and its event
	 * @return the fault, whose hits count the delayed watches
	 * @throws IllegalArgumentException if the lag is negative
	 */
	public Fault watchLag(Predicate<? super RecordedRequest> pattern, Duration lag) {
		Checks.notNegative("Lag of watches", lag);
		WatchDelays.Rule rule = this.lags.add((request) -> pattern.test(RecordedRequest.of(request)), lag);
		return new Fault() {

			@Override
			public void remove() {
				Faults.this.lags.remove(rule);
			}

			@Override
			public int hits() {
				return rule.hits();
			}

		};
	}

	/**
	 * Removes all faults. Held requests continue.
	 */
	public void clear() {
		this.rules.clear();
		this.corruptions.clear();
		this.lags.clear();
	}

	Fault add(Predicate<? super RecordedRequest> pattern, int times, @Nullable Duration delay, Effect effect) {
		FaultRule rule = this.rules.add((request) -> pattern.test(RecordedRequest.of(request)), times, delay, effect);
		return new Fault() {

			@Override
			public void remove() {
				rule.remove();
			}

			@Override
			public int hits() {
				return rule.hits();
			}

		};
	}

}
