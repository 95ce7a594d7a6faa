package dev.kubeinformer.spring.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.ApiClient;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;

/**
 * Runtimes of an application's clusters and the lifecycle of the named ones. Does not
 * implement {@link InformerClusters}, because an application or a test can replace that
 * bean separately. Internal to the starter.
 */
public final class DefaultClusterRuntimes implements ClusterRuntimes, AutoCloseable {

	private final ClusterRuntime byDefault;

	private final BiFunction<String, ApiClient, ClusterRuntime> factory;

	private final NavigableMap<String, ClusterStart> named = new ConcurrentSkipListMap<>();

	private final List<Listener> listeners = new CopyOnWriteArrayList<>();

	private final List<Member> members = new CopyOnWriteArrayList<>();

	/** Lock that is held while a cluster is added or removed. */
	private final ReentrantLock changes = new ReentrantLock();

	private volatile boolean multiple;

	private volatile boolean running;

	/** Whether the configured clusters belong to this context and not to its parent. */
	private final boolean own;

	/**
	 * Creates the clusters.
	 * @param byDefault the default cluster
	 * @param configured the configured clusters
	 * @param own {@code true} if this context starts and stops the configured clusters;
	 * {@code false} if its parent does
	 * @param factory the factory of the runtime of an added cluster
	 */
	public DefaultClusterRuntimes(ClusterRuntime byDefault, Collection<NamedCluster> configured, boolean own,
			BiFunction<String, ApiClient, ClusterRuntime> factory) {
		this.byDefault = byDefault;
		this.factory = factory;
		this.own = own;
		configured.forEach((cluster) -> this.named.put(cluster.runtime().name(), new ClusterStart(cluster)));
		this.multiple = !this.named.isEmpty();
	}

	Set<String> names() {
		return Collections.unmodifiableSet(new TreeSet<>(this.named.keySet()));
	}

	Informers get(String name) {
		return all().stream()
			.filter((cluster) -> cluster.name().equals(name))
			.findFirst()
			.map(ClusterRuntime::informers)
			.orElseThrow(() -> unknown(name));
	}

	private IllegalArgumentException unknown(String name) {
		return new IllegalArgumentException("There is no cluster '%s'; the clusters are %s".formatted(name,
				all().stream().map(ClusterRuntime::name).toList()));
	}

	Informers add(String name, ApiClient apiClient) {
		if (!InformerIds.isCluster(name)) {
			throw new IllegalArgumentException(
					"Invalid cluster name '%s': use lower-case letters, digits and '-'".formatted(name));
		}
		this.changes.lock();
		try {
			if (name.equals(InformerClusters.DEFAULT) || this.named.containsKey(name)) {
				throw new IllegalArgumentException(
						"Cluster '%s' exists; remove it first, or choose another name".formatted(name));
			}
			ClusterRuntime cluster = this.factory.apply(name, apiClient);
			ClusterStart start = new ClusterStart(NamedCluster.added(cluster));
			add(cluster, start);
			return cluster.informers();
		}
		finally {
			this.changes.unlock();
		}
	}

	private void add(ClusterRuntime cluster, ClusterStart start) {
		this.multiple = true;
		this.named.put(cluster.name(), start);
		boolean added = false;
		try {
			this.listeners.forEach((listener) -> listener.added(cluster));
			this.members.forEach((member) -> member.added(cluster));
			if (this.running) {
				start.start();
			}
			added = true;
		}
		catch (InformerConfigurationException ex) {
			throw new IllegalArgumentException("Cannot add cluster '%s': %s".formatted(cluster.name(), ex.getMessage()),
					ex);
		}
		finally {
			if (!added) {
				remove(start);
			}
		}
	}

	void remove(String name) {
		this.changes.lock();
		try {
			ClusterStart start = this.named.get(name);
			if (start == null) {
				throw name.equals(InformerClusters.DEFAULT)
						? new IllegalArgumentException("The default cluster cannot be removed") : unknown(name);
			}
			if (start.cluster().configured()) {
				throw new IllegalArgumentException(
						("Cluster '%s' is configured by 'kubernetes.clusters.%s' and cannot be "
								+ "removed, because beans that read it are injected")
							.formatted(name, name));
			}
			remove(start);
		}
		finally {
			this.changes.unlock();
		}
	}

	private void remove(ClusterStart start) {
		ClusterRuntime cluster = start.cluster().runtime();
		try {
			for (int i = this.members.size() - 1; i >= 0; i--) {
				this.members.get(i).removed(cluster);
			}
		}
		finally {
			this.named.remove(cluster.name());
			start.stop();
			cluster.informers().hooks().discard();
			this.listeners.forEach((listener) -> listener.removed(cluster));
		}
	}

	/**
	 * Starts the informers of all named clusters without waiting for them.
	 * @throws InformerConfigurationException if the configuration of a cluster is wrong
	 */
	public void start() {
		this.changes.lock();
		try {
			this.running = true;
			for (ClusterStart start : started()) {
				// A listener may have closed the application.
				if (this.running) {
					start.start();
				}
			}
		}
		finally {
			this.changes.unlock();
		}
	}

	/**
	 * Stops the informers of all named clusters concurrently. If a callback of informers
	 * requests the stop, these informers are stopped on the calling thread, because
	 * another thread would wait for the end of that callback.
	 */
	public void stop() {
		this.changes.lock();
		try {
			this.running = false;
			List<Thread> stops = new ArrayList<>();
			List<ClusterStart> own = new ArrayList<>();
			for (ClusterStart start : started()) {
				if (start.cluster().runtime().informers().hooks().isInCallback()) {
					own.add(start);
					continue;
				}
				Thread stop = new Thread(start::stop, "informers-stop-" + start.cluster().runtime().name());
				stop.start();
				stops.add(stop);
			}
			own.forEach(ClusterStart::stop);
			for (Thread stop : stops) {
				stop.join();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.changes.unlock();
		}
	}

	/**
	 * Returns whether there are informers to stop.
	 * @return {@code true} if informers of a named cluster are started
	 */
	public boolean isRunning() {
		return started().stream().anyMatch(ClusterStart::isStarted);
	}

	private List<ClusterStart> started() {
		return this.named.values().stream().filter((start) -> this.own || !start.cluster().configured()).toList();
	}

	// Spring also calls this method if the start of the application fails.
	@Override
	public void close() {
		stop();
	}

	@Override
	public List<ClusterRuntime> all() {
		return Stream
			.concat(Stream.of(this.byDefault), this.named.values().stream().map((start) -> start.cluster().runtime()))
			.toList();
	}

	@Override
	public boolean isStarted(Informer<?> informer) {
		ClusterStart start = this.named.get(informer.cluster());
		return (start != null) ? start.isStarted() || start.cluster().runtime().informers().isRunning()
				: this.byDefault.informers().isRunning();
	}

	@Override
	public boolean isMultiple() {
		return this.multiple;
	}

	@Override
	public void join(Member member, Consumer<List<ClusterRuntime>> begin) {
		this.changes.lock();
		try {
			begin.accept(all());
			this.members.add(member);
		}
		finally {
			this.changes.unlock();
		}
	}

	@Override
	public void leave(Member member) {
		this.members.remove(member);
	}

	@Override
	public void addListener(Listener listener) {
		this.listeners.add(listener);
	}

	@Override
	public void removeListener(Listener listener) {
		this.listeners.remove(listener);
	}

}
