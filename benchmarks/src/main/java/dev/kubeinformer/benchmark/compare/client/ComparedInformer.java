package dev.kubeinformer.benchmark.compare.client;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.benchmark.compare.ObjectsState;
import dev.kubeinformer.benchmark.custom.Widget;

/**
 * The informer on all objects of one client, as its own documentation sets it up.
 */
interface ComparedInformer extends AutoCloseable {

	/**
	 * The informer of a client.
	 * @param setup what is measured
	 * @return the informer, nothing of whose client is created yet
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
	 * Creates the client and starts the informer; does not wait for its sync.
	 * @param kubeconfig the file that names the cluster
	 * @param listeners each becomes a handler
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
	 * All cached objects.
	 * @return the objects
	 */
	Collection<?> cached();

	/**
	 * The name of a cached object.
	 * @param object the object
	 * @return its name
	 */
	ObjectName name(Object object);

	/**
	 * The hash of a cached object.
	 * @param object the object
	 * @return its {@link ObjectsState#hash hash}
	 */
	long hash(Object object);

	/**
	 * What the cache holds.
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
	 * A namespace and a name.
	 *
	 * @param namespace the namespace
	 * @param name the name
	 * @param key both, as caches have them
	 */
	record ObjectName(String namespace, String name, String key) {

		static ObjectName of(String namespace, String name) {
			return new ObjectName(namespace, name, namespace + "/" + name);
		}

	}

}
