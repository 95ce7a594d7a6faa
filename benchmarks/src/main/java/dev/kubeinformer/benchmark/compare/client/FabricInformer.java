package dev.kubeinformer.benchmark.compare.client;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.benchmark.compare.ObjectsState;

/**
 * The informer of fabric8's client, with the HTTP client that it brings.
 */
final class FabricInformer implements ComparedInformer {

	private @Nullable KubernetesClient client;

	private @Nullable SharedIndexInformer<Pod> informer;

	@Override
	public void start(Path kubeconfig, List<PodListener> listeners) {
		KubernetesClient created = new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
			.build();
		SharedIndexInformer<Pod> pods = created.pods().inAnyNamespace().runnableInformer(0);
		listeners.forEach((listener) -> pods.addEventHandler(new Handler(listener)));
		this.client = created;
		this.informer = pods;
		pods.start();
	}

	@Override
	public @Nullable Object get(PodName name) {
		return started().getStore().getByKey(name.key());
	}

	@Override
	public Collection<?> cached() {
		return started().getStore().list();
	}

	@Override
	public PodName name(Object pod) {
		ObjectMeta metadata = ((Pod) pod).getMetadata();
		return PodName.of(metadata.getNamespace(), metadata.getName());
	}

	@Override
	public long hash(Object pod) {
		return hashOf((Pod) pod);
	}

	private static long hashOf(Pod pod) {
		ObjectMeta metadata = pod.getMetadata();
		return ObjectsState.hash(metadata.getNamespace(), metadata.getName(), metadata.getResourceVersion());
	}

	private SharedIndexInformer<Pod> started() {
		return Objects.requireNonNull(this.informer, "not started");
	}

	@Override
	public void close() {
		if (this.client != null) {
			this.client.close();
		}
	}

	private record Handler(PodListener listener) implements ResourceEventHandler<Pod> {

		@Override
		public void onAdd(Pod pod) {
			this.listener.added(hashOf(pod));
		}

		@Override
		public void onUpdate(Pod before, Pod after) {
			this.listener.updated(hashOf(before), hashOf(after), after.getMetadata().getAnnotations());
		}

		@Override
		public void onDelete(Pod pod, boolean finalStateUnknown) {
			this.listener.deleted(hashOf(pod));
		}

	}

}
