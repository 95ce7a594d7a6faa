package dev.kubeinformer.benchmark.compare.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.Config;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.Informers;
import dev.kubeinformer.benchmark.compare.ObjectsState;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.informer.Informer;

/**
 * Informer of this project.
 *
 * @param <T> the model class
 */
final class OurInformer<T extends KubernetesObject> implements ComparedInformer {

	private final Class<T> model;

	private @Nullable Informers informers;

	private @Nullable Informer<T> informer;

	OurInformer(Class<T> model) {
		this.model = model;
	}

	@Override
	public void start(Path kubeconfig, List<ObjectListener> listeners) throws IOException {
		Informers all = Informers.builder(Config.fromConfig(Files.newBufferedReader(kubeconfig))).build();
		Informer<T> objects = all.informer(this.model);
		listeners
			.forEach((listener) -> objects.addHandler((event) -> deliver(listener, event), HandlerOptions.defaults()));
		this.informers = all;
		this.informer = objects;
		all.start();
	}

	private static void deliver(ObjectListener listener, ResourceEvent<?> event) {
		switch (event.type()) {
			case ADD -> listener.added(hashOf(event.object()));
			case UPDATE -> listener.updated(hashOf(Objects.requireNonNull(event.oldObject())), hashOf(event.object()),
					Objects.requireNonNull(event.object().getMetadata()).getAnnotations());
			case DELETE -> listener.deleted(hashOf(event.object()));
		}
	}

	@Override
	public @Nullable Object get(ObjectName name) {
		return started().snapshot().get(name.namespace(), name.name());
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

	private Informer<T> started() {
		return Objects.requireNonNull(this.informer, "not started");
	}

	@Override
	public void close() {
		if (this.informers != null) {
			this.informers.close();
		}
	}

}
