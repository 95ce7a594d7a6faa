package dev.kubeinformer.benchmark.compare.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.util.Config;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.HandlerOptions;
import dev.kubeinformer.Informer;
import dev.kubeinformer.Informers;
import dev.kubeinformer.ResourceEvent;
import dev.kubeinformer.benchmark.compare.ObjectsState;

/**
 * The informer of this project.
 */
final class OurInformer implements ComparedInformer {

	private @Nullable Informers informers;

	private @Nullable Informer<V1Pod> informer;

	@Override
	public void start(Path kubeconfig, List<PodListener> listeners) throws IOException {
		Informers all = Informers.builder(Config.fromConfig(Files.newBufferedReader(kubeconfig))).build();
		Informer<V1Pod> pods = all.informer(V1Pod.class);
		listeners
			.forEach((listener) -> pods.addHandler((event) -> deliver(listener, event), HandlerOptions.defaults()));
		this.informers = all;
		this.informer = pods;
		all.start();
	}

	private static void deliver(PodListener listener, ResourceEvent<V1Pod> event) {
		switch (event.type()) {
			case ADD -> listener.added(hashOf(event.object()));
			case UPDATE -> listener.updated(hashOf(Objects.requireNonNull(event.oldObject())), hashOf(event.object()),
					Objects.requireNonNull(event.object().getMetadata()).getAnnotations());
			case DELETE -> listener.deleted(hashOf(event.object()));
		}
	}

	@Override
	public @Nullable Object get(PodName name) {
		return started().snapshot().get(name.namespace(), name.name());
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

	private Informer<V1Pod> started() {
		return Objects.requireNonNull(this.informer, "not started");
	}

	@Override
	public void close() {
		if (this.informers != null) {
			this.informers.close();
		}
	}

}
