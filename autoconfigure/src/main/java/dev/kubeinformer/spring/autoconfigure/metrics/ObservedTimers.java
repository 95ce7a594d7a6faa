package dev.kubeinformer.spring.autoconfigure.metrics;

import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;

/**
 * The timers that Micrometer makes of observations of a name.
 *
 * @param names the names of the timers
 */
record ObservedTimers(List<String> names) {

	static ObservedTimers of(String observation) {
		return new ObservedTimers(List.of(observation, observation + ".active"));
	}

	/**
	 * Removes all of them, whatever their tags.
	 * @param registry where they are
	 */
	void removeFrom(MeterRegistry registry) {
		removeFrom(registry, Tags.empty());
	}

	/**
	 * Removes those of certain tags.
	 * @param registry where they are
	 * @param tags the tags, beside which they may have others
	 */
	void removeFrom(MeterRegistry registry, Iterable<Tag> tags) {
		this.names.forEach((name) -> registry.find(name).tags(tags).meters().forEach(registry::remove));
	}

}
