package dev.kubeinformer.benchmark.compare.client;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.benchmark.compare.ObjectsState;
import dev.kubeinformer.benchmark.custom.Widget;

/** Informer on all objects of one client, set up as in that client's documentation. */
interface ComparedInformer extends AutoCloseable {

	/**
	 * Creates the informer of a client.
	 * @param setup the scenario
	 * @return the informer, whose client is not created yet
	 */
	static ComparedInformer of(Setup setup) {
		ComparedInformer informer = switch (setup.resource()) {
			case PODS -> pods(setup.client());
			case WIDGETS -> widgets(setup.client());
		};
		if (informer == null) {
			throw new IllegalArgumentException(
					"No client \"%s\"; there are ours, official, fabric8, and for widgets fabric8-generic"
						.formatted(setup.client()));
		}
		return informer;
	}

	private static @Nullable ComparedInformer pods(String client) {
		return switch (client) {
			case "ours" -> new OurInformer<>(V1Pod.class);
			case "official" -> OfficialInformer.pods();
			case "fabric8" -> FabricInformer.pods();
			default -> null;
		};
	}

	private static @Nullable ComparedInformer widgets(String client) {
		return switch (client) {
			case "ours" -> new OurInformer<>(Widget.class);
			case "official" -> OfficialInformer.widgets();
			case "fabric8" -> FabricInformer.widgets();
			case "fabric8-generic" -> FabricInformer.genericWidgets();
			default -> null;
		};
	}

	/**
	 * Creates the client and starts the informer, without waiting for its sync.
	 * @param kubeconfig the kubeconfig of the cluster
	 * @param listeners the listeners, each of which becomes a handler
	 * @throws Exception if the client cannot be created
	 */
	void start(Path kubeconfig, List<ObjectListener> listeners) throws Exception;

	/**
	 * Reads the cache.
	 * @param name the name
	 * @return the object, if it is cached
	 */
	@Nullable Object get(ObjectName name);

	/**
	 * Returns all cached objects.
	 * @return the objects
	 */
	Collection<?> cached();

	/**
	 * Returns the name of a cached object.
	 * @param object the object
	 * @return the name
	 */
	ObjectName name(Object object);

	/**
	 * Returns the hash of a cached object.
	 * @param object the object
	 * @return the {@link ObjectsState#hash hash}
	 */
	long hash(Object object);

	/**
	 * Returns the state of the cache.
	 * @return the state
	 */
	default ObjectsState state() {
		ObjectsState state = ObjectsState.EMPTY;
		for (Object object : cached()) {
			state = state.with(hash(object));
		}
		return state;
	}

	/**
	 * Namespace and name.
	 *
	 * @param namespace the namespace
	 * @param name the name
	 * @param key the key of both in caches
	 */
	record ObjectName(String namespace, String name, String key) {

		static ObjectName of(String namespace, String name) {
			return new ObjectName(namespace, name, namespace + "/" + name);
		}

	}

}
