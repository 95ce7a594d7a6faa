package dev.kubeinformer.spring.reconciler;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.kubernetes.client.common.KubernetesObject;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.function.SingletonSupplier;

import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.inject.CacheSyncAwaiter;
import dev.kubeinformer.spring.inject.InjectedInformers;
import dev.kubeinformer.spring.inject.WaitingCallback;
import dev.kubeinformer.spring.reconciler.method.MapMethod;
import dev.kubeinformer.spring.reconciler.method.RunMethod;
import dev.kubeinformer.spring.settings.InformerIds;
import dev.kubeinformer.types.ObjectKey;

/**
 * Creates the functions that call reconciler beans. A bean is obtained at its first run,
 * so that a lazy bean stays lazy. This run waits for the caches that are injected into
 * the bean.
 */
final class ReconcilerBody {

	private final ConfigurableListableBeanFactory beanFactory;

	private final InjectedInformers injected;

	private final CacheSyncAwaiter wait;

	private final List<ReconcilerDecorator> decorators;

	ReconcilerBody(ConfigurableListableBeanFactory beanFactory, ClusterRuntimes clusters, InjectedInformers injected,
			List<ReconcilerDecorator> decorators) {
		this.beanFactory = beanFactory;
		this.injected = injected;
		this.wait = new CacheSyncAwaiter(clusters);
		this.decorators = decorators;
	}

	Calls of(AnnotatedBean<Reconciler> bean, String cluster) {
		Supplier<Object> instance = SingletonSupplier.of(() -> this.beanFactory.getBean(bean.name()));
		// A wait need not check whether the reconciler is running, because a waiting run
		// is interrupted when it times out or its reconciler stops.
		WaitingCallback callback = new WaitingCallback(this.injected, instance,
				() -> this.injected.readBy(this.beanFactory, bean.name()), this.wait, () -> true);
		return new Calls(this, cluster, instance, callback);
	}

	/**
	 * Creates the functions that call one bean.
	 *
	 * @param body the factory of the decorated functions
	 * @param cluster the name of the cluster
	 * @param bean the supplier of the bean
	 * @param callback the callback that waits for the caches of the bean
	 */
	record Calls(ReconcilerBody body, String cluster, Supplier<Object> bean, WaitingCallback callback) {

		<T extends KubernetesObject> ReconcileFunction<T> run(RunMethod method, String id, ResourceType<T> type,
				boolean cleanup) {
			ReconcileFunction<T> function = (object, run) -> {
				AtomicReference<Result> result = new AtomicReference<>(Result.done());
				this.callback.run(() -> result.set(method.call(this.bean.get(), object, run)));
				return Objects.requireNonNull(result.get());
			};
			List<ReconcilerDecorator> decorators = this.body.decorators;
			for (int i = decorators.size() - 1; i >= 0; i--) {
				function = decorators.get(i).decorate(function, InformerIds.qualified(this.cluster, id), type, cleanup);
			}
			return function;
		}

		Stream<ObjectKey> map(MapMethod method, KubernetesObject object) throws Exception {
			AtomicReference<Stream<ObjectKey>> keys = new AtomicReference<>(Stream.empty());
			this.callback.run(() -> keys.set(method.keys(this.bean.get(), object)));
			return Objects.requireNonNull(keys.get());
		}

	}

}
