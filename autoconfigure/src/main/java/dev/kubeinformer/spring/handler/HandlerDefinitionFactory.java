package dev.kubeinformer.spring.handler;

import java.util.concurrent.ThreadFactory;

import io.kubernetes.client.common.KubernetesObject;
import org.springframework.core.annotation.AnnotationUtils;

import dev.kubeinformer.HandlerOptions;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.resource.UnknownResourceTypeException;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.bean.AnnotatedBean;
import dev.kubeinformer.spring.settings.AnnotationValues;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerIds;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.InformerSpecs;
import dev.kubeinformer.spring.settings.InvalidSettingException;
import dev.kubeinformer.spring.settings.ResourceTypeAdvice;

/**
 * Maker of {@link HandlerDefinition definitions}: what the configuration says about the
 * handler, then its annotation, then the configuration about its resource and about all.
 */
final class HandlerDefinitionFactory {

	private final AnnotationValues values;

	private final ConfiguredSettings configured;

	private final InformerSpecs specs;

	private final ErrorHandlers errorHandlers;

	private final ThreadFactory threads;

	HandlerDefinitionFactory(AnnotationValues values, ConfiguredSettings configured, InformerSpecs specs,
			ErrorHandlers errorHandlers, ThreadFactory threads) {
		this.values = values;
		this.configured = configured;
		this.specs = specs;
		this.errorHandlers = errorHandlers;
		this.threads = threads;
	}

	<T extends KubernetesObject> HandlerDefinition<T> create(AnnotatedBean<InformerHandler> bean,
			Class<T> objectClass) {
		String id = id(bean);
		ResourceType<T> type = resourceType(bean, objectClass);
		InformerSettings asked = this.configured.forHandler(id).orElse(annotated(bean));
		InformerSettings settings = asked.orElse(this.configured.forResource(type)).orElse(this.configured.forAll());
		return new HandlerDefinition<>(id, bean, this.specs.create(bean.toString(), type, asked),
				options(bean, id, settings), settings,
				this.errorHandlers.find(bean, id, settings.get(HandlerSettings.ERROR_HANDLER)));
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

	private static <T extends KubernetesObject> ResourceType<T> resourceType(AnnotatedBean<InformerHandler> bean,
			Class<T> objectClass) {
		try {
			return ResourceType.of(objectClass);
		}
		catch (UnknownResourceTypeException ex) {
			throw new InvalidHandlerException(bean, "handles a class without resource: " + ex.getMessage(),
					ResourceTypeAdvice.of(ex), ex);
		}
	}

	private InformerSettings annotated(AnnotatedBean<InformerHandler> bean) {
		return this.values.read(bean.toString(), AnnotationUtils.getAnnotationAttributes(bean.annotation()),
				HandlerSettings.ALL);
	}

	private HandlerOptions options(AnnotatedBean<InformerHandler> bean, String id, InformerSettings settings) {
		HandlerOptions options = HandlerOptions.defaults()
			.withId(id)
			.withThreadFactory(this.threads)
			.withDrainTimeout(this.configured.drainTimeout());
		try {
			return HandlerSettings.apply(settings, options);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidSettingException("%s: %s".formatted(bean, ex.getMessage()), ex);
		}
	}

}
