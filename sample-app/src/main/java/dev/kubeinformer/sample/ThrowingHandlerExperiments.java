package dev.kubeinformer.sample;

import java.time.Duration;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.sample.page.Experiment;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;

/**
 * Configuration of the experiments with a handler that throws. They work with any
 * cluster, because they affect this application only.
 */
@Configuration(proxyBeanMethods = false)
class ThrowingHandlerExperiments {

	/**
	 * Pod that the activity does not change, so that its event is not replaced.
	 */
	private static final String QUIET = "shop/redis-0";

	@Bean("throwing-handler")
	Experiment throwingHandler(AuditHandler handler, InformerHandlerRegistry handlers, Lister<V1Pod> pods) {
		return () -> fail(handler, handlers, pods, 3);
	}

	@Bean("hopeless-handler")
	Experiment hopelessHandler(AuditHandler handler, InformerHandlerRegistry handlers, Lister<V1Pod> pods) {
		return () -> fail(handler, handlers, pods, Integer.MAX_VALUE);
	}

	private static Duration fail(AuditHandler handler, InformerHandlerRegistry handlers, Lister<V1Pod> pods,
			int times) {
		String any = pods.list()
			.stream()
			.map((pod) -> pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName())
			.findFirst()
			.orElse(QUIET);
		handler.fail((pods.get(QUIET) != null) ? QUIET : any, times);
		// Deliver the object again, so that the handler fails on it.
		handlers.get("auditHandler").resync();
		return Duration.ZERO;
	}

}
