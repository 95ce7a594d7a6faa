package dev.kubeinformer.benchmark.compare.client;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.benchmark.compare.ObjectsState;

/**
 * Informer of fabric8's client, with that client's default HTTP client.
 *
 * @param <T> the model class
 */
final class FabricInformer<T extends HasMetadata> implements ComparedInformer {

	private final Function<KubernetesClient, AnyNamespaceOperation<T, ?, ? extends Resource<T>>> objects;

	private @Nullable KubernetesClient client;

	private @Nullable SharedIndexInformer<T> informer;

	private FabricInformer(Function<KubernetesClient, AnyNamespaceOperation<T, ?, ? extends Resource<T>>> objects) {
		this.objects = objects;
	}

	static ComparedInformer pods() {
		return new FabricInformer<>((client) -> client.pods().inAnyNamespace());
	}

	static ComparedInformer widgets() {
		return new FabricInformer<>((client) -> client.resources(FabricWidget.class).inAnyNamespace());
	}

	/**
	 * Returns an informer on widgets without a model class.
	 * @return the informer
	 */
	static ComparedInformer genericWidgets() {
		ResourceDefinitionContext widgets = new ResourceDefinitionContext.Builder().withGroup("bench.example.com")
			.withVersion("v1")
			.withKind("Widget")
			.withPlural("widgets")
			.withNamespaced(true)
			.build();
		return new FabricInformer<>((client) -> client.genericKubernetesResources(widgets).inAnyNamespace());
	}

	@Override
	public void start(Path kubeconfig, List<ObjectListener> listeners) {
		KubernetesClient created = new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(kubeconfig.toFile()))
			.build();
		SharedIndexInformer<T> all = this.objects.apply(created).runnableInformer(0);
		listeners.forEach((listener) -> all.addEventHandler(new Handler<>(listener)));
		this.client = created;
		this.informer = all;
		all.start();
	}

	@Override
	public @Nullable Object get(ObjectName name) {
		return started().getStore().getByKey(name.key());
	}

	@Override
	public Collection<?> cached() {
		return started().getStore().list();
	}

	@Override
	public ObjectName name(Object object) {
		ObjectMeta metadata = ((HasMetadata) object).getMetadata();
		return ObjectName.of(metadata.getNamespace(), metadata.getName());
	}

	@Override
	public long hash(Object object) {
		return hashOf((HasMetadata) object);
	}

	private static long hashOf(HasMetadata object) {
		ObjectMeta metadata = object.getMetadata();
		return ObjectsState.hash(metadata.getNamespace(), metadata.getName(), metadata.getResourceVersion());
	}

	private SharedIndexInformer<T> started() {
		return Objects.requireNonNull(this.informer, "not started");
	}

	@Override
	public void close() {
		if (this.client != null) {
			this.client.close();
		}
	}

	private record Handler<T extends HasMetadata>(ObjectListener listener) implements ResourceEventHandler<T> {

		@Override
		public void onAdd(T object) {
			this.listener.added(hashOf(object));
		}

		@Override
		public void onUpdate(T before, T after) {
			this.listener.updated(hashOf(before), hashOf(after), after.getMetadata().getAnnotations());
		}

		@Override
		public void onDelete(T object, boolean finalStateUnknown) {
			this.listener.deleted(hashOf(object));
		}

	}

}
