package dev.kubeinformer.spring.autoconfigure.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;

/**
 * Meters of one subject, such as an informer, in one registry. They share a prefix and
 * tags, and are removed together. Gauges do not keep strong references to the measured
 * objects.
 *
 * @param <S> the type of the subject
 */
abstract class SubjectMeters<S> {

	private final MeterRegistry registry;

	private final S subject;

	private final String prefix;

	private final Tags tags;

	private final List<Meter> meters = new ArrayList<>();

	/**
	 * Creates an instance without meters.
	 * @param registry the registry of the meters
	 * @param subject the measured subject
	 * @param prefix the prefix of the meters' names
	 * @param tags the common tags of the meters
	 */
	SubjectMeters(MeterRegistry registry, S subject, String prefix, Tags tags) {
		this.registry = registry;
		this.subject = subject;
		this.prefix = prefix;
		this.tags = tags;
	}

	final S subject() {
		return this.subject;
	}

	final MeterRegistry registry() {
		return this.registry;
	}

	final Tags tags() {
		return this.tags;
	}

	final <T> void gauge(String name, String description, T measured, ToDoubleFunction<T> value, String... tags) {
		added(Gauge.builder(this.prefix + name, measured, value)
			.description(description)
			.tags(this.tags)
			.tags(tags)
			.register(this.registry));
	}

	final <T> void timeGauge(String name, String description, T measured, TimeUnit unit, ToDoubleFunction<T> value) {
		added(TimeGauge.builder(this.prefix + name, measured, unit, value)
			.description(description)
			.tags(this.tags)
			.register(this.registry));
	}

	final <T> void functionCounter(String name, String description, T measured, ToDoubleFunction<T> value) {
		added(FunctionCounter.builder(this.prefix + name, measured, value)
			.description(description)
			.tags(this.tags)
			.register(this.registry));
	}

	final Counter counter(String name, String description, String... tags) {
		return added(Counter.builder(this.prefix + name)
			.description(description)
			.tags(this.tags)
			.tags(tags)
			.register(this.registry));
	}

	final Timer timer(String name, String description, String... tags) {
		return added(Timer.builder(this.prefix + name)
			.description(description)
			.tags(this.tags)
			.tags(tags)
			.register(this.registry));
	}

	private <M extends Meter> M added(M meter) {
		this.meters.add(meter);
		return meter;
	}

	/**
	 * Removes the meters before others with the same names and tags are registered.
	 */
	final void remove() {
		this.meters.forEach(this.registry::remove);
	}

	/**
	 * Removes the meters of a removed subject. Subclasses may also remove other
	 * measurements of the subject.
	 */
	void removeAll() {
		remove();
	}

}
