package dev.kubeinformer.kotlin

import dev.kubeinformer.spring.annotation.InformerHandler
import dev.kubeinformer.spring.annotation.OnAdd
import dev.kubeinformer.spring.annotation.OnCleanup
import dev.kubeinformer.spring.annotation.OnDelete
import dev.kubeinformer.spring.annotation.OnUpdate
import dev.kubeinformer.spring.annotation.Reconcile
import dev.kubeinformer.spring.annotation.Reconciler
import dev.kubeinformer.spring.annotation.Watches
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration
import dev.kubeinformer.spring.handler.InformerHandlerRegistry
import dev.kubeinformer.types.ObjectKey
import io.kubernetes.client.openapi.models.V1ConfigMap
import io.kubernetes.client.openapi.models.V1Pod
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.boot.autoconfigure.AutoConfigurations
import org.springframework.boot.test.context.runner.ApplicationContextRunner
import org.springframework.core.annotation.AliasFor

/**
 * Suspending functions, whose end a caller in Java does not wait for.
 */
class SuspendingMethodTests {

	@Test
	fun `suspending functions are refused at the start by that word`() {
		for ((type, method) in mapOf(SuspendingHandler::class.java to "added(V1Pod, Continuation<",
				SuspendingDeletion::class.java to "deleted(V1Pod, boolean, Continuation<",
				SuspendingContract::class.java to "added(V1Pod, Continuation<",
				SuspendingReconciler::class.java to "reconcile(V1Pod, Continuation<",
				SuspendingCleanup::class.java to "cleanUp(V1Pod, Continuation<",
				SuspendingMapper::class.java to "using(V1ConfigMap, Continuation<")) {
			runner.withBean(type).run { context ->
				assertThat(context.startupFailure).`as`(type.simpleName)
					.hasMessageContaining(method)
					.hasMessageContaining("it is a 'suspend' function, whose end would not be awaited")
					.hasMessageContaining("runBlocking")
			}
		}
	}

	@Test
	fun `annotations composed in Kotlin are read`() {
		runner.withBean("upserting", UpsertingHandler::class.java).run { context ->
			assertThat(context).hasNotFailed()
			assertThat(context.getBean(InformerHandlerRegistry::class.java).get("upserting").spec().id())
				.isEqualTo("pods")
		}
	}

	private val runner = ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KubernetesClientAutoConfiguration::class.java,
			InformerAutoConfiguration::class.java))
		.withPropertyValues("kubernetes.client.url=http://localhost:1", "kubernetes.informers.auto-startup=false")

	@OnAdd
	@OnUpdate
	@Target(AnnotationTarget.FUNCTION)
	annotation class OnUpsert(
		@get:AliasFor(annotation = OnUpdate::class, attribute = "condition") val updatedIf: String = ""
	)

	@InformerHandler
	internal class UpsertingHandler {

		@OnUpsert(updatedIf = "#event.generationChanged()")
		fun stored(pod: V1Pod) {
		}

	}

	@InformerHandler
	internal class SuspendingHandler {

		@OnAdd
		suspend fun added(pod: V1Pod) {
		}

	}

	@InformerHandler
	internal class SuspendingDeletion {

		@OnDelete
		suspend fun deleted(pod: V1Pod, finalStateUnknown: Boolean) {
		}

	}

	internal interface Contract {

		@OnAdd
		suspend fun added(pod: V1Pod)

	}

	@InformerHandler
	internal class SuspendingContract : Contract {

		override suspend fun added(pod: V1Pod) {
		}

	}

	@Reconciler
	internal class SuspendingReconciler {

		@Reconcile
		suspend fun reconcile(pod: V1Pod) {
		}

	}

	@Reconciler
	internal class SuspendingCleanup {

		@Reconcile
		fun reconcile(pod: V1Pod) {
		}

		@OnCleanup
		suspend fun cleanUp(pod: V1Pod) {
		}

	}

	@Reconciler
	internal class SuspendingMapper {

		@Reconcile
		fun reconcile(pod: V1Pod) {
		}

		@Watches
		suspend fun using(map: V1ConfigMap): ObjectKey = ObjectKey.of(map)

	}

}
