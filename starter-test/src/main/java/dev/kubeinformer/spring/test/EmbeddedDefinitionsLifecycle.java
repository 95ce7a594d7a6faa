package dev.kubeinformer.spring.test;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.handler.InformerHandlers;
import dev.kubeinformer.spring.rbac.UsedResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Creates the definitions of a context's custom resource classes before its informers
 * start. If an informer is requested later, the definition of its class is created before
 * this informer starts.
 */
class EmbeddedDefinitionsLifecycle implements SmartLifecycle, InformerListener, ClusterRuntimes.Listener {

	/**
	 * Phase that starts just before the informers, whose phase is
	 * {@code DEFAULT_PHASE - 4096}. A test that creates its own definitions can do so in
	 * an earlier phase.
	 */
	static final int PHASE = DEFAULT_PHASE - 4097;

	private final EmbeddedDefinitions definitions;

	private final EmbeddedClusters clusters;

	private final boolean enabled;

	private final ApplicationContext context;

	private final List<Runnable> ends = new ArrayList<>();

	private volatile boolean running;

	EmbeddedDefinitionsLifecycle(EmbeddedDefinitions definitions, EmbeddedClusters clusters, boolean enabled,
			ApplicationContext context) {
		this.definitions = definitions;
		this.clusters = clusters;
		this.enabled = enabled;
		this.context = context;
	}

	@Override
	public void start() {
		this.running = true;
		if (this.enabled) {
			this.clusters.names().forEach((cluster) -> add(cluster, types(cluster)));
			ContextLevels.informers(this.context).forEach((informers) -> {
				informers.addListener(this);
				this.ends.add(() -> informers.removeListener(this));
			});
			runtimes().forEach((runtimes) -> {
				runtimes.addListener(this);
				this.ends.add(() -> runtimes.removeListener(this));
			});
		}
	}

	private Set<Class<?>> types(String cluster) {
		Set<Class<?>> types = new LinkedHashSet<>();
		used().forEach((used) -> types.addAll(used.customClasses(cluster)));
		// The application may have informers that the starter did not create.
		ContextLevels.informers(this.context)
			.filter((informers) -> informers.cluster().equals(cluster))
			.flatMap((informers) -> informers.all().stream())
			.forEach((informer) -> types.addAll(types(informer)));
		return types;
	}

	private static List<Class<?>> types(Informer<?> informer) {
		Class<?> type = informer.spec().type().describedClass();
		boolean custom = type.isAnnotationPresent(KubernetesResource.class) && !UsedResources.isBuiltIn(type);
		return (custom) ? List.of(type) : List.of();
	}

	private Stream<UsedResources> used() {
		return ContextLevels.of(this.context)
			.filter((level) -> level.getBeanProvider(InformerHandlers.class).getIfAvailable() != null)
			.map(UsedResources::of);
	}

	private Stream<ClusterRuntimes> runtimes() {
		return ContextLevels.of(this.context)
			.flatMap((level) -> level.getBeansOfType(ClusterRuntimes.class).values().stream())
			.distinct();
	}

	private void add(String cluster, Collection<Class<?>> types) {
		EmbeddedKubernetes server = this.clusters.get(cluster);
		if (server != null && !types.isEmpty()) {
			this.definitions.add(server, types);
		}
	}

	@Override
	public void informerAdded(Informer<?> informer) {
		add(informer.cluster(), types(informer));
	}

	@Override
	public void added(ClusterRuntime cluster) {
		cluster.informers().addListener(this);
	}

	@Override
	public void stop() {
		this.ends.forEach(Runnable::run);
		this.ends.clear();
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
