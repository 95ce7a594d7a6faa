package dev.kubeinformer.spring.autoconfigure.definitions;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.openapi.ApiClient;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanClassLoaderAware;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.ClassUtils;

import dev.kubeinformer.spring.autoconfigure.properties.DefinitionsProperties;
import dev.kubeinformer.spring.bean.StartWait;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.rbac.UsedResources;
import dev.kubeinformer.spring.settings.InformerConfigurationException;

/**
 * Makes the informers of each cluster apply the definitions of the application's classes
 * before they connect. Every replica does this, not only the leader. Does nothing unless
 * {@code kubernetes.definitions.apply} is set. The bean always exists, because
 * ahead-of-time processing would decide at build time whether a conditional bean exists.
 * <p>
 * Internal to the starter.
 */
public final class DefinitionsLifecycle implements SmartLifecycle, BeanClassLoaderAware, ClusterRuntimes.Listener {

	private static final String GENERATOR = "dev.kubeinformer.definitions.CustomResourceDefinitions";

	private final DefinitionsProperties properties;

	private final UsedResources used;

	private final int phase;

	private @Nullable ClassLoader classLoader;

	private volatile boolean running;

	/**
	 * Number of calls of {@link #stop()}. A call cancels every apply that began before
	 * it.
	 */
	private final AtomicInteger stops = new AtomicInteger();

	/**
	 * Creates the lifecycle.
	 * @param properties the properties
	 * @param used the resources that the application uses
	 * @param phase the lifecycle phase, before that of the informers
	 */
	public DefinitionsLifecycle(DefinitionsProperties properties, UsedResources used, int phase) {
		this.properties = properties;
		this.used = used;
		this.phase = phase;
	}

	@Override
	public void setBeanClassLoader(ClassLoader classLoader) {
		this.classLoader = classLoader;
	}

	@Override
	public void start() {
		this.running = true;
		if (!this.properties.apply()) {
			return;
		}
		if (!ClassUtils.isPresent(GENERATOR, this.classLoader)) {
			throw new InformerConfigurationException(
					"'%s' is true, but the generator of CustomResourceDefinitions is not on the class path"
						.formatted(DefinitionsProperties.APPLY),
					"Add the dependency 'dev.kubeinformer:kubernetes-informer-definitions', or set '%s' to false."
						.formatted(DefinitionsProperties.APPLY));
		}
		this.used.clusters().addListener(this);
		this.used.clusters().all().forEach(this::added);
	}

	// The informers apply the definitions at each of their starts, on the starting
	// thread.
	@Override
	public void added(ClusterRuntime cluster) {
		cluster.informers().hooks().prepareCluster((client) -> apply(cluster, client));
	}

	private void apply(ClusterRuntime cluster, ApiClient client) {
		int stopsBefore = this.stops.get();
		List<Class<?>> classes = this.used.customClasses(cluster.name());
		if (!classes.isEmpty()) {
			StartWait.run("the CustomResourceDefinitions of cluster '%s'".formatted(cluster.name()),
					() -> DefinitionApplier.apply(cluster.name(), client, classes, this.properties,
							() -> this.stops.get() == stopsBefore));
		}
	}

	@Override
	public void stop() {
		this.stops.incrementAndGet();
		this.used.clusters().removeListener(this);
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return this.phase;
	}

}
