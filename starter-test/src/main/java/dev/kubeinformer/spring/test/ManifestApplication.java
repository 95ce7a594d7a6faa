package dev.kubeinformer.spring.test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.LifecycleProcessor;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

import dev.kubeinformer.spring.cluster.InformerClusters;

/**
 * Application whose context is refreshed on an embedded API and then closed. Lifecycle
 * beans are not started: the web server, informers, handlers, reconcilers and leader
 * election. Scheduled methods and runners are not called.
 */
final class ManifestApplication extends SpringApplication {

	private static final String SCHEDULED = TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME;

	private static final long BOOKMARK_MILLIS = 60_000;

	private final String namespace;

	private final Consumer<ConfigurableApplicationContext> work;

	private @Nullable Throwable failure;

	ManifestApplication(Class<?> source, String namespace, Consumer<ConfigurableApplicationContext> work) {
		super(source);
		this.namespace = namespace;
		this.work = work;
		setBannerMode(Banner.Mode.OFF);
		setLogStartupInfo(false);
		setRegisterShutdownHook(false);
		setDefaultProperties(Map.of("logging.level.root", "WARN", "POD_NAMESPACE", namespace, "POD_NAME", "pod",
				"POD_IP", "127.0.0.1", "NODE_NAME", "node", "spring.main.cloud-platform", "kubernetes"));
		addInitializers(this::prepare);
	}

	/**
	 * Refreshes the context, calls the consumer of the constructor with it, and closes
	 * it.
	 * @param properties the arguments of the application
	 */
	void runOnce(List<String> properties) {
		List<String> arguments = new ArrayList<>(
				List.of("--spring.docker.compose.enabled=false", "--spring.devtools.restart.enabled=false"));
		arguments.addAll(properties);
		try {
			run(arguments.toArray(String[]::new));
		}
		catch (AbandonedRunException ex) {
			// Thrown by afterRefresh() to end the run.
		}
		if (this.failure instanceof RuntimeException exception) {
			throw exception;
		}
		if (this.failure instanceof Error error) {
			throw error;
		}
	}

	private void prepare(ConfigurableApplicationContext context) {
		new EmbeddedKubernetesContextCustomizer(BOOKMARK_MILLIS, false, this.namespace,
				clusters(context.getEnvironment()), false, true)
			.register(context);
		if (context.getBeanFactory() instanceof BeanDefinitionRegistry registry) {
			registry.registerBeanDefinition(AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME,
					new RootBeanDefinition(NothingStarts.class));
		}
		context.addBeanFactoryPostProcessor(withoutSchedules());
	}

	private static BeanFactoryPostProcessor withoutSchedules() {
		return (beans) -> {
			if (beans instanceof BeanDefinitionRegistry registry && registry.containsBeanDefinition(SCHEDULED)) {
				registry.removeBeanDefinition(SCHEDULED);
			}
		};
	}

	private static List<String> clusters(ConfigurableEnvironment environment) {
		Map<String, Object> clusters = Binder.get(environment)
			.bind("kubernetes.clusters", Bindable.mapOf(String.class, Object.class))
			.orElseGet(Map::of);
		TreeSet<String> names = new TreeSet<>(clusters.keySet());
		names.remove(InformerClusters.DEFAULT);
		return names.stream().filter((name) -> name.matches("[a-z0-9-]+")).toList();
	}

	@Override
	protected void afterRefresh(ConfigurableApplicationContext context, ApplicationArguments args) {
		try (context) {
			this.work.accept(context);
		}
		catch (RuntimeException | Error ex) {
			// Spring Boot would report this failure as a failed start of the application.
			this.failure = ex;
		}
		throw new AbandonedRunException(context);
	}

	/**
	 * {@link LifecycleProcessor} that does not start beans.
	 */
	static final class NothingStarts implements LifecycleProcessor {

		@Override
		public void onRefresh() {
		}

		@Override
		public void onClose() {
		}

		@Override
		public void start() {
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

	}

}
