package com.example.timetolive;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.controller.test.RecordingReconciliation;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the reconciler as a method, without an API server.
 */
class SandboxReconcilerTests {

	private static final OffsetDateTime NOON = OffsetDateTime.parse("2026-01-01T12:00:00Z");

	@Test
	void nextRunIsAtTheEndOfTheTime() throws ApiException {
		RecordingReconciliation<Sandbox> run = RecordingReconciliation.of(sandbox("2h"));
		assertThat(reconcile(run, "2026-01-01T13:30:00Z")).isEqualTo(Result.requeueAfter(Duration.ofMinutes(30)));
		assertThat(run.created()).extracting((namespace) -> namespace.getMetadata().getName())
			.containsExactly("sandbox-try");
		assertThat(run.primary().status.expiresAt).isEqualTo(NOON.plusHours(2));
	}

	@Test
	void sandboxIsDeletedAtTheEndOfItsTime() throws ApiException {
		Sandbox sandbox = sandbox("2h");
		RecordingReconciliation<Sandbox> run = RecordingReconciliation.of(sandbox);
		assertThat(reconcile(run, "2026-01-01T14:00:00Z")).isEqualTo(Result.done());
		assertThat(run.deletions()).singleElement().satisfies((deletion) -> {
			assertThat(deletion.object().getMetadata().getName()).isEqualTo("try");
			assertThat(deletion.options().onlyIfUnchanged()).isTrue();
		});
		assertThat(run.created()).isEmpty();
	}

	private static Result reconcile(RecordingReconciliation<Sandbox> run, String time) throws ApiException {
		Clock clock = Clock.fixed(Instant.parse(time), ZoneOffset.UTC);
		return new SandboxReconciler(clock).reconcile(run.object(), Owned.of(), run);
	}

	static Sandbox sandbox(String ttl) {
		Sandbox sandbox = new Sandbox();
		sandbox.setMetadata(new V1ObjectMeta().name("try").uid("1").creationTimestamp(NOON));
		sandbox.spec.ttl = ttl;
		return sandbox;
	}

}
