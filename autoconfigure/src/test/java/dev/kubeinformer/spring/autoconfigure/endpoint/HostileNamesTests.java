package dev.kubeinformer.spring.autoconfigure.endpoint;

import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;

import dev.kubeinformer.controller.FailingKey;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.spring.FakeReconciler;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of names and texts from outside that hold what a terminal or a log obeys.
 */
class HostileNamesTests {

	private static final String HOSTILE = "a\n\u202e\ud83d" + "x".repeat(10_000);

	private static final String SHOWN = "a\\u000A\\u202E\\uD83Dxxx";

	private final FakeReconciler reconciler = FakeReconciler.ofPods("pods");

	@Test
	void textsOfARequestShouldBeEscapedAndCut() {
		assertShown(() -> ReconcilerAction.apply(this.reconciler, HOSTILE, null));
		assertShown(() -> ReconcilerAction.apply(this.reconciler, "TRIGGER", HOSTILE));
		assertShown(() -> ReconcilerAction.apply(this.reconciler, "PAUSE", "web/" + HOSTILE));
		assertShown(() -> {
			throw RefusedRequestException.unknown(HOSTILE);
		});
		assertShown(() -> {
			throw RefusedRequestException.unknownCluster(HOSTILE, List.of("default"));
		});
	}

	private static void assertShown(Runnable request) {
		assertThatExceptionOfType(RefusedRequestException.class).isThrownBy(request::run)
			.satisfies((refusal) -> assertThat(refusal.getReason()).contains(SHOWN, "\u2026'").hasSizeLessThan(400));
	}

	@Test
	void keysOfObjectsShouldBeEscapedAndCut() {
		this.reconciler.failing(new FailingKey(new ObjectKey("web", HOSTILE), 1, Instant.EPOCH, null, "Broken"));
		InformerContextRunner.withoutCluster()
			.withConfiguration(AutoConfigurations.of(InformersEndpointAutoConfiguration.class))
			.withPropertyValues("management.endpoints.web.exposure.include=informers")
			.withBean(ReconcilerRegistry.class, () -> FakeReconciler.registry(this.reconciler))
			.run((context) -> {
				ReconcilerDescriptor descriptor = (ReconcilerDescriptor) context.getBean(InformersEndpoint.class)
					.informer("pods", null);
				assertThat(descriptor.longestFailing()).singleElement()
					.extracting(ReconcilerDescriptor.Failing::key)
					.asString()
					.startsWith("web/" + SHOWN)
					.hasSizeLessThanOrEqualTo(200);
			});
	}

}
