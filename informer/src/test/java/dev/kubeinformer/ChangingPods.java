package dev.kubeinformer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

import io.kubernetes.client.openapi.models.V1Pod;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.test.ApiResources;

/**
 * Pods that are created, updated and deleted at random, and the history of it. The pod
 * with the name {@code pN} has the label {@code n=N}.
 */
final class ChangingPods {

	private static final String NAMESPACE = "blog";

	private final ApiResources<V1Pod> resources;

	private final int count;

	private final Random random = new Random(42);

	private final List<PodChange> history = new ArrayList<>();

	private final Map<String, String> state = new TreeMap<>();

	ChangingPods(ApiResources<V1Pod> resources, int count) {
		this.resources = resources;
		this.count = count;
		for (int i = 0; i < count; i++) {
			create(i);
		}
	}

	/**
	 * Writes one change: of a pod that exists, an update three times out of four.
	 */
	synchronized void change() {
		int number = this.random.nextInt(this.count);
		if (!this.state.containsKey("p" + number)) {
			create(number);
		}
		else if (this.random.nextInt(4) == 0) {
			delete(number);
		}
		else {
			update(number);
		}
	}

	/**
	 * Writes a change of every pod.
	 */
	synchronized void changeAll() {
		for (int i = 0; i < this.count; i++) {
			if (this.state.containsKey("p" + i)) {
				update(i);
			}
			else {
				create(i);
			}
		}
	}

	private void create(int number) {
		wrote(ResourceEvent.Type.ADD, this.resources.create(pod(number)));
	}

	private void update(int number) {
		wrote(ResourceEvent.Type.UPDATE, this.resources.update(pod(number)));
	}

	private void delete(int number) {
		wrote(ResourceEvent.Type.DELETE, this.resources.delete(NAMESPACE, "p" + number));
	}

	private V1Pod pod(int number) {
		V1Pod pod = EngineTestSupport.pod(NAMESPACE, "p" + number);
		pod.getMetadata()
			.labels(new HashMap<>(Map.of("n", Integer.toString(number))))
			.putAnnotationsItem("change", Integer.toString(this.history.size()));
		return pod;
	}

	private void wrote(ResourceEvent.Type type, V1Pod pod) {
		PodChange change = PodChange.of(type, pod);
		this.history.add(change);
		if (type == ResourceEvent.Type.DELETE) {
			this.state.remove(change.name());
		}
		else {
			this.state.put(change.name(), change.version());
		}
	}

	synchronized List<PodChange> history() {
		return List.copyOf(this.history);
	}

	/**
	 * The pods that the server holds.
	 * @return their versions by name
	 */
	Map<String, String> onServer() {
		return versions(this.resources.list());
	}

	static Map<String, String> versions(List<V1Pod> pods) {
		Map<String, String> versions = new TreeMap<>();
		pods.forEach((pod) -> versions.put(pod.getMetadata().getName(), pod.getMetadata().getResourceVersion()));
		return versions;
	}

}
