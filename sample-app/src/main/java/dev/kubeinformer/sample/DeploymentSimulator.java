package dev.kubeinformer.sample;

import java.util.Objects;

import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentStatus;
import org.springframework.scheduling.annotation.Scheduled;

import dev.kubeinformer.test.ApiResources;

/**
 * Simulator of the controllers that the embedded API lacks: with every step, one replica
 * of each deployment becomes available or is removed.
 */
class DeploymentSimulator {

	private final ApiResources<V1Deployment> deployments;

	DeploymentSimulator(ApiResources<V1Deployment> deployments) {
		this.deployments = deployments;
	}

	@Scheduled(fixedDelayString = "${sample.simulator.period:700ms}")
	void step() {
		this.deployments.list().forEach(this::step);
	}

	private void step(V1Deployment deployment) {
		V1DeploymentStatus status = Objects.requireNonNullElseGet(deployment.getStatus(), V1DeploymentStatus::new);
		int available = Objects.requireNonNullElse(status.getAvailableReplicas(), 0);
		int wanted = (deployment.getSpec() != null) ? Objects.requireNonNullElse(deployment.getSpec().getReplicas(), 1)
				: 0;
		if (available != wanted) {
			deployment.setStatus(status.availableReplicas(available + Integer.signum(wanted - available)));
			this.deployments.update(deployment);
		}
	}

}
