package dev.kubeinformer.benchmark.compare.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

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
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.benchmark.compare.ObjectsState;

/**
 * The informer of the official client, as in its examples.
 */
final class OfficialInformer implements ComparedInformer {

	private @Nullable SharedInformerFactory factory;

	private @Nullable SharedIndexInformer<V1Pod> informer;

	@Override
	public void start(Path kubeconfig, List<PodListener> listeners) throws IOException {
		ApiClient client = Config.fromConfig(Files.newBufferedReader(kubeconfig));
		CoreV1Api api = new CoreV1Api(client);
		SharedInformerFactory all = new SharedInformerFactory(client);
		SharedIndexInformer<V1Pod> pods = all
			.sharedIndexInformerFor((CallGeneratorParams parameters) -> api.listPodForAllNamespaces()
				.resourceVersion(parameters.resourceVersion)
				.timeoutSeconds(parameters.timeoutSeconds)
				.watch(parameters.watch)
				.buildCall(null), V1Pod.class, V1PodList.class);
		listeners.forEach((listener) -> pods.addEventHandler(new Handler(listener)));
		this.factory = all;
		this.informer = pods;
		all.startAllRegisteredInformers();
	}

	@Override
	public @Nullable Object get(PodName name) {
		return started().getIndexer().getByKey(name.key());
	}

	@Override
	public Collection<?> cached() {
		return started().getIndexer().list();
	}

	@Override
	public PodName name(Object pod) {
		V1ObjectMeta metadata = Objects.requireNonNull(((V1Pod) pod).getMetadata());
		return PodName.of(metadata.getNamespace(), metadata.getName());
	}

	@Override
	public long hash(Object pod) {
		return hashOf((V1Pod) pod);
	}

	private static long hashOf(V1Pod pod) {
		V1ObjectMeta metadata = Objects.requireNonNull(pod.getMetadata());
		return ObjectsState.hash(metadata.getNamespace(), metadata.getName(), metadata.getResourceVersion());
	}

	private SharedIndexInformer<V1Pod> started() {
		return Objects.requireNonNull(this.informer, "not started");
	}

	@Override
	public void close() {
		if (this.factory != null) {
			this.factory.stopAllRegisteredInformers();
		}
	}

	private record Handler(PodListener listener) implements ResourceEventHandler<V1Pod> {

		@Override
		public void onAdd(V1Pod pod) {
			this.listener.added(hashOf(pod));
		}

		@Override
		public void onUpdate(V1Pod before, V1Pod after) {
			this.listener.updated(hashOf(before), hashOf(after),
					Objects.requireNonNull(after.getMetadata()).getAnnotations());
		}

		@Override
		public void onDelete(V1Pod pod, boolean finalStateUnknown) {
			this.listener.deleted(hashOf(pod));
		}

	}

}
