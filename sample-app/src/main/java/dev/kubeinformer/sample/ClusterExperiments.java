package dev.kubeinformer.sample;

import java.time.Duration;
import java.time.Instant;

import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.scheduling.TaskScheduler;

import dev.kubeinformer.sample.page.Experiment;
import dev.kubeinformer.samplecontroller.Foo;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.RecordedRequest;

/**
 * Configuration of the experiments with faults of the embedded API. There are none with a
 * real cluster.
 */
@Configuration(proxyBeanMethods = false)
@Profile("!cluster")
class ClusterExperiments {

	@Bean("cut-watches")
	Experiment cutWatches(EmbeddedKubernetes kubernetes, TaskScheduler scheduler,
			@Value("${sample.cut-watches.time:3s}") Duration time) {
		return () -> {
			// Delay new watches, so that the loss of the old ones is visible on the page.
			Fault late = kubernetes.faults().on(RecordedRequest::isWatch).delay(time);
			kubernetes.dropConnections();
			scheduler.schedule(late::remove, Instant.now().plus(time));
			return time;
		};
	}

	@Bean("expire-version")
	Experiment expireVersion(EmbeddedKubernetes kubernetes, TaskScheduler scheduler,
			@Value("${sample.expire-version.time:4s}") Duration time) {
		ApiResources<V1Pod> pods = kubernetes.resources(V1Pod.class);
		return () -> {
			Fault late = kubernetes.faults().on(RecordedRequest::isWatch).delay(time);
			kubernetes.dropConnections();
			// Change objects while nothing watches, and expire the changes before the
			// next watch.
			pods.delete("shop", "redis-0");
			pods.create(DemoCluster.redis());
			kubernetes.compact();
			scheduler.schedule(() -> {
				kubernetes.compact();
				late.remove();
			}, Instant.now().plus(time));
			return time;
		};
	}

	@Bean("stop-api")
	Experiment stopApi(EmbeddedKubernetes kubernetes, TaskScheduler scheduler,
			@Value("${sample.stop-api.time:10s}") Duration time) {
		return () -> {
			kubernetes.stopServing();
			scheduler.schedule(kubernetes::resumeServing, Instant.now().plus(time));
			return time;
		};
	}

	@Bean("foreign-deployment")
	Experiment foreignDeployment(EmbeddedKubernetes kubernetes, TaskScheduler scheduler,
			@Value("${sample.foreign-deployment.time:12s}") Duration time) {
		ApiResources<Foo> foos = DemoCluster.foos(kubernetes);
		return () -> {
			// The deployment belongs to another foo, so the new foo fails until the
			// deployment is deleted.
			foos.create(DemoCluster.foo("shop", "second-storefront", "storefront", 1));
			scheduler.schedule(() -> foos.delete("shop", "second-storefront"), Instant.now().plus(time));
			return time;
		};
	}

	@Bean("recreate-pod")
	Experiment recreatePod(EmbeddedKubernetes kubernetes) {
		ApiResources<V1Pod> pods = kubernetes.resources(V1Pod.class);
		return () -> {
			pods.delete("shop", "redis-0");
			pods.create(DemoCluster.redis());
			return Duration.ZERO;
		};
	}

}
