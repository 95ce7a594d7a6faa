package dev.kubeinformer.spring.reconciler;

import java.util.List;
import java.util.concurrent.ThreadFactory;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.expression.ExpressionException;

import dev.kubeinformer.controller.ReconcileFunction;
import dev.kubeinformer.controller.ReconcilerListener;
import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.resource.UnknownResourceTypeException;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.bean.AsyncMethods;
import dev.kubeinformer.spring.bean.BeanMethods;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterSelection;
import dev.kubeinformer.spring.leader.LeaderElection;
import dev.kubeinformer.spring.reconciler.method.InvalidReconcilerException;
import dev.kubeinformer.spring.reconciler.method.ReconcilerCondition;
import dev.kubeinformer.spring.reconciler.method.ReconcilerMethodReader;
import dev.kubeinformer.spring.reconciler.method.ReconcilerMethods;
import dev.kubeinformer.spring.reconciler.method.RunMethod;
import dev.kubeinformer.spring.settings.AnnotationValues;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.InvalidPropertyValueException;
import dev.kubeinformer.spring.settings.ModelType;
import dev.kubeinformer.spring.settings.ResourceTypeAdvice;
import dev.kubeinformer.spring.settings.Setting;

/**
 * Creates {@link ReconcilerDefinition definitions}. Precedence: properties of the
 * reconciler, its annotation, properties of its resource, common properties.
 */
final class ReconcilerDefinitionFactory {

	/** Key of the properties for all reconcilers. */
	private static final String RESERVED = "defaults";

	private static final Logger logger = LoggerFactory.getLogger(Reconciler.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final AnnotationValues values;

	private final ReconcilerMethodReader methodReader;

	private final AsyncMethods asyncMethods;

	private final ReconcilerBody body;

	private final ThreadFactory threads;

	private final LeaderElection election;

	ReconcilerDefinitionFactory(ConfigurableListableBeanFactory beanFactory, ReconcilerBody body, ThreadFactory threads,
			LeaderElection election) {
		this.election = election;
		this.beanFactory = beanFactory;
		this.values = new AnnotationValues(beanFactory);
		this.methodReader = new ReconcilerMethodReader(new BeanMethods(beanFactory));
		this.asyncMethods = new AsyncMethods(beanFactory);
		this.body = body;
		this.threads = threads;
	}

	/**
	 * Reads the clusters of a reconciler bean.
	 * @param bean the bean
	 * @return the clusters
	 */
	ClusterSelection selection(AnnotatedBean<Reconciler> bean) {
		return ClusterSelection.read(this.values, bean.toString(), bean.annotation().cluster());
	}

	/**
	 * Checks the methods of a reconciler bean whose clusters have not been added yet.
	 * @param bean the bean
	 */
	void check(AnnotatedBean<Reconciler> bean) {
		read(bean);
	}

	private ReconcilerMethods read(AnnotatedBean<Reconciler> bean) {
		ReconcilerMethods methods = this.methodReader.read(bean);
		String asynchronous = this.asyncMethods.find(bean, methods.called());
		if (asynchronous != null) {
			throw new InvalidReconcilerException(bean,
					"has %s: it would count as done before it runs, so there would be no retry, runs of an object would overlap, a cleanup that is not done would free its object, 'Reconciliation' would reject to write, and Spring calls no such method that returns a value"
						.formatted(asynchronous),
					"Remove @Async, and set 'concurrency' to reconcile several objects at once.");
		}
		return methods;
	}

	ReconcilerDefinition<?> create(AnnotatedBean<Reconciler> bean, List<ReconcilerListener> listeners,
			ClusterRuntime cluster) {
		ReconcilerMethods methods = read(bean);
		return create(bean, methods, methods.objectClass(), listeners, cluster);
	}

	private <T extends KubernetesObject> ReconcilerDefinition<T> create(AnnotatedBean<Reconciler> bean,
			ReconcilerMethods methods, Class<T> objectClass, List<ReconcilerListener> listeners,
			ClusterRuntime cluster) {
		String id = id(bean);
		ConfiguredSettings configured = cluster.configured();
		ResourceType<T> type = resourceType(bean, objectClass);
		InformerSettings asked = configured.forReconciler(id).orElse(annotated(bean));
		InformerSettings settings = asked.orElse(configured.forReconcilers());
		InformerSpec<T> primaries = cluster.specs().create(bean.toString(), type, asked);
		ReconcilerBody.Calls calls = this.body.of(bean, cluster.name());
		ReconcilerSpec<T> spec = ReconcilerSpec.of(id, type, calls.run(methods.reconcile(), id, type, false))
			.withNamespaces(primaries.namespaces())
			.withLabelSelector(primaries.labelSelector())
			.withFieldSelector(primaries.fieldSelector())
			.withShard(primaries.shard())
			.withShards(primaries.shards())
			.withDrainTimeout(configured.drainTimeout())
			.withThreadFactory(this.threads);
		if (primaries.shards() != null) {
			rejectLeaderOnly(bean, asked, primaries, cluster);
		}
		else if (settings.get(ReconcilerSettings.LEADER_ONLY, this.election.isEnabled())) {
			spec = spec.withLeadership(this.election.require(bean.toString()));
		}
		warnIfOnEachReplica(bean, primaries, cluster, spec.leadership() != null);
		spec = withTrigger(spec, bean, methods);
		String finalizer = settings.get(ReconcilerSettings.FINALIZER);
		spec = withCleanup(spec, bean, methods, calls, finalizer);
		spec = new UnownedObjects(this.values).add(spec, bean, finalizer);
		spec = new SourceDeclarations(this.values, cluster.specs()).add(spec, bean, methods, calls);
		for (ReconcilerListener listener : listeners) {
			spec = spec.withListener(listener);
		}
		return new ReconcilerDefinition<>(bean, applied(settings, spec, bean), SourceDeclarations.informers(spec),
				details(bean, id, methods, settings, spec), cluster);
	}

	// Does not check the common property for all reconcilers, because it applies only to
	// reconcilers whose objects do not move between replicas.
	private static void rejectLeaderOnly(AnnotatedBean<Reconciler> bean, InformerSettings asked,
			InformerSpec<?> primaries, ClusterRuntime cluster) {
		if (asked.get(ReconcilerSettings.LEADER_ONLY, false)) {
			throw new InvalidReconcilerException(bean,
					"is leader-only, but its objects move between the replicas, so the leader would reconcile only its "
							+ "own share",
					"Remove 'leaderOnly': the replica that holds the slot of an object is the only one that reconciles "
							+ "it. If the leader is to reconcile all objects, set '%s' to 'none'."
								.formatted(cluster.specs().shardKeyProperty(primaries.type())));
		}
	}

	private static void warnIfOnEachReplica(AnnotatedBean<Reconciler> bean, InformerSpec<?> primaries,
			ClusterRuntime cluster, boolean led) {
		ConfiguredSettings configured = cluster.configured();
		ResourceType<?> type = primaries.type();
		if (configured.forResource(type).get(Setting.SHARD_KEY) != null) {
			return;
		}
		if (configured.shard() != null && primaries.shard() == null) {
			logger.warn("{} reconciles all '{}' in each shard, because cluster-scoped objects cannot be "
					+ "sharded by namespace; set '{}' to 'uid' to shard them, or to 'none' to keep "
					+ "this without a warning", bean, type.name(), cluster.specs().shardKeyProperty(type));
		}
		else if (configured.shards() != null && primaries.shards() == null && !led) {
			logger.warn("{} reconciles all '{}' on each replica, because cluster-scoped objects cannot be "
					+ "sharded by namespace; set '{}' to 'uid' to shard them, or to 'none' to keep this without a "
					+ "warning, or set 'kubernetes.leader.enabled=true' so that only the leader reconciles them", bean,
					type.name(), cluster.specs().shardKeyProperty(type));
		}
	}

	String id(AnnotatedBean<Reconciler> bean) {
		String given = this.values.text(bean.toString(), "id", bean.annotation().id());
		String id = (given != null) ? given : bean.defaultId();
		if (!InformerIds.isValid(id) || InformerIds.canonical(id).equals(RESERVED)) {
			throw new InvalidReconcilerException(bean, "has the id '%s'".formatted(id),
					"Give it an id of letters, digits, '-' and '_', other than '%s': @Reconciler(id = \"...\")."
						.formatted(RESERVED));
		}
		return id;
	}

	/**
	 * Returns the resource of a class.
	 * @param <T> the class
	 * @param bean the reconciler that uses the class
	 * @param objectClass the class
	 * @return the resource
	 * @throws InvalidReconcilerException if the class does not map to a resource
	 */
	static <T extends KubernetesObject> ResourceType<T> resourceType(AnnotatedBean<Reconciler> bean,
			Class<T> objectClass) {
		try {
			return ResourceType.of(objectClass);
		}
		catch (UnknownResourceTypeException ex) {
			throw new InvalidReconcilerException(bean, "names a class without resource: " + ex.getMessage(),
					ResourceTypeAdvice.of(ex), ex);
		}
	}

	/**
	 * Returns the resource of a model, in its metadata form for a metadata model.
	 * @param bean the reconciler that uses the model
	 * @param model the model
	 * @return the resource
	 * @throws InvalidReconcilerException if the model does not map to a resource
	 */
	static ResourceType<? extends KubernetesObject> resourceType(AnnotatedBean<Reconciler> bean, ModelType model) {
		ResourceType<? extends KubernetesObject> type = resourceType(bean, model.objectClass());
		return model.metadata() ? type.metadata() : type;
	}

	private InformerSettings annotated(AnnotatedBean<Reconciler> bean) {
		return this.values.read(bean.toString(), AnnotationUtils.getAnnotationAttributes(bean.annotation()),
				ReconcilerSettings.ALL);
	}

	private <T extends KubernetesObject> ReconcilerSpec<T> withTrigger(ReconcilerSpec<T> spec,
			AnnotatedBean<Reconciler> bean, ReconcilerMethods methods) {
		String where = "@Reconcile method '%s' of %s".formatted(methods.reconcile().method().getName(), bean);
		String condition = this.values.expression(where, "condition", methods.trigger().condition());
		Boolean onStatus = this.values.flag(where, "onStatus", methods.trigger().onStatus());
		if (condition == null) {
			return (onStatus != null) ? spec.withStatusTrigger(onStatus) : spec;
		}
		if (onStatus != null) {
			throw InvalidReconcilerException.ofMethod(bean, methods.reconcile().method(),
					"which sets both 'condition' and 'onStatus'",
					"Keep one of the two: a condition decides on all updates, those of the status included.");
		}
		try {
			return spec.withUpdateCondition(new ReconcilerCondition(condition, this.beanFactory));
		}
		catch (ExpressionException | IllegalStateException ex) {
			throw InvalidReconcilerException.ofMethod(bean, methods.reconcile().method(),
					"whose condition '%s' is not a SpEL expression over #object and #old: %s".formatted(condition,
							(ex instanceof ExpressionException problem) ? problem.getSimpleMessage() : ex.getMessage()),
					"Correct the condition, such as " + "\"#object.metadata.generation != #old.metadata.generation\".",
					ex);
		}
	}

	private <T extends KubernetesObject> ReconcilerSpec<T> withCleanup(ReconcilerSpec<T> spec,
			AnnotatedBean<Reconciler> bean, ReconcilerMethods methods, ReconcilerBody.Calls calls,
			@Nullable String configured) {
		RunMethod cleanup = methods.cleanup();
		if (cleanup == null || methods.onCleanup() == null) {
			if (configured != null && bean.annotation().unowned().length == 0) {
				throw new InvalidReconcilerException(bean,
						"has the finalizer '%s' in 'kubernetes.reconcilers.%s.finalizer', but neither an @OnCleanup method nor unowned objects"
							.formatted(configured, spec.id()),
						"Remove the property, or annotate a method that cleans up with @OnCleanup.");
			}
			return spec;
		}
		String annotated = this.values.text("@OnCleanup method '%s' of %s".formatted(cleanup.method().getName(), bean),
				"finalizer", methods.onCleanup().finalizer());
		String finalizer = (configured != null) ? configured
				: (annotated != null) ? annotated : FinalizerNames.byDefault(spec.type(), spec.id());
		ReconcileFunction<T> function = calls.run(cleanup, spec.id(), spec.type(), true);
		try {
			return spec.withCleanup(finalizer, function);
		}
		catch (IllegalArgumentException ex) {
			throw InvalidReconcilerException.ofMethod(bean, cleanup.method(),
					"whose finalizer the API server would reject: " + ex.getMessage(),
					"Give it another one by @OnCleanup(finalizer = \"...\") or 'kubernetes.reconcilers.%s.finalizer'."
						.formatted(spec.id()),
					ex);
		}
	}

	private static <T extends KubernetesObject> ReconcilerSpec<T> applied(InformerSettings settings,
			ReconcilerSpec<T> spec, AnnotatedBean<Reconciler> bean) {
		try {
			return ReconcilerSettings.apply(settings, spec);
		}
		catch (IllegalArgumentException ex) {
			throw InformerConfigurationException.ofValue("%s: %s".formatted(bean, ex.getMessage()), ex);
		}
	}

	private static ReconcilerDetails details(AnnotatedBean<Reconciler> bean, String id, ReconcilerMethods methods,
			InformerSettings settings, ReconcilerSpec<?> spec) {
		return new ReconcilerDetails(bean.name(), methods.called(), settings.get(ReconcilerSettings.AUTO_STARTUP, true),
				settings.get(Setting.READINESS, true), ownedVerbs(id, settings), spec.leadership() != null);
	}

	private static List<String> ownedVerbs(String id, InformerSettings settings) {
		List<String> verbs = settings.get(ReconcilerSettings.OWNED_VERBS, ReconcilerDetails.ALL_VERBS);
		if (!verbs.stream().allMatch((verb) -> verb.matches("[a-z]+|\\*"))) {
			throw new InvalidPropertyValueException("kubernetes.reconcilers.%s.owned-verbs".formatted(id),
					verbs.toString(), "must be a list of verbs such as 'get' and 'create'");
		}
		return verbs;
	}

}
