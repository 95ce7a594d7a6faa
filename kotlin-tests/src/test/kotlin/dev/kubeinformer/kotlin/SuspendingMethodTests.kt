package dev.kubeinformer.kotlin

import dev.kubeinformer.spring.annotation.InformerHandler
import dev.kubeinformer.spring.annotation.OnAdd
import dev.kubeinformer.spring.annotation.Reconcile
import dev.kubeinformer.spring.annotation.Reconciler
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration
import dev.kubeinformer.test.EmbeddedKubernetes
import io.kubernetes.client.openapi.models.V1Pod
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.runner.ApplicationContextRunner

/**
 * Suspending functions, whose end a caller in Java does not wait for.
 */
class SuspendingMethodTests {

	@Test
	fun `suspending functions are refused at the start`() {
		EmbeddedKubernetes.start().use { kubernetes ->
			for (type in listOf(SuspendingHandler::class.java, SuspendingReconciler::class.java)) {
				ApplicationContextRunner()
					.withConfiguration(AutoConfigurations.of(KubernetesClientAutoConfiguration::class.java,
						InformerAutoConfiguration::class.java))
					.withPropertyValues("kubernetes.client.url=" + kubernetes.url())
					.withBean(type)
					.run { context ->
						assertThat(context.startupFailure).hasStackTraceContaining("suspending function")
							.hasStackTraceContaining("runBlocking")
					}
			}
		}
	}

	@InformerHandler
	internal class SuspendingHandler {

		@OnAdd
		suspend fun added(pod: V1Pod) {
		}

	}

	@Reconciler
	internal class SuspendingReconciler {

		@Reconcile
		suspend fun reconcile(pod: V1Pod) {
		}

	}

}
