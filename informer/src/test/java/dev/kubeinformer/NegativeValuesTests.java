package dev.kubeinformer;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.controller.ReconcilerSpec;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.leader.LeaderSpec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Setters that take a time or a number refuse negative ones, in the same words.
 */
class NegativeValuesTests {

	private static final Duration NEGATIVE = Duration.ofSeconds(-1);

	private static final Duration SECOND = Duration.ofSeconds(1);

	static Stream<Arguments> setters() {
		HandlerOptions handler = HandlerOptions.defaults();
		ReconcilerSpec<V1Pod> reconciler = ReconcilerSpec.of("pods", V1Pod.class, (pod, run) -> Result.done());
		LeaderSpec leader = LeaderSpec.of("default", "app");
		Informers.Builder informers = Informers.builder(new ApiClient());
		Map<String, ThrowingCallable> setters = new LinkedHashMap<>();
		setters.put("handler resync", () -> handler.withResync(NEGATIVE));
		setters.put("handler drain", () -> handler.withDrainTimeout(NEGATIVE));
		setters.put("handler concurrency", () -> handler.withConcurrency(-1));
		setters.put("handler capacity", () -> handler.withQueueCapacity(-1));
		setters.put("retries", () -> RetryBackoff.exponential(-1, SECOND, 2, SECOND, SECOND));
		setters.put("retry delay", () -> RetryBackoff.exponential(1, NEGATIVE, 2, SECOND, SECOND));
		setters.put("retry multiplier", () -> RetryBackoff.exponential(1, SECOND, -2, SECOND, SECOND));
		setters.put("retry longest", () -> RetryBackoff.exponential(1, SECOND, 2, NEGATIVE, SECOND));
		setters.put("retry jitter", () -> RetryBackoff.exponential(1, SECOND, 2, SECOND, NEGATIVE));
		setters.put("informers deadline", () -> informers.syncDeadline(NEGATIVE));
		setters.put("informers verify", () -> informers.verifyEvery(NEGATIVE));
		setters.put("informers idle", () -> informers.idleTimeout(NEGATIVE));
		setters.put("informers syncs", () -> informers.concurrentSyncs(-1));
		setters.put("informers pages", () -> informers.pageSize(-1));
		setters.put("spec pages", () -> InformerSpec.of(V1Pod.class).withPageSize(-1));
		setters.put("reconciler concurrency", () -> reconciler.withConcurrency(-1));
		setters.put("reconciler resync", () -> reconciler.withResync(NEGATIVE));
		setters.put("reconciler timeout", () -> reconciler.withTimeout(NEGATIVE));
		setters.put("reconciler interval", () -> reconciler.withMinInterval(NEGATIVE));
		setters.put("reconciler writes", () -> reconciler.withOwnWritesTimeout(NEGATIVE));
		setters.put("reconciler drain", () -> reconciler.withDrainTimeout(NEGATIVE));
		setters.put("reconciler retry", () -> new ReconcilerSpec.Retry(NEGATIVE, 2, SECOND, 0));
		setters.put("reconciler longest", () -> new ReconcilerSpec.Retry(SECOND, 2, NEGATIVE, 0));
		setters.put("reconciler multiplier", () -> new ReconcilerSpec.Retry(SECOND, -2, SECOND, 0));
		setters.put("reconciler jitter", () -> new ReconcilerSpec.Retry(SECOND, 2, SECOND, -1));
		setters.put("requeue", () -> Result.requeueAfter(NEGATIVE));
		setters.put("lease duration", () -> leader.withTimes(NEGATIVE, SECOND, SECOND));
		setters.put("renew deadline", () -> leader.withTimes(SECOND, NEGATIVE, SECOND));
		setters.put("retry period", () -> leader.withTimes(SECOND, SECOND, NEGATIVE));
		setters.put("leader sync", () -> leader.withSyncTimeout(NEGATIVE));
		setters.put("leader drain", () -> leader.withDrainTimeout(NEGATIVE));
		return setters.entrySet().stream().map((setter) -> Arguments.of(setter.getKey(), setter.getValue()));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("setters")
	void negativeValueIsRefusedInTheSameWords(String name, ThrowingCallable setter) {
		assertThatIllegalArgumentException().isThrownBy(setter)
			.withMessageMatching(
					".+ '[^']*-[^']+' must (be|not be) (zero or )?(at least .+|positive|negative|from .+)(; .+)?");
	}

	@Test
	void retryWithoutAWaitThatKeepsAWorkerBusyIsRefused() {
		Duration shortest = Duration.ofMillis(1);
		Duration shorter = shortest.minusNanos(1);
		assertThat(new ReconcilerSpec.Retry(shortest, 1, shortest, 0).delay()).isEqualTo(shortest);
		assertThatIllegalArgumentException().isThrownBy(() -> new ReconcilerSpec.Retry(shorter, 1, SECOND, 0))
			.withMessage("Retry delay 'PT0.000999999S' must be at least 1 ms");
		assertThatIllegalArgumentException().isThrownBy(() -> new ReconcilerSpec.Retry(SECOND, 1, shorter, 0))
			.withMessage("Longest retry delay 'PT0.000999999S' must be at least 1 ms");
	}

}
