package dev.kubeinformer.spring.handler.container;

import java.util.concurrent.ThreadFactory;

import io.kubernetes.client.common.KubernetesObject;
import org.springframework.core.annotation.AnnotationUtils;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.resource.UnknownResourceTypeException;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterSelection;
import dev.kubeinformer.spring.handler.method.InvalidHandlerException;
import dev.kubeinformer.spring.leader.LeaderElection;
import dev.kubeinformer.spring.settings.AnnotationValues;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerConfigurationException;
import dev.kubeinformer.spring.settings.InformerIds;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.ModelType;
import dev.kubeinformer.spring.settings.NamedResources;
import dev.kubeinformer.spring.settings.ResourceTypeAdvice;

/**
 * Creates {@link HandlerDefinition definitions}. The order of precedence is: properties
 * of the handler, its annotation, properties of its resource, common properties.
 *
 * @param values the resolver of annotation values
 * @param errorHandlers the error handlers
 * @param threads the factory of the threads
 * @param election {@code true} if a leader is elected
 */
record HandlerDefinitionFactory(AnnotationValues values, ErrorHandlers errorHandlers, ThreadFactory threads,
		LeaderElection election) {

	/**
	 * Reads the id and the clusters of a handler bean.
	 * @param bean the bean
	 * @return the handler
	 */
	SelectedHandler select(AnnotatedBean<InformerHandler> bean) {
		return new SelectedHandler(id(bean), bean,
				ClusterSelection.read(this.values, bean.toString(), bean.annotation().cluster()));
	}

	<T extends KubernetesObject> HandlerDefinition<T> create(AnnotatedBean<InformerHandler> bean, ResourceType<T> type,
			ClusterRuntime cluster) {
		String id = id(bean);
		ConfiguredSettings configured = cluster.configured();
		InformerSettings asked = asked(bean, configured);
		InformerSettings settings = asked.orElse(configured.forResource(type)).orElse(configured.forAll());
		String qualified = InformerIds.qualified(cluster.name(), id);
		InformerSpec<T> spec = cluster.specs().create(bean.toString(), type, asked);
		boolean leaderOnly = settings.get(HandlerSettings.LEADER_ONLY, false);
		if (leaderOnly && spec.shards() != null) {
			throw new InvalidHandlerException(bean,
					"is leader-only, but the objects of its events move between the replicas, so the leader would "
							+ "handle only its own share",
					"Remove 'leaderOnly': events of an object are delivered only on the replica that holds its slot. If "
							+ "the leader is to handle all objects, set 'sharded' to \"false\".");
		}
		HandlerOptions options = HandlerOptions.defaults()
			.withId(qualified)
			.withThreadFactory(this.threads)
			.withDrainTimeout(configured.drainTimeout())
			.withLeadership(leaderOnly ? this.election.require(bean.toString()) : null);
		return new HandlerDefinition<>(qualified, cluster.name(), new HandlerOrigin(bean.name(), bean.toString()), spec,
				applied(bean, settings, options), settings,
				this.errorHandlers.find(bean, id, settings.get(HandlerSettings.ERROR_HANDLER)));
	}

	/**
	 * Defines a handler that the application registers. Properties do not apply to it.
	 * @param <T> the model class
	 * @param id the id within the cluster
	 * @param spec the spec of its informer
	 * @param options the options for the delivery of events
	 * @param cluster the cluster
	 * @return the definition
	 */
	<T extends KubernetesObject> HandlerDefinition<T> create(String id, InformerSpec<T> spec, HandlerOptions options,
			ClusterRuntime cluster) {
		if (!InformerIds.isValid(id)) {
			throw new IllegalArgumentException(
					"Invalid handler id '%s': use letters, digits, '-' and '_'".formatted(id));
		}
		String qualified = InformerIds.qualified(cluster.name(), id);
		return new HandlerDefinition<>(qualified, cluster.name(),
				new HandlerOrigin(id, "the registered handler '%s'".formatted(qualified)), spec,
				options.withId(qualified), InformerSettings.none(), this.errorHandlers.after(options.exhausted()));
	}

	private String id(AnnotatedBean<InformerHandler> bean) {
		String given = this.values.text(bean.toString(), "id", bean.annotation().id());
		String id = (given != null) ? given : bean.defaultId();
		if (!InformerIds.isValid(id)) {
			throw new InvalidHandlerException(bean, "has the id '%s'".formatted(id),
					"Give it an id of letters, digits, '-' and '_': @InformerHandler(id = \"...\").");
		}
		return id;
	}

	ResourceType<? extends KubernetesObject> resourceType(AnnotatedBean<InformerHandler> bean, ModelType model) {
		try {
			return NamedResources.find(bean.toString(), model,
					this.values.text(bean.toString(), "resource", bean.annotation().resource()));
		}
		catch (UnknownResourceTypeException ex) {
			throw new InvalidHandlerException(bean, "handles a class without resource: " + ex.getMessage(),
					ResourceTypeAdvice.of(ex), ex);
		}
	}

	/**
	 * Reads the settings of a handler bean from its properties and its annotation.
	 * Properties have precedence.
	 * @param bean the bean
	 * @param configured the configuration
	 * @return the settings
	 */
	InformerSettings asked(AnnotatedBean<InformerHandler> bean, ConfiguredSettings configured) {
		return configured.forHandler(id(bean)).orElse(annotated(bean));
	}

	private InformerSettings annotated(AnnotatedBean<InformerHandler> bean) {
		return this.values.read(bean.toString(), AnnotationUtils.getAnnotationAttributes(bean.annotation()),
				HandlerSettings.ALL);
	}

	private static HandlerOptions applied(AnnotatedBean<InformerHandler> bean, InformerSettings settings,
			HandlerOptions options) {
		try {
			return HandlerSettings.apply(settings, options);
		}
		catch (IllegalArgumentException ex) {
			throw InformerConfigurationException.ofValue("%s: %s".formatted(bean, ex.getMessage()), ex);
		}
	}

}
