package dev.kubeinformer.spring.handler;

import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import dev.kubeinformer.HandlerOptions;
import dev.kubeinformer.InformerSpec;

/**
 * A handler with all that annotation and configuration say about it.
 *
 * @param <T> the model class
 * @param id the id
 * @param bean the bean
 * @param spec what its informer caches
 * @param options how events are delivered
 * @param autoStartup whether it starts with the application
 * @param readiness whether readiness waits for it
 * @param waitForCaches whether events wait for the caches that the bean reads
 * @param errorHandler gives what is told of events that are given up, {@code null} if
 * nobody is
 */
record HandlerDefinition<T extends KubernetesObject>(String id, HandlerBean bean, InformerSpec<T> spec,
		HandlerOptions options, boolean autoStartup, boolean readiness, boolean waitForCaches,
		Supplier<@Nullable InformerErrorHandler> errorHandler) {

}
