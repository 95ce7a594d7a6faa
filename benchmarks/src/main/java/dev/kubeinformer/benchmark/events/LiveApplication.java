package dev.kubeinformer.benchmark.events;

import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnUpdate;

/**
 * Application with one handler, whose calls the starter observes and counts as metrics.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class LiveApplication {

	@InformerHandler(id = "live")
	static class Pods {

		@OnUpdate
		void updated(V1Pod pod) {
			LiveEvents.handled(pod);
		}

	}

}
