package dev.kubeinformer.benchmark.compare.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.benchmark.compare.ObjectsState;
import dev.kubeinformer.benchmark.custom.Widget;

/**
 * Informer of the official client, as in its examples.
 *
 * @param <T> the model class
 */
final class OfficialInformer<T extends KubernetesObject> implements ComparedInformer {

	private @Nullable SharedInformerFactory factory;

	private final Source<T> source;

	private @Nullable SharedIndexInformer<T> informer;

	private OfficialInformer(Source<T> source) {
		this.source = source;
	}

	static ComparedInformer pods() {
		return new OfficialInformer<V1Pod>((all, client) -> {
			CoreV1Api api = new CoreV1Api(client);
			return all.sharedIndexInformerFor((CallGeneratorParams parameters) -> api.listPodForAllNamespaces()
				.resourceVersion(parameters.resourceVersion)
				.timeoutSeconds(parameters.timeoutSeconds)
				.watch(parameters.watch)
				.buildCall(null), V1Pod.class, V1PodList.class);
		});
	}

	static ComparedInformer widgets() {
		return new OfficialInformer<Widget>(
				(all, client) -> all.sharedIndexInformerFor(new GenericKubernetesApi<>(Widget.class, WidgetList.class,
						"bench.example.com", "v1", "widgets", client), Widget.class, 0));
	}

	@Override
	public void start(Path kubeconfig, List<ObjectListener> listeners) throws IOException {
		ApiClient client = Config.fromConfig(Files.newBufferedReader(kubeconfig));
		SharedInformerFactory all = new SharedInformerFactory(client);
		SharedIndexInformer<T> objects = this.source.informer(all, client);
		listeners.forEach((listener) -> objects.addEventHandler(new Handler<>(listener)));
		this.factory = all;
		this.informer = objects;
		all.startAllRegisteredInformers();
	}

	@Override
	public @Nullable Object get(ObjectName name) {
		return started().getIndexer().getByKey(name.key());
	}

	@Override
	public Collection<?> cached() {
		return started().getIndexer().list();
	}

	@Override
	public ObjectName name(Object object) {
		V1ObjectMeta metadata = Objects.requireNonNull(((KubernetesObject) object).getMetadata());
		return ObjectName.of(metadata.getNamespace(), metadata.getName());
	}

	@Override
	public long hash(Object object) {
		return hashOf((KubernetesObject) object);
	}

	private static long hashOf(KubernetesObject object) {
		V1ObjectMeta metadata = Objects.requireNonNull(object.getMetadata());
		return ObjectsState.hash(metadata.getNamespace(), metadata.getName(), metadata.getResourceVersion());
	}

	private SharedIndexInformer<T> started() {
		return Objects.requireNonNull(this.informer, "not started");
	}

	@Override
	public void close() {
		if (this.factory != null) {
			this.factory.stopAllRegisteredInformers();
		}
	}

	private record Handler<T extends KubernetesObject>(ObjectListener listener) implements ResourceEventHandler<T> {

		@Override
		public void onAdd(T object) {
			this.listener.added(hashOf(object));
		}

		@Override
		public void onUpdate(T before, T after) {
			this.listener.updated(hashOf(before), hashOf(after),
					Objects.requireNonNull(after.getMetadata()).getAnnotations());
		}

		@Override
		public void onDelete(T object, boolean finalStateUnknown) {
			this.listener.deleted(hashOf(object));
		}

	}

	/**
	 * Sets up the informer of a resource.
	 *
	 * @param <T> the model class
	 */
	private interface Source<T extends KubernetesObject> {

		SharedIndexInformer<T> informer(SharedInformerFactory all, ApiClient client);

	}

}
