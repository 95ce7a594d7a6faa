package com.example.timetolive;

import java.time.Clock;
import java.time.Duration;
import java.time.OffsetDateTime;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.springframework.boot.convert.DurationStyle;

import dev.kubeinformer.controller.DeleteOptions;
import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;

/**
 * Keeps a namespace for each {@link Sandbox}, and deletes both when the time is over.
 * Nothing is kept in memory: the time follows from the object, so a restart, or a change
 * of {@code spec.ttl}, leads to the right next run.
 */
@Reconciler
class SandboxReconciler {

	private final Clock clock;

	SandboxReconciler(Clock clock) {
		this.clock = clock;
	}

	@Reconcile
	Result reconcile(Sandbox sandbox, Owned<V1Namespace> namespaces, Reconciliation<Sandbox> run) throws ApiException {
		OffsetDateTime expiresAt = sandbox.getMetadata()
			.getCreationTimestamp()
			.plus(DurationStyle.SIMPLE.parse(sandbox.spec.ttl));
		Duration left = Duration.between(this.clock.instant(), expiresAt);
		if (left.isNegative() || left.isZero()) {
			// Unless its time was just prolonged. Kubernetes deletes the namespace, too.
			run.delete(sandbox, DeleteOptions.defaults().ifUnchanged());
			return Result.done();
		}
		V1Namespace namespace = namespaceFor(sandbox);
		String name = namespace.getMetadata().getName();
		if (namespaces.named(name) == null) {
			// Fails if somebody else has made it: it would be deleted with the sandbox.
			run.create(namespace);
		}
		run.status((changed) -> {
			changed.status.namespace = name;
			changed.status.expiresAt = expiresAt;
		});
		return Result.requeueAfter(left);
	}

	private static V1Namespace namespaceFor(Sandbox sandbox) {
		return new V1Namespace().metadata(new V1ObjectMeta().name("sandbox-" + sandbox.getMetadata().getName()));
	}

}
