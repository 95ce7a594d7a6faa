package dev.kubeinformer;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.ResourceEvent;

/**
 * A handler that records every change delivered to it.
 */
final class PodWitness implements EventHandler<V1Pod> {

	private final List<PodChange> delivered = new ArrayList<>();

	@Override
	public synchronized void handle(ResourceEvent<V1Pod> event) {
		this.delivered.add(PodChange.of(event.type(), event.object()));
	}

	synchronized List<PodChange> delivered() {
		return List.copyOf(this.delivered);
	}

	/**
	 * Returns the changes of each pod that were delivered, in order.
	 * @param changes the changes
	 * @return the changes by name
	 */
	static Map<String, List<PodChange>> byName(List<PodChange> changes) {
		return changes.stream().collect(Collectors.groupingBy(PodChange::name, TreeMap::new, Collectors.toList()));
	}

	/**
	 * Returns how many changes were not delivered.
	 * @param history the changes
	 * @return their number
	 */
	long lost(List<PodChange> history) {
		Set<PodChange> heard = new HashSet<>(delivered());
		return history.stream().filter((change) -> !heard.contains(change)).count();
	}

	/**
	 * Returns how many changes were delivered again.
	 * @return their number
	 */
	long duplicated() {
		List<PodChange> all = delivered();
		return all.size() - all.stream().distinct().count();
	}

	/**
	 * Returns the pods there are, by what was delivered.
	 * @return their versions by name
	 */
	Map<String, String> state() {
		Map<String, String> state = new TreeMap<>();
		for (PodChange change : delivered()) {
			if (change.type() == ResourceEvent.Type.DELETE) {
				state.remove(change.name());
			}
			else {
				state.put(change.name(), change.version());
			}
		}
		return state;
	}

}
