package dev.kubeinformer.spring.handler.container;

import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.handler.InformerErrorHandler;
import dev.kubeinformer.spring.settings.InformerSettings;
import dev.kubeinformer.spring.settings.Setting;

/**
 * Definition of a handler, merged from annotation and configuration.
 *
 * @param <T> the model class
 * @param id the id, prefixed with the cluster name unless that is the default cluster
 * @param cluster the name of the cluster
 * @param origin the origin of the handler
 * @param spec the spec of its informer
 * @param options the options for the delivery of events
 * @param settings the merged settings
 * @param errorHandler the supplier of the error handler, or of {@code null} if there is
 * none
 */
record HandlerDefinition<T extends KubernetesObject>(String id, String cluster, HandlerOrigin origin,
		InformerSpec<T> spec, HandlerOptions options, InformerSettings settings,
		Supplier<@Nullable InformerErrorHandler> errorHandler) {

	HandlerDefinition<T> withOptions(HandlerOptions changed) {
		return new HandlerDefinition<>(this.id, this.cluster, this.origin, this.spec, changed, this.settings,
				this.errorHandler);
	}

	boolean isOn(Setting<Boolean> setting) {
		return this.settings.get(setting, true);
	}

}
