package dev.kubeinformer.spring.autoconfigure.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.DisposableBean;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.observation.DefaultInformerHandlerObservationConvention;

/**
 * {@link MeterBinder} for the informers of an application and their handlers. Informers,
 * handlers and clusters may be added later. When a second cluster is added, all meters
 * get another tag and are created again.
 */
final class InformerMetrics implements MeterBinder, ClusterRuntimes.Listener, DisposableBean {

	private final ClusterRuntimes clusters;

	private final Lock lock = new ReentrantLock();

	private final List<Binding> bindings = new ArrayList<>();

	InformerMetrics(ClusterRuntimes clusters) {
		this.clusters = clusters;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.lock.lock();
		try {
			if (this.bindings.isEmpty()) {
				this.clusters.addListener(this);
			}
			Binding binding = new Binding(registry, ClusterTag.of(this.clusters.isMultiple()));
			this.bindings.add(binding);
			this.clusters.all().forEach((cluster) -> binding.add(cluster.name(), cluster.informers()));
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void added(ClusterRuntime cluster) {
		ClusterTag tag = ClusterTag.of(this.clusters.isMultiple());
		this.lock.lock();
		try {
			this.bindings.forEach((binding) -> {
				binding.tag(tag);
				binding.add(cluster.name(), cluster.informers());
			});
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void removed(ClusterRuntime cluster) {
		this.lock.lock();
		try {
			this.bindings.forEach((binding) -> binding.remove(cluster));
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void destroy() {
		this.clusters.removeListener(this);
		this.lock.lock();
		try {
			this.bindings.forEach(Binding::close);
			this.bindings.clear();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Meters in one registry.
	 */
	private static final class Binding {

		private final MeterRegistry registry;

		private final Map<String, RegistryInformerMeters> meters = new HashMap<>();

		private ClusterTag tag;

		Binding(MeterRegistry registry, ClusterTag tag) {
			this.registry = registry;
			this.tag = tag;
		}

		void add(String cluster, Informers informers) {
			RegistryInformerMeters present = this.meters.get(cluster);
			if (present != null && present.cluster() == informers) {
				return;
			}
			if (present != null) {
				present.close();
			}
			RegistryInformerMeters added = new RegistryInformerMeters(this.registry, this.tag, informers);
			this.meters.put(cluster, added);
			added.open();
		}

		void remove(ClusterRuntime cluster) {
			RegistryInformerMeters present = this.meters.get(cluster.name());
			if (present != null && present.cluster() == cluster.informers()) {
				this.meters.remove(cluster.name());
				present.close();
			}
		}

		void tag(ClusterTag wanted) {
			if (wanted == this.tag) {
				return;
			}
			Map<String, RegistryInformerMeters> all = Map.copyOf(this.meters);
			close();
			ObservedTimers.of(DefaultInformerHandlerObservationConvention.NAME).removeFrom(this.registry);
			this.tag = wanted;
			all.forEach((cluster, former) -> add(cluster, former.cluster()));
		}

		void close() {
			this.meters.values().forEach(RegistryInformerMeters::close);
			this.meters.clear();
		}

	}

}
