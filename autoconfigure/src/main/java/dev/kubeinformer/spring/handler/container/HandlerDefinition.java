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
 * A handler with all that annotation and configuration say about it.
 *
 * @param <T> the model class
 * @param id the id, with the name of the cluster unless that is the default one
 * @param cluster the name of the cluster
 * @param origin where it comes from
 * @param spec what its informer caches
 * @param options how events are delivered
 * @param settings what is said about it by all places
 * @param errorHandler gives what gets the events that are given up, {@code null} if
 * nothing does
 */
record HandlerDefinition<T extends KubernetesObject>(String id, String cluster, HandlerOrigin origin,
		InformerSpec<T> spec, HandlerOptions options, InformerSettings settings,
		Supplier<@Nullable InformerErrorHandler> errorHandler) {

	boolean isOn(Setting<Boolean> setting) {
		return this.settings.get(setting, true);
	}

}
