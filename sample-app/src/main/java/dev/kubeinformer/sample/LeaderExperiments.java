package dev.kubeinformer.sample;

import java.time.Duration;
import java.time.Instant;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.scheduling.TaskScheduler;

import dev.kubeinformer.leader.Leadership;
import dev.kubeinformer.sample.page.Experiment;
import dev.kubeinformer.test.EmbeddedKubernetes;

/**
 * Configuration of the page's experiments with leader election.
 */
@Configuration(proxyBeanMethods = false)
@Profile("replicas")
class LeaderExperiments {

	@Bean("yield-leadership")
	Experiment yieldLeadership(Leadership leadership) {
		return () -> {
			leadership.yield();
			return Duration.ZERO;
		};
	}

	@Bean("revoke-leadership")
	@Profile("!cluster")
	Experiment revokeLeadership(EmbeddedKubernetes kubernetes, TaskScheduler scheduler,
			@Value("${sample.revoke-leadership.time:8s}") Duration time) {
		return () -> {
			kubernetes.leader().revoke();
			scheduler.schedule(() -> kubernetes.leader().grant(), Instant.now().plus(time));
			return time;
		};
	}

}
