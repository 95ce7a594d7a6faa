package dev.kubeinformer.spring.autoconfigure.metrics;

import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;

/**
 * Timers that Micrometer creates for observations of one name.
 *
 * @param names the names of the timers
 */
record ObservedTimers(List<String> names) {

	static ObservedTimers of(String observation) {
		return new ObservedTimers(List.of(observation, observation + ".active"));
	}

	/**
	 * Removes these timers, whatever their tags are.
	 * @param registry the registry of the timers
	 */
	void removeFrom(MeterRegistry registry) {
		removeFrom(registry, Tags.empty());
	}

	/**
	 * Removes the timers that have certain tags.
	 * @param registry the registry of the timers
	 * @param tags the tags; the timers may have additional ones
	 */
	void removeFrom(MeterRegistry registry, Iterable<Tag> tags) {
		this.names.forEach((name) -> registry.find(name).tags(tags).meters().forEach(registry::remove));
	}

}
