package dev.kubeinformer.benchmark.compare.client;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.benchmark.compare.ObjectsState;

/**
 * The informer on all pods of one client, as its own documentation sets it up.
 */
interface ComparedInformer extends AutoCloseable {

	/**
	 * The informer of a client.
	 * @param client the client's name
	 * @return the informer, nothing of whose client is created yet
	 */
	static ComparedInformer of(String client) {
		return switch (client) {
			case "ours" -> new OurInformer();
			case "official" -> new OfficialInformer();
			case "fabric8" -> new FabricInformer();
			default -> throw new IllegalArgumentException(
					"No client \"%s\"; there are ours, official, fabric8".formatted(client));
		};
	}

	/**
	 * Creates the client and starts the informer; does not wait for its sync.
	 * @param kubeconfig the file that names the cluster
	 * @param listeners each becomes a handler
	 * @throws Exception if the client cannot be created
	 */
	void start(Path kubeconfig, List<PodListener> listeners) throws Exception;

	/**
	 * Reads the cache.
	 * @param name the name
	 * @return the pod, if it is cached
	 */
	@Nullable Object get(PodName name);

	/**
	 * All cached pods.
	 * @return the pods
	 */
	Collection<?> cached();

	/**
	 * The name of a cached pod.
	 * @param pod the pod
	 * @return its name
	 */
	PodName name(Object pod);

	/**
	 * The hash of a cached pod.
	 * @param pod the pod
	 * @return its {@link ObjectsState#hash hash}
	 */
	long hash(Object pod);

	/**
	 * What the cache holds.
	 * @return the state
	 */
	default ObjectsState state() {
		ObjectsState state = ObjectsState.EMPTY;
		for (Object pod : cached()) {
			state = state.with(hash(pod));
		}
		return state;
	}

	/**
	 * A namespace and a name.
	 *
	 * @param namespace the namespace
	 * @param name the name
	 * @param key both, as caches have them
	 */
	record PodName(String namespace, String name, String key) {

		static PodName of(String namespace, String name) {
			return new PodName(namespace, name, namespace + "/" + name);
		}

	}

}
