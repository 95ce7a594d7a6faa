package dev.kubeinformer.spring.test;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;
import org.springframework.util.StringUtils;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.shard.Shards;
import dev.kubeinformer.spring.annotation.LeaderOnly;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.leader.ElectedLeadership;
import dev.kubeinformer.spring.reconciler.Reconcilers;
import dev.kubeinformer.spring.shard.ShardGroup;

/**
 * Facts about an application that its Deployment depends on, read from its context.
 *
 * @param context the context
 * @param environment the environment of the context
 */
record DeployedApplication(ApplicationContext context, Environment environment) {

	/**
	 * Fields of the downward API, by the environment variable through which a
	 * configuration may refer to the field.
	 */
	private static final Map<String, String> POD_FIELDS = Map.of("NODE_NAME", "spec.nodeName", "POD_IP", "status.podIP",
			"POD_NAME", "metadata.name", "POD_NAMESPACE", "metadata.namespace");

	private static final Logger logger = LoggerFactory.getLogger(DeployedApplication.class);

	static DeployedApplication of(ApplicationContext context) {
		return new DeployedApplication(context, context.getEnvironment());
	}

	/**
	 * Returns a name that is valid for every object.
	 * @param name the name to use; {@code null} for the name of the application
	 * @return the name
	 */
	String name(@Nullable String name) {
		String given = (name != null) ? name : this.environment.getProperty("spring.application.name", "");
		String valid = given.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
		valid = (valid.length() > 63) ? valid.substring(0, 63).replaceAll("-$", "") : valid;
		return valid.isEmpty() ? "application" : valid;
	}

	/**
	 * Returns the tag of the image.
	 * @param version the version to use; {@code null} for the version of the application
	 * @return the tag; {@code latest} if the version is unknown
	 */
	String tag(@Nullable String version) {
		String found = (version != null) ? version
				: this.environment.getProperty("spring.application.version", builtVersion());
		return found.replaceAll("[^A-Za-z0-9_.-]", "-");
	}

	private String builtVersion() {
		BuildProperties build = this.context.getBeanProvider(BuildProperties.class).getIfAvailable();
		String version = (build != null) ? build.getVersion() : null;
		return StringUtils.hasText(version) ? version : "latest";
	}

	/**
	 * Returns whether the replicas divide their work with Leases: they elect a leader, or
	 * move shards between them.
	 * @return {@code true} if several replicas may run at once
	 */
	boolean isElecting() {
		return isElectingLeader() || isMoving();
	}

	private boolean isElectingLeader() {
		return ElectedLeadership.of(this.context.getBeanProvider(Leadership.class).getIfAvailable()) != null;
	}

	private boolean isMoving() {
		return ShardGroup.of(this.context.getBeanProvider(Shards.class).getIfAvailable()) != null;
	}

	boolean isReconciling() {
		Reconcilers reconcilers = this.context.getBean(Reconcilers.class);
		return this.context.getBean(ClusterRuntimes.class)
			.all()
			.stream()
			.anyMatch((cluster) -> !reconcilers.of(cluster.informers()).isEmpty());
	}

	/**
	 * Returns the number of seconds that a pod needs to shut down, if each phase of the
	 * shutdown that does work takes its full timeout.
	 * @param pause the seconds before the shutdown begins
	 * @return the seconds
	 */
	long gracePeriodSeconds(long pause) {
		Duration phase = Binder.get(this.environment)
			.bind("spring.lifecycle.timeout-per-shutdown-phase", Bindable.of(Duration.class))
			.orElse(Duration.ofSeconds(30));
		boolean graceful = ServedPorts.isWebApplication(this.environment, WebApplicationType::deduce)
				&& "graceful".equalsIgnoreCase(this.environment.getProperty("server.shutdown", "graceful"));
		// Shards are handed over, and leader-only methods end, in a phase of their own.
		int phases = 1 + (graceful ? 1 : 0) + (isMoving() ? 1 : 0)
				+ ((isElectingLeader() && hasLeaderOnlyMethods()) ? 1 : 0);
		return pause + phase.toSeconds() * phases + 15;
	}

	private boolean hasLeaderOnlyMethods() {
		return Arrays.stream(this.context.getBeanDefinitionNames()).anyMatch(this::isLeaderOnly);
	}

	private boolean isLeaderOnly(String bean) {
		try {
			Class<?> type = beanClass(bean);
			return type != null && AnnotationUtils.isCandidateClass(type, LeaderOnly.class) && isLeaderOnly(type);
		}
		catch (IllegalStateException | LinkageError | BeansException ex) {
			// A class whose methods cannot be read has no proxy for leader-only methods.
			logger.debug("The methods of bean '{}' cannot be read", bean, ex);
			return false;
		}
	}

	private static boolean isLeaderOnly(Class<?> type) {
		MethodFilter annotated = (method) -> AnnotatedElementUtils.hasAnnotation(method, LeaderOnly.class);
		return AnnotatedElementUtils.hasAnnotation(type, LeaderOnly.class)
				|| !MethodIntrospector.selectMethods(type, annotated).isEmpty();
	}

	private @Nullable Class<?> beanClass(String bean) {
		Object singleton = (this.context.getAutowireCapableBeanFactory() instanceof SingletonBeanRegistry registry)
				? registry.getSingleton(bean) : null;
		if (singleton != null && !(singleton instanceof FactoryBean)) {
			return AopUtils.getTargetClass(singleton);
		}
		Class<?> declared = this.context.getType(bean, false);
		return (declared != null) ? ClassUtils.getUserClass(declared) : null;
	}

	/**
	 * Returns the environment variables of the downward API to which the configuration
	 * refers, as in {@code ${POD_NAME}}.
	 * @return the fields of the pod by the names of the variables
	 */
	SortedMap<String, String> podFields() {
		SortedMap<String, String> fields = new TreeMap<>();
		POD_FIELDS.forEach((variable, field) -> {
			if (values().anyMatch((value) -> value.contains("${" + variable))) {
				fields.put(variable, field);
			}
		});
		return fields;
	}

	private Stream<String> values() {
		if (!(this.environment instanceof ConfigurableEnvironment configurable)) {
			return Stream.empty();
		}
		List<String> outside = List.of(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
				StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
		return configurable.getPropertySources()
			.stream()
			.filter((source) -> !outside.contains(source.getName()))
			.filter(EnumerablePropertySource.class::isInstance)
			.map((source) -> (EnumerablePropertySource<?>) source)
			.flatMap((source) -> Stream.of(source.getPropertyNames()).map(source::getProperty))
			.filter(CharSequence.class::isInstance)
			.map(String::valueOf);
	}

	ServedPorts ports() {
		return ServedPorts.of(this.environment, this.context.containsBean("healthEndpoint"));
	}

}
