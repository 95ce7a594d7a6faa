package dev.kubeinformer.internal.text;

import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link LogContext}.
 */
class LogContextTests {

	@AfterEach
	void clear() {
		MDC.clear();
	}

	@Test
	void keysShouldNameTheObjectAndTheHandler() {
		LogContext.Scope scope = LogContext.ofHandler("podHandler", "pods", "default").open("web", "one", 2);
		assertThat(MDC.getCopyOfContextMap()).containsExactlyInAnyOrderEntriesOf(
				Map.of("kubernetes.handler", "podHandler", "kubernetes.resource", "pods", "kubernetes.object.namespace",
						"web", "kubernetes.object.name", "one", "kubernetes.attempt", "2"));
		scope.close();
		assertThat(MDC.getCopyOfContextMap()).isNullOrEmpty();
	}

	@Test
	void clusterShouldBeNamedUnlessItIsTheDefault() {
		LogContext.Scope scope = LogContext.ofReconciler("east.nodes", "nodes", "east").open("", "n1", 1);
		assertThat(MDC.getCopyOfContextMap())
			.containsExactlyInAnyOrderEntriesOf(Map.of("kubernetes.reconciler", "east.nodes", "kubernetes.resource",
					"nodes", "kubernetes.cluster", "east", "kubernetes.object.name", "n1", "kubernetes.attempt", "1"));
		scope.close();
	}

	@Test
	void valuesBeforeShouldBeThereAgainAndOthersStay() {
		MDC.put("kubernetes.object.namespace", "outer");
		MDC.put("kubernetes.object.name", "outer");
		MDC.put("tenant", "a");
		LogContext.Scope scope = LogContext.ofHandler("nodeHandler", "nodes", "default").open("", "n1", 1);
		assertThat(MDC.get("kubernetes.object.namespace")).isNull();
		MDC.put("tenant", "b");
		scope.close();
		assertThat(MDC.getCopyOfContextMap()).containsExactlyInAnyOrderEntriesOf(
				Map.of("kubernetes.object.namespace", "outer", "kubernetes.object.name", "outer", "tenant", "b"));
	}

	@Test
	void failureWhileTheKeysAreSetShouldLeaveNoKeys() {
		MDC.put("kubernetes.resource", "outer");
		// The name of the object cannot be set.
		LogContext.ofHandler("podHandler", "pods", "default").open("web", null, 1).close();
		assertThat(MDC.getCopyOfContextMap())
			.containsExactlyInAnyOrderEntriesOf(Map.of("kubernetes.resource", "outer"));
	}

	@Test
	void namesShouldNotBreakLines() {
		LogContext.Scope scope = LogContext.ofHandler("h", "pods", "default").open("web", "a\nINFO forged", 1);
		assertThat(MDC.get("kubernetes.object.name")).isEqualTo("a\\nINFO forged");
		scope.close();
	}

}
